"""Page “LSTM”: the gates of one cell and of a trained LSTM, and vanishing gradients."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

import ui
from lessons.lstm import cell_probes, figures, picture, sections, state
from lmcore.recurrence import gates
from ui import settings


@st.fragment
def lab() -> None:
    """Controls left, picture right; only this reruns while the cell is explored."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        settings.keep_in_address(state.LESSON.defaults)
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
        "The slide says": lambda: ui.slide_corrections("lstm"),
    }
    check_the_address(draw)
    ui.sections(draw, key="lstm_view")
    with top:
        ui.presets(state.LESSON)


def check_the_address(views: Collection[str]) -> None:
    """Report each value in the address that its control does not have."""
    ui.check_address_value("lstm_view", views)
    ui.check_address_value("lstm_reader", (*figures.READERS, *state.session_models()))
    ui.check_address_value("quantity", figures.QUANTITIES)
    ui.check_address_value("hold_gate", figures.CLAMPABLE)
    ui.check_address_value("linear", ("true", "false"))
    cell_probes.check_the_address()


ui.open_page("lstm")
lab()
ui.neighbour_links("lstm")
