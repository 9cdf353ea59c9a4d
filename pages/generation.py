"""Generation: one prompt, one model, and the text that each strategy writes."""

from __future__ import annotations

from functools import partial

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

LESSON = ui.lesson("generation")


@st.fragment
def lab() -> None:
    """Controls left, the cards right; below them one view at a time."""
    top = st.container(key="presets")
    given = {**LESSON.defaults, **LESSON.looks}
    mine = (name for name in given if name.startswith("gen_") and name != "gen_see")
    state.keep_settings({name: given[name] for name in mine})
    models = available_models()
    check_the_address(models)
    left, right = st.columns([1, 3], gap="medium")
    with left:
        sections.controls(models)
    with right:
        opening = partial(state.default_state, dict(LESSON.defaults))
        scene = ui.validated_or_previous("gen", state.read_state, opening)
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
        "The slide says": lambda: ui.slide_corrections("generation"),
    }
    ui.sections(parts, key="gen_see")
    with top:
        ui.presets(LESSON)


def available_models() -> dict[str, str]:
    """Name → label of every model that can write; ours alone if the server's settings are wrong."""
    try:
        return state.available_models()
    except ValueError as error:
        ui.show_error(error)
        return state.OURS


def check_the_address(models: dict[str, str]) -> None:
    """Show an error for every choice in the address that does not exist."""
    ui.check_address_value("gen_model", tuple(models))
    ui.check_address_value("gen_stepped", stepping_section.STEPPED)
    ui.check_address_value("gen_early", ("true", "false"))


ui.open_page("generation")
lab()
ui.neighbour_links("generation")
