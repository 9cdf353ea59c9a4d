"""Reads the unit from the controls, and writes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from lmcore import parsing
from lmcore.neuron import activations, neuron
from lmcore.neuron.neuron import CORNERS, GATES, MAX_MAGNITUDE, MOST_INPUTS, Neuron, NeuronTrace
from lmcore.numbers import subscript
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value

if TYPE_CHECKING:
    from torch import Tensor

LESSON = ui.lesson("neuron")
SLIDE = Neuron(inputs=(0.3, 0.2, 0.9), weights=(0.1, 0.4, 0.2), bias=0.4)
SLOPES_REACH = 5.0
"""The slopes of activations are compared at z within ± this."""
MOST_SLOPES = 4
SETTINGS = SettingsTable(
    LESSON,
    {
        "x": Text("Inputs x"),
        "w": Text("Weights w"),
        "b": Text("Bias b"),
        "g": Choice(
            tuple(activations.ACTIVATIONS),
            "Activation g",
            help="Watch where the sum lands on the curve, and where the slope vanishes",
        ),
        "fold": Switch("Bias as w₀x₀ with x₀ = 1"),
        "gate": Choice(("none", *GATES), "Logic gate (two inputs)"),
        "slope_z": Between(-SLOPES_REACH, SLOPES_REACH),
        "slope_of": Choice(
            tuple(activations.ACTIVATIONS),
            "Slopes of",
            many=True,
            most=MOST_SLOPES,
            help="Sigmoid, tanh and ReLU stay, faint if they are not chosen",
        ),
        "formula_to": Choice(
            {"symbols": "its symbols", "sum": "numbers up to z", "bend": "numbers up to y"},
            "The formula shows",
        ),
        "see": Bound(),
    },
)
SPOKEN = {
    "x": ("input", "Scales its own term only; with a weight of 0 nothing changes"),
    "w": (
        "weight",
        "How strongly its input counts; a negative weight turns its input’s effect around",
    ),
    "b": ("bias", "Shifts the whole sum; it is z when every input is 0"),
}


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


def more_controls(unit: Neuron) -> None:
    """Draw the controls under More: number of inputs, lists, gate, notation of the bias."""
    st.session_state["inputs"] = len(unit.inputs)
    st.number_input("Inputs", 1, MOST_INPUTS, key="inputs", on_change=resize)
    SETTINGS.draw("x", "w", "b", "gate", "fold")


def read_unit() -> Neuron:
    """The unit that the controls describe."""
    state = st.session_state
    return Neuron(
        inputs=parsing.parse_numbers(state["x"], "inputs x"),
        weights=parsing.parse_numbers(state["w"], "weights w"),
        bias=parsing.parse_number(state["b"], "bias b"),
        activation=SETTINGS.choice("g"),
    )


def slider_numbers(
    unit: Neuron, trace: NeuronTrace, half_width: float, gate: str
) -> ui.LiveNumbers:
    """The unit's numbers now and at every position of every slider."""
    sliders, swept = swept_unit(unit)
    now, then = (
        each.by_name() | neuron.tangent(each, half_width) | _findings(each, unit.activation, gate)
        for each in (trace, swept)
    )
    return ui.live_numbers("neuron", now, sliders, then)


def swept_unit(unit: Neuron) -> tuple[list[ui.Slider], NeuronTrace]:
    """A slider for each number of the unit, and the unit at every position of each."""
    sliders = [slider(name, value) for name, value in unit.named_values()]
    positions = torch.tensor(np.array([s.positions for s in sliders]))
    return sliders, neuron.sweep(unit, positions)


def _findings(trace: NeuronTrace, g: str, gate: str) -> dict[str, Tensor]:
    """The numbers that select the sentence: @largest, the input with the largest term, and @say.

    With a gate on two inputs, also the pre-activation (c0z …) and the output (c0 …) at each corner.
    """
    largest = trace.terms.abs().argmax(dim=-1).to(trace.bias.dtype)
    if gate != "none" and trace.inputs.shape[-1] == len(CORNERS[0]):
        corners = neuron.corner_trace(trace.weights, trace.bias, g)
        z, y = corners.pre_activation, corners.output
        numbered = {f"c{i}z": z[..., i] for i in range(len(CORNERS))}
        numbered |= {f"c{i}": y[..., i] for i in range(len(CORNERS))}
        return numbered | {"@largest": largest, "@say": neuron.missed_corners(corners, gate)}
    flat = neuron.saturation(trace, g) <= activations.SATURATION_SHARE
    ending = torch.full_like(largest, 2) if g == "step" else flat.to(largest.dtype)
    return {"@largest": largest, "@say": 3 * largest + ending}


def slider(name: str, value: float) -> ui.Slider:
    """The slider of one number of the unit: an input, a weight or the bias."""
    spoken, look_for = SPOKEN[name[0]]
    index = subscript(int(name[1:])) if name[1:] else ""
    role = "input" if name[0] == "x" else "weight"
    label, positions = f"{name[0]}{index}", ui.slider_positions(value, limit=MAX_MAGNITUDE)
    return ui.Slider(name, label, f"{spoken} {name}", value, positions, help=look_for, role=role)


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    unit: Neuron = st.session_state["neuron-good"]
    name = moved["name"]
    try:
        store_unit(unit.with_value(name, parsing.parse_number(moved["typed"], name)))
    except ValueError as error:
        ui.show_error_later(error)


def store_unit(unit: Neuron) -> None:
    """Write a unit's numbers into the controls."""
    for letter, numbers in (("x", unit.inputs), ("w", unit.weights), ("b", (unit.bias,))):
        st.session_state[letter] = ", ".join(f"{number:.12g}" for number in numbers)


def resize() -> None:
    """Set the number of inputs to the value of the control."""
    resize_to(st.session_state["inputs"])


def resize_to(count: int) -> None:
    """Set the number of inputs; each new input is 0.5 and has the weight 0.5."""
    unit: Neuron = st.session_state["neuron-good"]
    more = (0.5,) * (count - len(unit.inputs))
    inputs, weights = unit.inputs[:count] + more, unit.weights[:count] + more
    store_unit(Neuron(inputs, weights, unit.bias, unit.activation))
