"""Page “Neuron”: one unit's weighted sum, bias and nonlinearity, live as sliders move."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.neuron import neuron_picture, neuron_questions, neuron_state, neuron_text, neuron_views
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
    gate = neuron_state.SETTINGS.choice("gate")
    half_axis = neuron_picture.axis_half_width(float(trace.partial_sums.abs().max()))
    live = neuron_state.slider_numbers(unit, trace, half_axis / 8, gate)
    with rows.rail:
        hidden = ui.predict_first(neuron_questions.questions(unit, trace))
        neuron_state.SETTINGS.draw("g")
        ui.sliders(live, on_settled=neuron_state.store_slider)
        with ui.more(rows):
            neuron_state.more_controls(unit)
    with rows.picture:
        fold = neuron_state.SETTINGS.switch("fold")
        how = neuron_picture.unit_picture(unit, half_axis, gate=gate, fold_bias=fold)
        texts = ui.stage_texts(
            neuron_state.LESSON,
            sentences=neuron_text.unit_sentences(unit, gate),
            moved=neuron_text.MOVED,
            formula=[neuron_text.unit_formula_parts(unit, fold_bias=fold)],
            alt=neuron_text.describe_unit(unit, gate),
            hidden=hidden,
        )
        ui.main_picture(neuron_picture.NEURON, live, how, texts)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: neuron_views.step_by_step(unit, trace, live),
            "Activations": lambda: neuron_views.compare(unit, trace),
            "Decision surface": lambda: neuron_views.decide(unit),
            "Many inputs": lambda: neuron_views.many(unit),
            "Code": lambda: neuron_views.source(unit),
        },
    )
    ui.examples(rows)


with ui.page("neuron"):
    lab()
