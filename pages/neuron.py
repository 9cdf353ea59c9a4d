"""Page “Neuron”: one unit's weighted sum, bias and nonlinearity, live as sliders move."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.neuron import (
    formula_view,
    neuron_picture,
    neuron_state,
    neuron_views,
    slopes_view,
    unit_view,
)
from lmcore.neuron import neuron


@st.fragment
def lab() -> None:
    """Everything that changes while the unit is explored."""
    rows = ui.rows(neuron_state.LESSON)
    with rows.errors:
        neuron_state.SETTINGS.restore()
        unit = ui.validated_or_previous(
            "neuron", neuron_state.read_unit, lambda: neuron_state.SLIDE
        )
    trace = neuron.trace_neuron(unit)
    half_axis = neuron_picture.axis_half_width(float(trace.partial_sums.abs().max()))
    gate = neuron_state.SETTINGS.choice("gate")
    live = neuron_state.slider_numbers(unit, trace, half_axis / 8, gate)
    see = neuron_state.seen()
    if see == "Slopes":
        slopes_view.show(rows)
    elif see == "Formula":
        formula_view.show(rows, unit, trace, half_axis)
    else:
        unit_view.show(rows, unit, trace, live, half_axis)
    ui.look_closer(
        rows,
        {
            "Formula": None,
            "Step by step": lambda: neuron_views.step_by_step(unit, trace, live),
            "Slopes": None,
            "Activations": lambda: neuron_views.compare(unit, trace),
            "Decision surface": lambda: neuron_views.decide(unit),
            "Many inputs": lambda: neuron_views.many(unit),
            "Code": lambda: neuron_views.source(unit),
        },
    )
    ui.examples(rows)


with ui.page("neuron"):
    lab()
