"""Page “Generation”: one prompt, one model, and the text that each strategy generates."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.generation import (
    beam_view,
    bench_view,
    generation_state,
    generation_views,
    needle_view,
    slide_tree_view,
    stepping_view,
)
from ui import pretrained

BEAM = "Beam search"
TREE = "The slide’s tree"
WALK = "Random walk"


@st.fragment
def lab() -> None:
    """Everything that changes while strategies are compared."""
    rows = ui.rows(generation_state.LESSON)
    generation_state.SETTINGS.restore()
    with rows.errors:
        pretrained.known_models(report=True)
        scene = ui.validated_or_previous(
            "gen", generation_state.read_state, generation_state.default_state
        )
        generation_state.offer_words()
    see = generation_state.seen()
    if see == TREE:
        slide_tree_view.slide_tree(rows)
    elif see == BEAM:
        beam_view.beam_search(rows, scene)
    elif see == WALK:
        needle_view.random_walk(rows, scene)
    else:
        generation_views.side_by_side(rows, scene, see)
    ui.examples(rows)  # a bench may take seconds
    ui.look_closer(
        rows,
        {
            "One token at a time": lambda: stepping_view.step_by_step(scene),
            WALK: None,
            BEAM: None,
            TREE: None,
            "Bench": lambda: bench_view.bench(scene),
            "Numbers": lambda: generation_views.numbers(scene),
            "Code": lambda: generation_views.source(scene),
        },
    )


with ui.page("generation"):
    lab()
