"""The cell set by the sliders, and the available trained LSTMs."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any, cast

import numpy as np
import streamlit as st
import torch

import ui
from lessons.lstm import figures, picture
from lmcore import parsing
from lmcore.models.lstm import LSTM
from lmcore.models.registry import NeuralModel
from lmcore.recurrence import gates
from lmcore.recurrence.gates import GateTrace, GateUnit
from ui.models import ModelEntry

LESSON = ui.lesson("lstm")
REMEMBER = GateUnit(0.8, 6.0, -6.0, 1.5, 3.0)


def read_unit() -> GateUnit:
    """The cell that the sliders describe."""
    return gates.unit(parsing.parse_numbers(st.session_state["gates"], "gates"))


def slider_numbers(unit: GateUnit, trace: GateTrace) -> ui.LiveNumbers:
    """The cell's numbers now and at every position of every slider."""
    sliders = []
    for name, value in unit.by_name().items():
        spoken, look_for, role = picture.SPOKEN[name]
        reach = 2.0 if name == "c_before" else 8.0
        positions = ui.slider_positions(value, reach=reach, limit=gates.MAX_MAGNITUDE)
        label = picture.LABELS[name]
        sliders.append(ui.Slider(name, label, spoken, value, positions, help=look_for, role=role))
    swept = gates.sweep(unit, torch.tensor(np.array([s.positions for s in sliders])))
    return ui.live_numbers("gates", trace.by_name(), sliders, swept.by_name())


def store_slider(moved: dict[str, Any]) -> None:
    """Store a released slider's value, or the number typed beside it."""
    unit: GateUnit = st.session_state["gates-good"]
    name = moved["name"]
    try:
        unit = unit.with_value(name, parsing.parse_number(moved["typed"], name))
        st.session_state["gates"] = ", ".join(f"{value:.12g}" for value in astuple(unit))
    except ValueError as error:
        ui.show_error_later(error)


def available_models() -> dict[str, ModelEntry]:
    """The LSTMs that come with the app, and this session's own."""
    ships = {
        name: ui.models.shipped_network(name)._replace(label=label)
        for name, label in figures.READERS.items()
    }
    return ships | session_models()


def session_models() -> dict[str, ModelEntry]:
    """The LSTMs that this session trained on the microworld."""
    return {
        name: entry
        for name, entry in ui.models.session_models("microworld").items()
        if isinstance(cast(NeuralModel, entry.model).network, LSTM)
    }
