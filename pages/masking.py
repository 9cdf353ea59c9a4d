"""Masks: who may look at whom, what −∞ does to the weights, what leaks; and corrupted texts."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.masking import controls, corruption_sections, live_leakage_section, sections, state
from ui import settings

LESSON = ui.lesson("masking")
VIEWS = (
    "Step by step",
    "Output and next word",
    "Leakage test",
    "Train without it",
    "Both ways, one way",
    "Check yourself",
    "Code",
    "The slide says",
)


ERRATA = ("X34", "X56")  # those of attention masks; the others are of masked language modelling


@st.fragment
def lab() -> None:
    """One of two tabs."""
    ui.check_address_value("masking_tab", tuple(controls.TABS))
    controls.keep_settings()
    settings.tab_bar("masking_tab", "Part of the page", controls.TABS)
    if settings.allowed_value("masking_tab", controls.TABS) == "corruption":
        corruption_sections.tab(LESSON)
    else:
        attention_masks()


def attention_masks() -> None:
    """Controls left, the two masks right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    models = state.available_models()
    with right:  # what is refused is said beside the controls, not below them
        controls.check_the_address(models, VIEWS)
        first = partial(state.default_state, models, LESSON.defaults["masking_text"])
        scene = ui.validated_or_previous("masking", lambda: state.read_state(models), first)
    with left:
        controls.controls(models, scene)
    with right:
        query = ui.validated_or_previous(
            "masking_at", lambda: state.read_place("masking_at"), lambda: 0
        )
        query = min(query, len(scene.pair.queries) - 1)
        sections.draw(scene, query)
    views = (
        lambda: sections.step_by_step(scene.pair, query),
        lambda: sections.output(scene, query),
        lambda: sections.leak(scene),
        live_leakage_section.panel,
        lambda: sections.readers(scene, query),
        lambda: sections.predict(scene),
        lambda: sections.source(scene),
        lambda: ui.errata(ERRATA),
    )
    ui.sections(dict(zip(VIEWS, views, strict=True)), key="masking_see")
    with top:
        ui.presets(LESSON.part("masking_tab", "masks", "masking_"))


ui.open_page("masking")
lab()
ui.neighbour_links("masking")
