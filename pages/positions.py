"""Page “Positions”: positions as waves, and one word in two orders, with positions and without."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.positions import sections, state
from lessons.positions.state import LESSON, SETTINGS


@st.fragment
def lab() -> None:
    """Everything that changes while the sentence is moved and shuffled."""
    rows = ui.rows(LESSON)
    with rows.errors:
        SETTINGS.restore()
        spec, pair = ui.validated_or_previous(
            "positions",
            lambda: state.read_state(st.session_state),
            lambda: state.read_state(SETTINGS.defaults),
        )
    live = state.slider_numbers(spec, pair)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(spec))
        ui.sliders(live, on_settled=state.store_slider)
        SETTINGS.draw("positions_text")
        st.button(
            "Shuffle",
            on_click=state.shuffle_again,
            icon=":material/shuffle:",
            width="stretch",
            help="Another order of the same words",
        )
        SETTINGS.draw("positions_causal")
        with ui.more(rows):
            SETTINGS.draw("positions_order", "positions_pair")
    with rows.picture:
        sections.draw_picture(spec, pair, live, hidden)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(live),
            "Every dimension": lambda: sections.every_dimension(spec),
            "In an encoder": ui.Apart(lambda: sections.encoder(state.with_encoder(spec))),
            "Learned or fixed": ui.Apart(sections.learned_or_fixed),
            "Words to input": ui.Apart(sections.words_to_input),
            "Four facts": ui.Apart(sections.four_facts),
            "Code": lambda: sections.source(spec),
        },
    )
    ui.examples(rows)


with ui.page("positions"):
    lab()
