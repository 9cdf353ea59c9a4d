"""The view “Four scores”: one query with the same keys, by four scores on rulers of their own."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Moved
from lessons.attention import (
    attention_questions,
    attention_state,
    rulers_picture,
    rulers_text,
)
from lessons.attention.attention_state import LESSON, SETTINGS, AttentionState
from lessons.attention.rulers_picture import LEAST_STRETCH, MOST_STRETCH
from lmcore import parsing
from lmcore.attention import four_scores
from ui.widgets import set_controls

READING = (
    "The additive score is an MLP whose weights have to be learned. Here they are drawn at random "
    "(seed 0), so its order of the keys is chance. A cosine lies between −1 and 1, so two keys are "
    "never more than 2 apart. No mask closes keys here."
)


def show(rows: ui.Rows, current: AttentionState) -> None:
    """Draw the rulers and the shares on the stage, and d_k and a key's length in the rail."""
    inputs, config, view, *_ = current
    with rows.errors:
        stretch = ui.validated_or_previous("attention-stretch", read_stretch, lambda: 1.0)
    soft = SETTINGS.switch("attention_soft")
    live = rulers_picture.live_numbers(inputs, config, view.query, stretch)
    pair = four_scores.best_pair(inputs.query[view.query - 1], inputs.key)
    with rows.rail:
        hidden = ui.predict_first(
            attention_questions.ruler_questions(inputs, live, pair, soft=soft)
        )
        ui.sliders(live, on_settled=store_slider)
        SETTINGS.draw("attention_soft", "attention_from")
        with ui.more(rows):
            st.caption(READING)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=rulers_text.sentences(inputs, pair, view.query, ui.quoted, soft=soft),
            moved=rulers_text.moved(inputs, pair, ui.quoted, soft=soft),
            formula=[rulers_text.formula(inputs, pair, ui.quoted, soft=soft)],
            alt=rulers_text.describe(pair, view.query, soft=soft),
            kind="computed",
            hidden=hidden,
        )
        how = rulers_picture.picture(inputs, live, pair, soft=soft)
        ui.main_picture(rulers_picture.RULERS, live, how, texts)


def read_stretch() -> float:
    """By what the second key of the pair is multiplied.

    Raises:
        ValueError: if it is no number of that range.
    """
    return check_stretch(parsing.parse_number(st.session_state["attention_stretch"], "the length"))


def check_stretch(value: float) -> float:
    """`value`, if it is in the range."""
    if not LEAST_STRETCH <= value <= MOST_STRETCH:
        raise ValueError(
            f"the length must be from {LEAST_STRETCH:g} to {MOST_STRETCH:g}; got {value:g}"
        )
    return value


def store_slider(moved: Moved) -> None:
    """Store d_k or the length of the key, once it is released or typed."""
    if moved["name"] != "stretch":
        attention_state.store_slider(moved)
        return
    try:
        stretch = check_stretch(parsing.parse_number(moved["typed"], "the length"))
    except ValueError as error:
        ui.show_error_later(error)
        return
    set_controls({"attention_stretch": f"{stretch:.12g}"})
