"""Page “Masks”: which positions a mask hides, what leaks through layers, and corruption."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.masking import (
    corruption_sections,
    leakage_section,
    live_leakage_section,
    sections,
    state,
)
from lessons.masking.state import LESSON, SETTINGS


@st.fragment
def lab() -> None:
    """A mask and its weights, what leaks through layers, or a text that is corrupted."""
    rows = ui.rows(LESSON)
    with rows.errors:
        SETTINGS.restore()
    see = state.seen()
    if see in state.CORRUPTION_VIEWS:
        views = corruption_sections.show(rows)
    elif see in state.TRAIN_VIEWS:
        views = live_leakage_section.show(rows)
    else:
        models = state.available_models()
        with rows.errors:
            first = partial(state.default_state, models, LESSON.defaults["masking_text"])
            current = ui.validated_or_previous("masking", lambda: state.read_state(models), first)
            state.offer_similar_words(models)
        draw = leakage_section.show if see in state.LEAKAGE_VIEWS else sections.show
        views = draw(rows, current, see)
    pictures = dict.fromkeys((state.COMPARE, state.LEAKAGE, state.TRAIN, state.CORRUPTION))
    ui.look_closer(rows, {**pictures, **views})
    ui.examples(rows)


with ui.page("masking"):
    lab()
