"""Page “Tokens”: how a subword vocabulary is learned and used, and the input of BERT."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.tokens import (
    input_rows_view,
    input_view,
    longest_view,
    merges_view,
    tokens_state,
    tokens_views,
)
from lessons.tokens.tokens_state import LESSON, SETTINGS
from lmcore.tokenization.rules import CONTINUATION_MARK

LONGEST = "Longest match"
INPUTS = {input_rows_view.ROWS: input_rows_view.show, "Input of BERT": input_view.show}


@st.fragment
def lab() -> None:
    """Everything that changes with the merges; the browser holds the pieces after each of them."""
    rows = ui.rows(LESSON)
    with rows.errors:
        SETTINGS.restore()
        scene = ui.validated_or_previous(
            "tokens", tokens_state.read_state, tokens_state.default_state
        )
    live = merges_view.slider_numbers(scene)
    see, by_match = tokens_state.seen(), scene.trace.rule.mark == CONTINUATION_MARK
    if see in INPUTS:
        INPUTS[see](rows)
    elif see == LONGEST and by_match:
        longest_view.show(rows, scene)
    else:
        merges_view.show(rows, scene, live)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: tokens_views.step_by_step(scene, live),
            LONGEST: None if by_match else lambda: longest_view.in_order(scene),
            "Pair to ids": lambda: tokens_views.pack(scene),
            **dict.fromkeys(INPUTS),
            "Fewest pieces?": lambda: tokens_views.compare(scene),
            "Code": lambda: tokens_views.source(scene),
        },
    )
    ui.examples(rows)


with ui.page("tokens"):
    lab()
