"""The cell set by the sliders, and the available trained LSTMs."""

from __future__ import annotations

from dataclasses import astuple
from typing import cast

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from lessons.lstm import lstm_figures, lstm_picture
from lmcore import parsing
from lmcore.models.lstm import LSTM
from lmcore.models.registry import NeuralModel
from lmcore.recurrence import gates, unit_probes
from lmcore.recurrence.gates import GateTrace, GateUnit
from ui import models
from ui.models import ModelEntry
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value

LESSON = ui.lesson("lstm")
LETTERS = "character_lstm"
REMEMBER = GateUnit(0.8, 6.0, -6.0, 1.5, 3.0)
LONGEST = 10_000
"""The last character of a text that can be asked for."""


def forget_word() -> None:
    """Where the gates are changed, they are no longer those of a network that reads a word."""
    ui.set_controls({"gate_word": ""})


def open_property() -> None:
    """For another property, show the unit that follows it best."""
    ui.set_controls({"cell_unit": ""})


SETTINGS = SettingsTable(
    LESSON,
    {
        "gates": Text("cₜ₋₁, z_f, z_i, z_c, z_o", then=forget_word),
        "lstm_reader": Choice(lambda: models.labels(available_models()), "A trained LSTM reads"),
        "lstm_text": Text("Text"),
        "quantity": Choice(lstm_figures.QUANTITIES, "Show"),
        "heat_unit": Text("Unit to look at", "Its six numbers are shown below the units"),
        "hold_gate": Choice(lstm_figures.CLAMPABLE, "Hold"),
        "hold_value": Text("Hold it at", "From 0 to 1; the candidate from −1"),
        "cell_model": Choice(lambda: models.labels(letter_models()), "Cells of"),
        "meaning": Choice(unit_probes.LABELS, "Property", then=open_property),
        "cell_at": Between(0, LONGEST, whole=True),
        "cell_kind": Choice(unit_probes.KINDS, "Value"),
        "cell_unit": Text("Unit", "Empty: the best one of the table"),
        "cell_text": Text("Text", "Empty: a text of the kind the model was trained on"),
        "drive": Text("Size of the inputs", "Large inputs reach the flat part of tanh: g′ falls"),
        "linear": Switch("Plain RNN without tanh"),
        "input_rate": Text("Input gate i, held at", "Empty: computed from h and x, as f is not"),
        "see": Bound(),
    },
)


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


def read_unit() -> GateUnit:
    """The cell that the sliders describe."""
    return gates.unit(parsing.parse_numbers(st.session_state["gates"], "gates"))


def slider_numbers(unit: GateUnit, trace: GateTrace) -> ui.LiveNumbers:
    """The cell's numbers now and at every position of every slider."""
    sliders = []
    for name, value in unit.by_name().items():
        spoken, look_for, role = lstm_picture.SPOKEN[name]
        reach = 2.0 if name == "c_before" else 8.0
        positions = ui.slider_positions(value, reach=reach, limit=gates.MAX_MAGNITUDE)
        label, heading = lstm_picture.LABELS[name], lstm_picture.HEADING if name[0] == "z" else ""
        sliders.append(ui.Slider(name, label, spoken, value, positions, look_for, role, heading))
    swept = gates.sweep(unit, torch.tensor(np.array([s.positions for s in sliders])))
    now, then = (each.by_name() | lstm_picture.findings(each) for each in (trace, swept))
    return ui.live_numbers("lstm", now, sliders, then)


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    unit: GateUnit = st.session_state["gates-good"]
    name = moved["name"]
    try:
        unit = unit.with_value(name, parsing.parse_number(moved["typed"], name))
        st.session_state["gates"] = ", ".join(f"{value:.12g}" for value in astuple(unit))
        forget_word()
    except ValueError as error:
        ui.show_error_later(error)


def available_models() -> dict[str, ModelEntry]:
    """The LSTMs that come with the app, and this session's own."""
    ships = {
        name: models.shipped_network(name)._replace(label=label)
        for name, label in lstm_figures.READERS.items()
    }
    return ships | session_models("microworld")


def letter_models() -> dict[str, ModelEntry]:
    """The LSTM of letters that comes with the app, and this session's own."""
    ships = models.shipped_network(LETTERS)._replace(label="The LSTM that comes with the app")
    return {LETTERS: ships} | session_models("quoted")


def session_models(source: str) -> dict[str, ModelEntry]:
    """The LSTMs that this session trained on a text of that source."""
    return {
        name: entry
        for name, entry in models.session_models(source).items()
        if isinstance(cast(NeuralModel, entry.model).network, LSTM)
    }
