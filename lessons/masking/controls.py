"""The controls of the tab on attention masks, and the settings of both tabs in the address."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.masking import picture as figures
from lessons.masking.corruption_sections import TEXT_SETTINGS as CORRUPTION_TEXTS
from lessons.masking.state import OTHERS, MaskingModel, MaskingState
from lmcore.masking.mask_choice import LONGEST
from ui import settings

LESSON = ui.lesson("masking")
STREAMS = {"content": "Content", "query": "Query"}
MOST_TYPED = 400
"""Characters of a typed text, which is also part of the address."""
TEXT_SETTINGS = (
    "masking_text",
    "masking_batch",
    "masking_source",
    *CORRUPTION_TEXTS,
)
TABS = {"masks": "Attention masks", "corruption": "Corruption"}


def check_the_address(models: dict[str, MaskingModel]) -> None:
    """Report every address value that its control does not have."""
    ui.check_address_value("masking_kind", tuple(figures.KINDS))
    ui.check_address_value("masking_other", OTHERS)
    ui.check_address_value("masking_model", tuple(models))
    ui.check_address_value("masking_stream", tuple(STREAMS))
    for name in ("masking_ahead", "masking_too", "masking_blank"):
        ui.check_address_value(name, ("true", "false"))


def keep_settings() -> None:
    """Keep the settings that have no widget of their own; cut a text that is far too long."""
    drawn = ("masking_see", "corrupt_see")
    kept = {name: value for name, value in LESSON.looks.items() if name not in drawn}
    settings.keep_in_address({**LESSON.defaults, **kept})
    for name in TEXT_SETTINGS:
        if (length := len(st.session_state[name])) > MOST_TYPED:
            ui.set_controls({name: st.session_state[name][:MOST_TYPED]})
            ui.address_value(name, LESSON.defaults[name])
            st.warning(f"The text has {length:,} characters; the first {MOST_TYPED} are kept.")


def show_controls(models: dict[str, MaskingModel], current: MaskingState) -> None:
    """The text, the mask, the mask it is compared with, and the chosen head."""
    kind = settings.allowed_value("masking_kind", figures.KINDS)
    texts(kind)
    if current.words.cut:
        st.caption(f"The text is longer; its first {LONGEST} tokens are shown.")
    settings.pills("masking_kind", "Mask", figures.KINDS)
    st.caption(figures.MASK_WORDS[kind])
    kind_controls(kind)
    if kind not in ("padding", "cross"):
        others = {name: figures.KINDS[name] for name in OTHERS if name != kind}
        settings.pills("masking_other", "Compare with", others)
    if kind != "cross":
        labels = {name: model.label for name, model in models.items()}
        settings.pills("masking_model", "Scores of", labels)
    head_controls(current)


def texts(kind: str) -> None:
    """Fields for one text, for a batch, or for a source and a target."""
    if kind == "padding":
        help_text = "Short texts are filled up with [PAD]; put | between texts"
        settings.text_field("masking_batch", "Texts of the batch, with | between", help_text)
        return
    if kind == "cross":
        settings.text_field("masking_source", "Source, read by the encoder", "Any words")
    settings.text_field(
        "masking_text", "Text", "Its first token is <s>; watch which words each place may see"
    )


def kind_controls(kind: str) -> None:
    """Controls that only this kind of mask has."""
    if kind == "sliding":
        settings.toggle("masking_ahead", "The window reaches ahead too")
    if kind == "permutation":
        help_text = "Places from 1, in the order they are read; places left out come last"
        settings.text_field("masking_order", "Order of reading", help_text)
        settings.pills("masking_stream", "Stream", STREAMS)
    if kind == "padding":
        count = len([part for part in st.session_state["masking_batch"].split("|") if part.strip()])
        numbered = {str(n): f"Text {n}" for n in range(1, max(count, 1) + 1)}
        settings.pills("masking_one", "Look at", numbered)
        settings.toggle("masking_too", "Causal too")


def head_controls(current: MaskingState) -> None:
    """The layer and the head, one choice for each that the model has."""
    config = current.model.network.config
    with st.container(horizontal=True):
        for name, label, count in (
            ("masking_layer", "Layer, from 0", config.layers),
            ("masking_head", "Head, from 0", config.heads),
        ):
            settings.pills(name, label, {str(n): str(n) for n in range(count)})
