"""Page “Tokens”: how a subword vocabulary is learned and used, and the input of BERT."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.tokens import input_section, longest_section, merges_section, sections, state
from lessons.tokens.state import LESSON, SETTINGS
from lmcore.tokenization.rules import CONTINUATION_MARK

LONGEST, INPUT = "Longest match", "Input of BERT"


@st.fragment
def lab() -> None:
    """Everything that changes with the merges; the browser holds the pieces after each of them."""
    rows = ui.rows(LESSON)
    with rows.errors:
        SETTINGS.restore()
        scene = ui.validated_or_previous("tokens", state.read_state, state.default_state)
    live = merges_section.slider_numbers(scene)
    see, by_match = state.seen(), scene.trace.rule.mark == CONTINUATION_MARK
    if see == INPUT:
        input_section.show(rows)
    elif see == LONGEST and by_match:
        longest_section.show(rows, scene)
    else:
        merges_section.show(rows, scene, live)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(scene, live),
            LONGEST: None if by_match else lambda: longest_section.in_order(scene),
            "Pair to ids": lambda: sections.pack(scene),
            INPUT: None,
            "Fewest pieces?": lambda: sections.compare(scene),
            "Code": lambda: sections.source(scene),
        },
    )
    ui.examples(rows)


with ui.page("tokens"):
    lab()
