"""Page “Neuron”: one unit's weighted sum, bias and nonlinearity, live as sliders move."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.neuron import picture, sections, state
from lmcore.neuron import neuron


@st.fragment
def lab() -> None:
    """Controls left, picture right; only this reruns while the unit is explored."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        state.SETTINGS.restore()
        more = state.controls()
        unit = ui.validated_or_previous("neuron", state.read_unit, lambda: state.SLIDE)
    if more.open:
        with more:
            state.typed_controls(unit)
    trace = neuron.trace_neuron(unit)
    half_axis = picture.axis_half_width(float(trace.partial_sums.abs().max()))
    live = state.slider_numbers(unit, trace, half_axis / 8)
    with left:
        ui.sliders(live, on_settled=state.store_slider)
    with right:
        how = picture.unit_picture(unit, half_axis, fold_bias=state.SETTINGS.switch("fold"))
        ui.picture(picture.NEURON, live, how)
        ui.notice(*picture.unit_notice(unit, trace))
    parts = {
        "Step by step": lambda: sections.step_by_step(unit, trace, live),
        "Activations": lambda: sections.compare(unit, trace),
        "Decision surface": lambda: sections.decide(unit),
        "Many inputs": lambda: sections.many(unit),
        "Check yourself": lambda: sections.predict(unit, trace),
        "Code": lambda: sections.source(unit),
        "Slide check": lambda: ui.slide_corrections("neuron"),
    }
    ui.sections(parts, key="view")
    with top:
        ui.presets(state.LESSON)


ui.open_page("neuron")
lab()
ui.neighbour_links("neuron")
