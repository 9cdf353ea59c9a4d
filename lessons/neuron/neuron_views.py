"""The views below the picture of one unit."""

from __future__ import annotations

import streamlit as st
import torch

import ui
from lessons.neuron import neuron_figures, neuron_picture, neuron_state
from lessons.neuron.neuron_state import SETTINGS
from lmcore import parsing
from lmcore.neuron import activations, neuron
from lmcore.neuron.neuron import MAX_MAGNITUDE, Neuron, NeuronTrace
from lmcore.numbers import format_number, subscript
from ui import contents


def step_by_step(unit: Neuron, trace: NeuronTrace, live: ui.LiveNumbers) -> None:
    """Draw the formula of z and the step table of the unit."""
    st.latex(neuron_picture.unit_formula(unit, trace))
    ui.step_table(neuron_picture.unit_steps(unit), live, caption="One unit, one operation per row")


def compare(unit: Neuron, trace: NeuronTrace) -> None:
    """Draw all activations and their derivatives, and their values at the unit's z."""
    g = activations.activation(unit.activation)
    st.latex(rf"{g.equation} \qquad \frac{{dg}}{{dz}} = {g.slope}")
    here, z = activations.activation(unit.activation), float(trace.pre_activation)
    half_axis = max(4.0, min(abs(z) + 1, 30.0))
    curves = {
        name: activations.curve(g, reach=half_axis) for name, g in activations.ACTIVATIONS.items()
    }
    ui.show_figure(
        neuron_figures.activation_comparison(curves, here, z, ui.theme_mode()),
        name="activations",
        reading="Left: each function's value at z. Right: its slope there.",
        alt=neuron_figures.describe_comparison(curves, here, z),
    )
    point = torch.tensor(z, dtype=torch.float64)
    rows = [
        (g.name, float(g.function(point)), float(g.derivative(point)))
        for g in activations.ACTIVATIONS.values()
    ]
    columns = ["activation", f"g({format_number(z)})", f"dg/dz at {format_number(z)}"]
    ui.table(
        columns, rows, name="activations", caption=f"Six activations at z = {format_number(z)}"
    )


def decide(unit: Neuron) -> None:
    """Draw the output over two inputs, and its score for the chosen logic gate."""
    if len(unit.inputs) != 2:
        st.info(f"A decision surface needs two inputs; this unit has {len(unit.inputs)}.")
        st.button("Show the unit with two inputs", on_click=neuron_state.resize_to, args=(2,))
        return
    gate = SETTINGS.choice("gate")
    over = neuron.surface(unit, low=-0.5, high=1.5)
    score = None if gate == "none" else neuron.gate_score(unit, gate)
    named = None if gate == "none" else gate
    at = (unit.inputs[0], unit.inputs[1])
    ui.show_figure(
        neuron_figures.decision_surface(over, at, named, ui.theme_mode()),
        name="decision",
        reading="Colour: output y. White line: z = 0, where the decision changes. ×: the current "
        "input.",
        alt=neuron_figures.describe_surface(over, named, score),
    )
    if named:
        found = neuron.search_gate(named)
        st.markdown(
            f"This unit decides **{score} of 4** corners as {named} requires. Of {found.tried:,} "
            f"units on a grid of weights from −2 to 2, the best gets **{found.best} of 4**."
            + (" No line separates the corners of XOR." if named == "XOR" else "")
        )
        if named == "XOR":
            solved = contents.page("networks")
            st.page_link(solved.script, label="A hidden layer solves XOR", icon=solved.icon)


def many(unit: Neuron) -> None:
    """Compute the unit on many rows of typed inputs, one output per row."""
    width = len(unit.inputs)
    sample = "\n".join(", ".join(f"{(i + j) % 3 / 2:g}" for j in range(width)) for i in range(4))
    text = ui.text_area(
        f"Rows of {width} numbers (CSV)",
        value=sample,
        key=f"rows{width}",
        bind="query-params",
        height=140,
    )
    try:
        rows = parsing.parse_rows(text, width)
        trace = neuron.trace_rows(unit, rows)
    except ValueError as error:
        ui.show_error(error)
        return
    names = [f"x{subscript(i + 1)}" for i in range(width)]
    numbers = torch.cat([rows, trace.pre_activation[:, None], trace.output[:, None]], dim=-1)
    labeled = [(f"row {i}", *row) for i, row in enumerate(numbers.tolist(), start=1)]
    ui.table(["row", *names, "z", "y"], labeled, name="outputs", caption="One unit on many inputs")


def questions(unit: Neuron, trace: NeuronTrace) -> list[ui.Question]:
    """The page's questions: z, the change of z with one weight, y when every input is 0."""
    last = len(unit.inputs)
    up = unit.weights[-1] + 1 <= MAX_MAGNITUDE
    moved = unit.with_value(f"w{last}", unit.weights[-1] + (1 if up else -1))
    zero = neuron.trace_neuron(Neuron((0.0,) * last, unit.weights, unit.bias, unit.activation))
    z, name = float(trace.pre_activation), f"w{subscript(last)}"
    return [
        ui.Question(
            "sum",
            "What is z, the sum of all terms and the bias?",
            z,
            "The last bar ends where the sum is: each begins where the one before ended.",
            hint="Add the numbers beside the bars.",
            hides=("z", "y", "slope"),
        ),
        ui.Question(
            "weight",
            f"{'Raise' if up else 'Lower'} {name} by 1. By how much does z change?",
            float(neuron.trace_neuron(moved).pre_activation) - z,
            f"A weight reaches z through its input: x{subscript(last)} = "
            f"{format_number(unit.inputs[-1])}. Drag {name} to see it.",
            hint=f"{name} is multiplied by one number only.",
        ),
        ui.Question(
            "zero",
            "Set every input to 0. What is y?",
            float(zero.output),
            f"Only the bias is left: z = b = {format_number(unit.bias)}.",
            hint="What is left of z, and where does the curve stand there?",
        ),
    ]


def source(unit: Neuron) -> None:
    """Show the code that ran, and a snippet that prints the numbers of this unit."""
    snippet = f"""from lmcore.neuron.neuron import Neuron, trace_neuron

unit = {unit!r}
trace = trace_neuron(unit)
print("terms  ", trace.terms.tolist())
print("z      ", trace.pre_activation.item())
print("y      ", trace.output.item())
print("dy/dz  ", trace.derivative.item())
"""
    ui.show_code(neuron.neuron_forward, neuron.trace_neuron, snippet=snippet, name="neuron")
