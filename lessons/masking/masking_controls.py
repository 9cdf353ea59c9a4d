"""The controls of the mask, beside the stage."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import ui
from lessons.masking import leakage_picture, masking_picture, masking_text
from lessons.masking.masking_state import OTHERS, SETTINGS, MaskingState
from lmcore.masking.mask_choice import LONGEST


def show_controls(
    rows: ui.Rows,
    current: MaskingState,
    *,
    compares: bool,
    leak: bool = False,
    notes: Sequence[str] = (),
) -> None:
    """Draw the text, the mask with its numbers, and under More the other mask and the head.

    With `leak`, only the controls that the leakage through layers depends on.
    """
    kind = SETTINGS.choice("masking_kind")
    SETTINGS.draw("masking_kind")
    with st.container(key="notes", gap=None):
        for sentence in () if leak else (masking_picture.MASK_WORDS[kind], *notes):
            st.caption(ui.escape_markdown(sentence))
    if compares and kind not in ("padding", "cross"):
        other_mask(kind)
    kind_controls(kind)
    if leak:
        with ui.more(rows):
            texts(kind, current)
            st.caption(leakage_picture.METHOD)
        return
    texts(kind, current)
    if kind != "cross" and current.model.vocabulary is not None:
        ui.microworld_popover()
    with ui.more(rows):
        if not compares and kind not in ("padding", "cross"):
            other_mask(kind)
        if kind != "cross":
            SETTINGS.draw("masking_model")
        head_controls(current)
        _model_note(kind, current)


def _model_note(kind: str, current: MaskingState) -> None:
    words = masking_text.model_words(
        trained=current.trained, cross=kind == "cross", filler=current.filler
    )
    st.caption(ui.escape_markdown(words))


def other_mask(kind: str) -> None:
    """The mask that the chosen one is compared with."""
    SETTINGS.draw(
        "masking_other", options={n: masking_picture.KINDS[n] for n in OTHERS if n != kind}
    )


def texts(kind: str, current: MaskingState) -> None:
    """Fields for one text, for a batch, or for a source and a target."""
    if kind == "padding":
        SETTINGS.draw("masking_batch")
    elif kind == "cross":
        SETTINGS.draw("masking_source", "masking_text")
    else:
        SETTINGS.draw("masking_text")
    if current.words.cut:
        st.caption(f"The text is longer; its first {LONGEST} tokens are shown.")


def kind_controls(kind: str) -> None:
    """Controls that only this kind of mask has."""
    if kind == "sliding":
        SETTINGS.draw("masking_ahead")
    if kind == "permutation":
        SETTINGS.draw("masking_order", "masking_stream")
    if kind == "padding":
        count = len([part for part in st.session_state["masking_batch"].split("|") if part.strip()])
        numbered = {str(n): f"Text {n}" for n in range(1, max(count, 1) + 1)}
        SETTINGS.draw("masking_one", options=numbered)
        SETTINGS.draw("masking_too")


def head_controls(current: MaskingState) -> None:
    """The layer and the head, one choice for each that the model has."""
    config = current.model.network.config
    with st.container(horizontal=True):
        for name, count in ("masking_layer", config.layers), ("masking_head", config.heads):
            SETTINGS.draw(name, options=[str(n) for n in range(count)])
