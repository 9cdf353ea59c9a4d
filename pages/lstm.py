"""Page “LSTM”: the gates of one cell and of a trained LSTM, and vanishing gradients."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.lstm import cell_probes, picture, sections, state
from lmcore.recurrence import gates


@st.fragment
def lab() -> None:
    """Controls left, picture right; only this reruns while the cell is explored."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        state.SETTINGS.restore()
        unit = ui.validated_or_previous("gates", state.read_unit, lambda: state.REMEMBER)
        trace = gates.trace_gates(unit)
        live = state.slider_numbers(unit, trace)
        ui.sliders(live, on_settled=state.store_slider)
    with right:
        ui.picture(picture.GATES, live, picture.gates_picture())
        ui.notice(*picture.gates_notice(trace))
    draw = {
        "Step by step": lambda: sections.step_by_step(trace, live),
        "Gates over a text": sections.over_a_text,
        "Interpretable cells": cell_probes.show,
        "Vanishing gradients": sections.vanishing_gradients,
        "Recall at distance": sections.recall_at_distance,
        "Check yourself": lambda: sections.predict(unit),
        "Code": lambda: sections.source(unit),
        "Slide check": lambda: ui.slide_corrections("lstm"),
    }
    ui.sections(draw, key="lstm_view")
    with top:
        ui.presets(state.LESSON)


ui.open_page("lstm")
lab()
ui.neighbour_links("lstm")
