"""Page “Neuron”: one unit's weighted sum, bias and nonlinearity, live as sliders move."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.neuron import picture, sections, state
from lmcore.neuron import activations, neuron
from lmcore.neuron.neuron import GATES

VIEWS = (
    "Step by step",
    "Activations",
    "Decision surface",
    "Many inputs",
    "Check yourself",
    "Code",
    "The slide says",
)


@st.fragment
def lab() -> None:
    """Controls left, picture right; only this reruns while the unit is explored."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        check_the_address()
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
        how = picture.unit_picture(unit, half_axis, fold_bias=st.session_state["fold"] == "true")
        ui.picture(picture.NEURON, live, how)
        ui.notice(*picture.unit_notice(unit, trace))
    draw = (
        lambda: sections.step_by_step(unit, trace, live),
        lambda: sections.compare(unit, trace),
        lambda: sections.decide(unit),
        lambda: sections.many(unit),
        lambda: sections.predict(unit, trace),
        lambda: sections.source(unit),
        lambda: ui.slide_corrections("neuron"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="view")
    with top:
        ui.presets(state.LESSON)


def check_the_address() -> None:
    """Report each value in the address that its control does not have."""
    ui.check_address_value("g", activations.ACTIVATIONS)
    ui.check_address_value("gate", ("none", *GATES))
    ui.check_address_value("fold", ("true", "false"))
    ui.check_address_value("view", VIEWS)


ui.open_page("neuron")
lab()
ui.neighbour_links("neuron")
