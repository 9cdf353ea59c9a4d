"""Page “LSTM”: the gates of one cell and of a trained LSTM, and vanishing gradients."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.lstm import (
    cell_probes,
    cell_view,
    lstm_state,
    lstm_views,
    reader_view,
    recall_view,
    vanish_view,
)


@st.fragment
def lab() -> None:
    """Everything that changes while the cell is explored."""
    rows = ui.rows(lstm_state.LESSON)
    lstm_state.SETTINGS.restore()
    unit, trace, live = cell_view.read(rows)
    see = lstm_state.seen()
    if see == "Vanishing gradients":
        vanish_view.show(rows)
    elif see == "Recall at distance":
        recall_view.show(rows)
    elif see == reader_view.NAME:
        reader_view.show(rows)
    else:
        cell_view.show(rows, unit, trace, live, see)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: lstm_views.step_by_step(trace, live),
            "Gates over a text": lstm_views.over_a_text,
            reader_view.NAME: None,
            "Interpretable cells": ui.SeparateView(cell_probes.show),
            "Vanishing gradients": None,
            "Recall at distance": None,
            "Code": lambda: lstm_views.source(unit),
        },
    )
    ui.examples(rows)


with ui.page("lstm"):
    lab()
