"""Page “Model zoo, results and costs”: published tables plotted, recomputed and weighed."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.results import (
    results_picture,
    results_questions,
    results_state,
    results_text,
    results_views,
)


@st.fragment
def lab() -> None:
    """Everything that changes while results are compared."""
    rows = ui.rows(results_state.LESSON)
    with rows.errors:
        results_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "results", results_state.read_state, results_state.default_state
        )
    picture = results_views.PICTURES.get(results_state.seen())
    if picture:
        picture(rows)
    else:
        comparison(rows, now)
    ui.look_closer(rows, results_views.views(now))
    ui.examples(rows)


def comparison(rows: ui.Rows, now: results_state.ResultsState) -> None:
    """Draw a table on two axes on the stage, and beside it the choice of both."""
    plot = now.plot()
    live = results_state.live_numbers(plot, now.pair)
    with rows.rail:
        hidden = ui.predict_first(results_questions.questions(plot, now.pair))
        ui.sliders(live, on_settled=results_state.store_slider)
        results_state.draw_axes(now)
        with ui.more(rows):
            results_views.more_controls(plot)
    with rows.picture:
        texts = ui.stage_texts(
            results_state.LESSON,
            sentences=results_text.sentences(plot, now.pair),
            formula=results_text.formulas(plot, now.pair),
            alt=results_text.describe(plot, now.pair, frontier_hidden="frontier" in hidden),
            kind="quoted",
            hidden=hidden,
        )
        ui.main_picture(
            results_picture.RESULTS,
            live,
            results_picture.results_picture(plot, now.pair),
            texts,
            on_event=results_state.store_event,
        )


with ui.page("results"):
    lab()
