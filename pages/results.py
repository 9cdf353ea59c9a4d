"""Page “Model zoo, results and costs”: published tables plotted, recomputed and weighed."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.results import picture, sections, state, text


@st.fragment
def lab() -> None:
    """Everything that changes while results are compared."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        now = ui.validated_or_previous("results", state.read_state, state.default_state)
    plot = now.plot()
    live = state.live_numbers(plot, now.pair)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(plot, now.pair))
        ui.sliders(live, on_settled=state.store_slider)
        state.draw_axes(now)
        with ui.more(rows):
            sections.more_controls(plot)
    with rows.picture:
        texts = ui.stage_texts(
            state.LESSON,
            sentences=text.sentences(plot, now.pair),
            formula=text.formulas(plot, now.pair),
            alt=text.describe(plot, now.pair, frontier_hidden="frontier" in hidden),
            kind="quoted",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(
            picture.RESULTS,
            live,
            picture.results_picture(plot, now.pair),
            texts,
            on_event=state.store_event,
        )
    ui.look_closer(rows, sections.views(now))
    ui.examples(rows)


with ui.page("results"):
    lab()
