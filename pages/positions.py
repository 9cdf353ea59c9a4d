"""Page “Positions”: positions as waves, and one word in two orders, with positions and without."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.positions import positions_questions, positions_state, positions_views
from lessons.positions.positions_state import LESSON, SETTINGS


@st.fragment
def lab() -> None:
    """Everything that changes while the sentence is moved and shuffled."""
    rows = ui.rows(LESSON)
    with rows.errors:
        SETTINGS.restore()
        spec, pair = ui.validated_or_previous(
            "positions",
            lambda: positions_state.read_state(st.session_state),
            lambda: positions_state.read_state(SETTINGS.defaults),
        )
    live = positions_state.slider_numbers(spec, pair)
    with rows.rail:
        hidden = ui.predict_first(positions_questions.questions(spec))
        ui.sliders(live, on_settled=positions_state.store_slider)
        SETTINGS.draw("positions_text")
        st.button(
            "Shuffle",
            on_click=positions_state.shuffle_again,
            icon=":material/shuffle:",
            width="stretch",
            help="Another order of the same words",
        )
        SETTINGS.draw("positions_causal")
        with ui.more(rows):
            SETTINGS.draw("positions_order", "positions_pair")
    with rows.picture:
        positions_views.draw_picture(spec, pair, live, hidden)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: positions_views.step_by_step(live),
            "Every dimension": lambda: positions_views.every_dimension(spec),
            "In an encoder": ui.SeparateView(
                lambda: positions_views.encoder(positions_state.with_encoder(spec))
            ),
            "Learned or fixed": ui.SeparateView(positions_views.learned_or_fixed),
            "Words to input": ui.SeparateView(positions_views.words_to_input),
            "Four facts": ui.SeparateView(positions_views.four_facts),
            "Code": lambda: positions_views.source(spec),
        },
    )
    ui.examples(rows)


with ui.page("positions"):
    lab()
