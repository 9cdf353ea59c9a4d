"""The controls of the tab on attention masks."""

from __future__ import annotations

import streamlit as st

from lessons.masking import picture as figures
from lessons.masking.state import OTHERS, SETTINGS, MaskingState
from lmcore.masking.mask_choice import LONGEST


def show_controls(current: MaskingState) -> None:
    """The text, the mask, the mask it is compared with, and the chosen head."""
    kind = SETTINGS.choice("masking_kind")
    texts(kind)
    if current.words.cut:
        st.caption(f"The text is longer; its first {LONGEST} tokens are shown.")
    SETTINGS.draw("masking_kind")
    st.caption(figures.MASK_WORDS[kind])
    kind_controls(kind)
    if kind not in ("padding", "cross"):
        others = {name: figures.KINDS[name] for name in OTHERS if name != kind}
        SETTINGS.draw("masking_other", options=others)
    if kind != "cross":
        SETTINGS.draw("masking_model")
    head_controls(current)


def texts(kind: str) -> None:
    """Fields for one text, for a batch, or for a source and a target."""
    if kind == "padding":
        SETTINGS.draw("masking_batch")
        return
    if kind == "cross":
        SETTINGS.draw("masking_source")
    SETTINGS.draw("masking_text")


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
