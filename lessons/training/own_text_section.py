"""A person's own text on the Live training page: pasted or in a file, kept in the session alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from lessons.shared import run_text as words
from lessons.training import state as training_state
from lmcore.device import device
from lmcore.tokenization import own_text
from lmcore.training import batches, precheck
from ui.compute import shared_results
from ui.widgets import changed_value, escape_markdown, fresh_key, set_controls

ASK = f"Paste a text or upload one: at least {own_text.MIN_TOKENS} words or letters."
AGAIN = "Paste or upload your text again: the page forgets it when it is loaded anew."


def panel() -> None:
    """Where the text is given; its statistics, once it can be read."""
    state = st.session_state
    if "own-pasted" not in state and isinstance(kept := state.get("own-text"), str):
        state["own-pasted"] = kept
    st.text_area(
        "Your text",
        key="own-pasted",
        height=140,
        max_chars=own_text.byte_limit(),
        on_change=_pasted,
    )
    st.file_uploader(
        "or a file in UTF-8",
        type=["txt", "md"],
        key="own-file",
        max_upload_size=max(1, own_text.byte_limit() // 1_000_000),
        on_change=_uploaded,
    )
    try:
        text = stored_text()
        read = partial(batches.running_text, training_state.corpus(text))
        found = shared_results.unshared_result(read, says="Reading the text").statistics
    except ValueError:
        return  # said once, where the settings are read
    st.caption(escape_markdown(words.text_statistics(found)))
    st.caption(escape_markdown(f"It begins: {text[:120]} …"))


def choose_unit() -> None:
    """Words or letters; a person's own text has more of the one than of the other."""
    now = st.session_state["unit"]
    key = fresh_key("unit-shown", now if now in training_state.UNITS else None)
    st.pills(
        "Read by",
        list(training_state.UNITS),
        format_func=training_state.UNITS.__getitem__,
        key=key,
        on_change=_unit,
        args=(key,),
        required=True,
        wrap=True,
    )


def missing_text_hint() -> str:
    """What to do where a person's own text is chosen and there is none; else empty."""
    state = st.session_state
    if state["corpus"] != "own" or state.get("own-text"):
        return ""
    return ASK if "own-text" in state else AGAIN


def stored_text() -> str:
    """The text as it is worked with; empty where there is none.

    Raises:
        ValueError: if it cannot be read, or there is only blank in it.
    """
    kept: str | bytes = st.session_state.get("own-text", "")
    return own_text.read_text(kept) if kept else ""


def restore_own_text() -> None:
    """It was chosen just now: the text of before is there again, if there was one."""
    st.session_state.setdefault("own-text", "")
    _fit()


def _pasted() -> None:
    st.session_state["own-text"] = st.session_state["own-pasted"]
    _fit()


def _uploaded() -> None:
    state = st.session_state
    file = state["own-file"]
    state["own-text"] = file.getvalue() if file else state["own-pasted"]
    _fit()


def _unit(key: str) -> None:
    if unit := changed_value("unit-shown", key):
        st.session_state["unit"] = unit
    if st.session_state["corpus"] == "own":
        _fit()


def _fit() -> None:
    """Set batch and length to what the text is long enough for; one that is not keeps them."""
    most = training_state.fitting_settings("own")
    try:
        spec = training_state.base(stored_text())
        spec = replace(spec, batch=int(most["batch"]), length=int(most["length"]))
        batch, length = precheck.fitting_sizes(spec, device().type)
    except ValueError:
        return  # said where the settings are read
    set_controls({"batch": str(batch), "length": str(length)})
