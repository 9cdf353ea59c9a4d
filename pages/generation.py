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
from ui import pretrained

BEAM = "Beam search"
TREE = "The slide’s tree"


@st.fragment
def lab() -> None:
    """Everything that changes while strategies are compared."""
    rows = ui.rows(state.LESSON)
    state.SETTINGS.restore()
    with rows.errors:
        pretrained.known_models(report=True)
        scene = ui.validated_or_previous("gen", state.read_state, state.default_state)
        state.offer_words()
    see = state.seen()
    if see == TREE:
        slide_tree_section.slide_tree(rows)
    elif see == BEAM:
        beam_section.beam_search(rows, scene)
    else:
        sections.side_by_side(rows, scene, see)
    ui.examples(rows)  # a bench may take seconds
    ui.look_closer(
        rows,
        {
            "One token at a time": lambda: stepping_section.step_by_step(scene),
            BEAM: None,
            TREE: None,
            "Bench": lambda: bench_section.bench(scene),
            "Numbers": lambda: sections.numbers(scene),
            "Code": lambda: sections.source(scene),
        },
    )


with ui.page("generation"):
    lab()
