"""A visitor's own text on the Live training page, pasted or uploaded; kept only in the session."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from lessons.training import training_state, training_text
from lmcore.device import device
from lmcore.tokenization import own_text
from lmcore.training import batches, precheck
from ui import compute
from ui.widgets import escape_markdown, set_controls, text_area

ASK = f"Paste a text or upload one: at least {own_text.MIN_TOKENS} words or letters."
AGAIN = "Paste or upload your text again: the page forgets it when it is reloaded."


def panel() -> None:
    """Draw the fields for the text, and its statistics once it can be read."""
    state = st.session_state
    if "own-pasted" not in state and isinstance(kept := state.get("own-text"), str):
        state["own-pasted"] = kept
    text_area(
        "Your text",
        key="own-pasted",
        height=140,
        max_chars=own_text.byte_limit(),
        on_change=_store_pasted,
    )
    st.file_uploader(
        "or a file in UTF-8",
        type=["txt", "md"],
        key="own-file",
        max_upload_size=max(1, own_text.byte_limit() // 1_000_000),
        on_change=_store_uploaded,
    )
    try:
        stored = stored_text()
        corpus = training_state.corpus(training_state.settings_now(), stored)
        read = partial(batches.running_text, corpus)
        statistics = compute.unshared_result(read, of=corpus, says="Reading the text").statistics
    except ValueError:
        return  # reported where the settings are read
    st.caption(escape_markdown(training_text.text_statistics(statistics)))
    st.caption(escape_markdown(f"It begins: {stored[:120]} …"))


def missing_text_hint() -> str:
    """Advice if the visitor's own text is chosen but missing; else empty."""
    state = st.session_state
    if state["corpus"] != "own" or state.get("own-text"):
        return ""
    return ASK if "own-text" in state else AGAIN


def stored_text() -> str:
    """The text as a string; empty if there is none.

    Raises:
        ValueError: if it cannot be read, or is blank.
    """
    kept: str | bytes = st.session_state.get("own-text", "")
    return own_text.read_text(kept) if kept else ""


def restore_own_text() -> None:
    """Restore the visitor's earlier text, if there was one, when it is chosen again."""
    st.session_state.setdefault("own-text", "")
    _fit_sizes()


def _store_pasted() -> None:
    st.session_state["own-text"] = st.session_state["own-pasted"]
    _fit_sizes()


def _store_uploaded() -> None:
    state = st.session_state
    file = state["own-file"]
    state["own-text"] = file.getvalue() if file else state["own-pasted"]
    _fit_sizes()


def fit_own_text() -> None:
    """Fit the sizes to the visitor's own text after its unit has changed."""
    if st.session_state["corpus"] == "own":
        _fit_sizes()


def _fit_sizes() -> None:
    """Set batch and length to fit the text; leave them unchanged if the text is too short."""
    most = training_state.fitting_settings("own")
    try:
        spec = training_state.base(training_state.settings_now(), stored_text())
        spec = replace(spec, batch=int(most["batch"]), length=int(most["length"]))
        batch, length = precheck.fitting_sizes(spec, device().type)
    except ValueError:
        return  # reported where the settings are read
    set_controls({"batch": str(batch), "length": str(length)})
