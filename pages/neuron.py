"""Page “Neuron”: one unit's weighted sum, bias and nonlinearity, live as sliders move."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.neuron import picture, sections, state
from lmcore.neuron import neuron


@st.fragment
def lab() -> None:
    """Everything that changes while the unit is explored."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        unit = ui.validated_or_previous("neuron", state.read_unit, lambda: state.SLIDE)
    trace = neuron.trace_neuron(unit)
    gate = state.SETTINGS.choice("gate")
    half_axis = picture.axis_half_width(float(trace.partial_sums.abs().max()))
    live = state.slider_numbers(unit, trace, half_axis / 8, gate)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(unit, trace))
        state.SETTINGS.draw("g")
        ui.sliders(live, on_settled=state.store_slider)
        with ui.more(rows):
            state.more_controls(unit)
    with rows.picture:
        fold = state.SETTINGS.switch("fold")
        how = picture.unit_picture(unit, half_axis, gate=gate, fold_bias=fold)
        texts = ui.stage_texts(
            state.LESSON,
            sentences=picture.unit_sentences(unit, gate),
            moved=picture.MOVED,
            formula=[picture.unit_formula_parts(unit, fold_bias=fold)],
            alt=picture.describe_unit(unit, gate),
            hidden=hidden,
        )
        ui.main_picture(picture.NEURON, live, how, texts)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(unit, trace, live),
            "Activations": lambda: sections.compare(unit, trace),
            "Decision surface": lambda: sections.decide(unit),
            "Many inputs": lambda: sections.many(unit),
            "Code": lambda: sections.source(unit),
        },
    )
    ui.examples(rows)


with ui.page("neuron"):
    lab()
