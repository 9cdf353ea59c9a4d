"""The views below the picture of one LSTM cell."""

from __future__ import annotations

from typing import cast

import streamlit as st
import torch

import ui
from lessons.lstm import lstm_figures, lstm_picture
from lessons.lstm.lstm_state import SETTINGS, available_models
from lmcore.models import lstm
from lmcore.models.lstm import LSTM
from lmcore.models.registry import NeuralModel
from lmcore.recurrence import gate_clamping, gates, unit_probes, vanishing
from lmcore.recurrence.gates import GateTrace, GateUnit
from lmcore.vocabulary import Vocabulary
from ui import models


def step_by_step(trace: GateTrace, live: ui.LiveNumbers) -> None:
    """Draw the equation of c_t and the step table of one LSTM cell."""
    st.latex(lstm_picture.gates_formula(trace))
    ui.step_table(lstm_picture.gates_steps(), live, caption="One LSTM cell, one operation per row")


def text_controls(rows: ui.Rows) -> None:
    """Draw the controls of `over_a_text` beside the stage."""
    known = available_models()
    SETTINGS.draw("lstm_reader", options=models.labels(known))
    state = st.session_state
    state["lstm_text"] = own_text(SETTINGS.choice("lstm_reader", known), state["lstm_text"])
    SETTINGS.draw("lstm_text", "quantity", "hold_gate")
    with ui.more(rows):
        SETTINGS.draw("hold_value", "heat_unit")


def over_a_text() -> None:
    """Draw the gates of a trained LSTM over typed text, with one of them clamped if chosen."""
    state = st.session_state
    known = available_models()
    found = cast(NeuralModel, known[SETTINGS.choice("lstm_reader", known)].model)
    network, vocabulary = cast(LSTM, found.network), found.vocabulary
    try:
        tokens = vocabulary.read(state["lstm_text"])
        unit = unit_probes.parse_unit(state["heat_unit"], network.config.hidden)
        holds = gate_clamping.parse_clamps(SETTINGS.choice("hold_gate"), state["hold_value"])
        readings = {"free": gate_clamping.trace_clamped(network, torch.tensor(tokens))}
        if holds:
            readings["held"] = gate_clamping.trace_clamped(network, torch.tensor(tokens), holds)
    except ValueError as error:
        ui.show_error(error)
        return
    show_reading(readings, vocabulary, tokens, unit)


def own_text(reader: str, text: str) -> str:
    """`text`, or this reader's default if it is empty or another reader's default."""
    own = lstm_figures.TEXTS.get(reader, lstm_figures.TEXTS["lstm"])
    return own if not text.strip() or text in lstm_figures.TEXTS.values() else text


def show_reading(
    readings: dict[str, gate_clamping.ClampedTrace],
    vocabulary: Vocabulary,
    tokens: list[int],
    unit: int,
) -> None:
    """Draw the strips of all units and of one, the gradient back, and the predictions."""
    last = list(readings.values())[-1]
    quantity, names = SETTINGS.choice("quantity"), vocabulary.decode(tokens)
    ui.show_figure(
        lstm_figures.heat(last, quantity, names, ui.theme_mode()),
        name="strips",
        reading=lstm_figures.heat_reading(last, quantity),
        alt=lstm_figures.describe_heat(last, quantity, names),
    )
    ui.show_figure(
        lstm_figures.unit_strips(last, unit, names, ui.theme_mode()),
        name="unit",
        reading=f"Unit {unit}: where f is high, c is kept; where i is high, c changes.",
        alt=lstm_figures.describe_unit(last, unit),
    )
    ui.show_figure(
        lstm_figures.gradient_back(readings, names[:-1], ui.theme_mode()),
        name="gradient",
        reading=lstm_figures.GRADIENT_READING,
        alt=lstm_figures.describe_gradient(readings),
    )
    st.caption(lstm_figures.losses_words(readings))
    columns = ["next token", *(f"p, {name}" for name in readings)]
    rows = lstm_figures.next_rows(readings, vocabulary)
    ui.table(columns, rows, name="next", caption="The most probable next tokens")


FINDINGS = {
    "Gates over a text": "A trained LSTM reads: each row is one unit. Where its **forget gate** is "
    "near 1, it keeps its memory.",
    "Interpretable cells": "Some **single cells** of a trained LSTM follow one property of the "
    "text.",
}
"""The sentence of a view of a trained network."""


def source(unit: GateUnit) -> None:
    """Show the code that ran, and a snippet that prints every number of this cell."""
    snippet = f"""from lmcore.recurrence.gates import GateUnit, trace_gates

unit = {unit!r}
trace = trace_gates(unit)
for name, value in trace.by_name().items():
    print(f"{{name:18}} {{value.item():.6g}}")
"""
    ui.show_code(
        gates.gate_step, lstm.lstm_step, vanishing.plain_gains, snippet=snippet, name="lstm"
    )
