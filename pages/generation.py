"""Page “Generation”: one prompt, one model, and the text that each strategy generates."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.generation import (
    beam_section,
    bench_section,
    sections,
    slide_tree_section,
    state,
    stepping_section,
)
from lessons.generation.state import LESSON, SETTINGS
from ui import pretrained


@st.fragment
def lab() -> None:
    """Controls left, the cards right; below them one view at a time."""
    top = st.container(key="presets")
    SETTINGS.restore()
    pretrained.known_models(report=True)
    left, right = st.columns([1, 3], gap="medium")
    with left:
        sections.controls()
    with right:
        scene = ui.validated_or_previous("gen", state.read_state, state.default_state)
        names = sections.shown_strategies()
    with left:
        found, live = sections.first_token_sweep(scene, names)
        ui.sliders(live, on_settled=sections.store_slider)
        if not found.swept and live.sliders:
            st.caption("With so many tokens the bars follow once you release the slider.")
        sections.more()
    with right:
        sections.prompt_notes(scene)
        texts = sections.texts(scene, names)
        sections.cards(scene, found, live, texts)
    parts = {
        "One token at a time": lambda: stepping_section.step_by_step(scene),
        "Beam search": lambda: beam_section.beam_search(scene),
        "Bench": lambda: bench_section.bench(scene),
        "The slide’s tree": slide_tree_section.slide_tree,
        "Numbers": lambda: sections.numbers(scene, texts),
        "Check yourself": lambda: sections.predict(scene, texts),
        "Code": lambda: sections.source(scene, names),
        "Slide check": lambda: ui.slide_corrections("generation"),
    }
    ui.sections(parts, key="gen_see")
    with top:
        ui.presets(LESSON)


ui.open_page("generation")
lab()
ui.neighbour_links("generation")
