"""Page “Masks”: which positions a mask hides, what leaks through layers, and corruption."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.masking import controls, corruption_sections, live_leakage_section, sections, state
from lessons.masking.state import LESSON, SETTINGS

ERRATA = ("X34", "X56")  # those on attention masks; the other tab shows those on corruption


@st.fragment
def lab() -> None:
    """The chosen tab: attention masks, or corruption."""
    SETTINGS.keep()
    SETTINGS.draw("masking_tab")
    if SETTINGS.choice("masking_tab") == "corruption":
        corruption_sections.tab(LESSON)
    else:
        attention_masks()


def attention_masks() -> None:
    """Controls left, the two masks right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    models = state.available_models()
    with right:  # an error stands beside the controls, not below them
        SETTINGS.check("masking_")
        first = partial(state.default_state, models, LESSON.defaults["masking_text"])
        current = ui.validated_or_previous("masking", lambda: state.read_state(models), first)
    with left:
        controls.show_controls(current)
    with right:
        query = ui.validated_or_previous(
            "masking_at", lambda: state.read_place("masking_at"), lambda: 0
        )
        query = min(query, len(current.pair.queries) - 1)
        sections.draw(current, query)
    parts = {
        "Step by step": lambda: sections.step_by_step(current.pair, query),
        "Output and next word": lambda: sections.output(current, query),
        "Leakage test": lambda: sections.leak(current),
        "Train without it": live_leakage_section.panel,
        "Both ways, one way": lambda: sections.readers(current, query),
        "Check yourself": lambda: sections.predict(current),
        "Code": lambda: sections.source(current),
        "Slide check": lambda: ui.errata(ERRATA),
    }
    ui.sections(parts, key="masking_see")
    with top:
        ui.presets(LESSON.part("masking_tab", "masks", "masking_"))


ui.open_page("masking")
lab()
ui.neighbour_links("masking")
