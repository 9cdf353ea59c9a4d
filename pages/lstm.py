"""Page “LSTM”: the gates of one cell and of a trained LSTM, and vanishing gradients."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.lstm import cell_probes, picture, sections, state
from lmcore.recurrence import gates


@st.fragment
def lab() -> None:
    """Everything that changes while the cell is explored."""
    rows = ui.rows(state.LESSON)
    state.SETTINGS.restore()
    with rows.errors:
        unit = ui.validated_or_previous("gates", state.read_unit, lambda: state.REMEMBER)
    trace = gates.trace_gates(unit)
    live = state.slider_numbers(unit, trace)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(unit, trace))
        ui.sliders(live, on_settled=state.store_slider)
        with ui.more(rows):
            state.SETTINGS.draw("gates")
    with rows.picture:
        told = ui.told(
            state.LESSON,
            sentences=[sentence for _, sentence in picture.SENTENCES],
            moved=picture.MOVED,
            formula=[picture.FORMULA],
            alt=picture.ALT,
            hidden=hidden,
        )
        ui.main_picture(picture.LSTM, live, picture.cell_picture(), told)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(trace, live),
            "Gates over a text": sections.over_a_text,
            "Interpretable cells": cell_probes.show,
            "Vanishing gradients": sections.vanishing_gradients,
            "Recall at distance": sections.recall_at_distance,
            "Code": lambda: sections.source(unit),
        },
    )
    ui.examples(rows)


with ui.page("lstm"):
    lab()
