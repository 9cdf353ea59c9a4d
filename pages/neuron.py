"""One unit: weighted sum, bias, nonlinearity; everything moves with the hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from lessons.neuron import figures
from lessons.neuron import picture as words
from lmcore import parsing
from lmcore.neuron import activations, neuron
from lmcore.neuron.neuron import GATES, MAX_MAGNITUDE, MOST_INPUTS, Neuron, NeuronTrace
from lmcore.numbers import format_number, subscript

LESSON = ui.lesson("neuron")
VIEWS = (
    "Step by step",
    "Activations",
    "Decision surface",
    "Many inputs",
    "Check yourself",
    "Code",
    "The slide says",
)
SLIDE = Neuron(inputs=(0.3, 0.2, 0.9), weights=(0.1, 0.4, 0.2), bias=0.4)
TEXTS = {"x": "Inputs x", "w": "Weights w", "b": "Bias b"}
SPOKEN = {
    "x": ("input", "Scales its own term only; with a weight of 0 nothing moves"),
    "w": ("weight", "How much its input counts; below 0 the input pulls z down"),
    "b": ("bias", "Shifts the whole sum; it is z when every input is 0"),
}


@st.fragment
def lab() -> None:
    """Controls left, picture right; only this reruns while the unit is explored."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        check_the_address()
        more = controls()
        unit = ui.validated_or_previous("neuron", read_unit, lambda: SLIDE)
    if more.open:
        with more:
            typed_controls(unit)
    trace = neuron.trace_neuron(unit)
    half_axis = words.axis_half_width(float(trace.partial_sums.abs().max()))
    live = slider_numbers(unit, trace, half_axis / 8)
    with left:
        ui.sliders(live, on_settled=store_slider)
    with right:
        how = words.unit_picture(unit, half_axis, fold_bias=st.session_state["fold"] == "true")
        ui.picture("neuron", live, how)
        ui.notice(*words.unit_notice(unit, trace))
    draw = (
        lambda: step_by_step(unit, trace, live),
        lambda: compare(unit, trace),
        lambda: decide(unit),
        lambda: many(unit),
        lambda: predict(unit, trace),
        lambda: source(unit),
        lambda: ui.slide_corrections("neuron"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="view")
    with top:
        ui.presets(LESSON)


def check_the_address() -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("g", activations.ACTIVATIONS)
    ui.check_address_value("gate", ("none", *GATES))
    ui.check_address_value("fold", ("true", "false"))
    ui.check_address_value("view", VIEWS)


def controls() -> Any:
    """All but the sliders; returns the place for what is drawn only while More is open."""
    st.segmented_control(
        "Activation g",
        list(activations.ACTIVATIONS),
        default=LESSON.defaults["g"],
        required=True,
        wrap=True,
        key="g",
        bind="query-params",
        help="Watch the curve that the sum lands on, and where its slope dies",
    )
    for key in ("x", "w", "b", "fold", "gate"):
        ui.address_value(key, LESSON.defaults[key])
    return st.expander("More inputs, lists, bias as w₀x₀", key="more", bind="query-params")


def typed_controls(unit: Neuron) -> None:
    """Drawn only while More is open: the number of inputs, the lists, how the bias is written."""
    st.session_state["inputs"] = len(unit.inputs)
    st.number_input("Inputs", 1, MOST_INPUTS, key="inputs", on_change=resize)
    for key, label in TEXTS.items():
        st.session_state[f"{key}-typed"] = st.session_state[key]
        st.text_input(label, key=f"{key}-typed", on_change=store_typed, args=(key,))
    st.session_state["fold-typed"] = st.session_state["fold"] == "true"
    st.toggle("Bias as w₀x₀ with x₀ = 1", key="fold-typed", on_change=store_typed, args=("fold",))


def store_typed(key: str) -> None:
    typed = st.session_state[f"{key}-typed"]
    st.session_state[key] = str(typed).lower() if isinstance(typed, bool) else typed


def read_unit() -> Neuron:
    """The unit that the controls describe."""
    state = st.session_state
    return Neuron(
        inputs=parsing.parse_numbers(state["x"], "inputs x"),
        weights=parsing.parse_numbers(state["w"], "weights w"),
        bias=parsing.parse_number(state["b"], "bias b"),
        activation=state["g"],
    )


def slider_numbers(unit: Neuron, trace: NeuronTrace, half_width: float) -> ui.LiveNumbers:
    """The unit's numbers now and at every position of every slider."""
    sliders = [slider(name, value) for name, value in unit.named_values()]
    positions = torch.tensor(np.array([s.positions for s in sliders]))
    swept = neuron.sweep(unit, positions)
    return ui.live_numbers(
        "neuron",
        trace.by_name() | neuron.tangent(trace, half_width),
        sliders,
        swept.by_name() | neuron.tangent(swept, half_width),
    )


def slider(name: str, value: float) -> ui.Slider:
    spoken, look_for = SPOKEN[name[0]]
    index = subscript(int(name[1:])) if name[1:] else ""
    role = "input" if name[0] == "x" else "weight"
    label, positions = f"{name[0]}{index}", ui.slider_positions(value, limit=MAX_MAGNITUDE)
    return ui.Slider(name, label, f"{spoken} {name}", value, positions, help=look_for, role=role)


def store_slider(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed beside it."""
    unit: Neuron = st.session_state["neuron-good"]
    name = moved["name"]
    try:
        store_unit(unit.with_value(name, parsing.parse_number(moved["typed"], name)))
    except ValueError as error:
        ui.show_error_later(error)


def store_unit(unit: Neuron) -> None:
    """Put a unit's numbers into the controls."""
    for letter, numbers in (("x", unit.inputs), ("w", unit.weights), ("b", (unit.bias,))):
        st.session_state[letter] = ", ".join(f"{number:.12g}" for number in numbers)


def resize() -> None:
    """More inputs, each starting at 0.5 with the weight 0.5, or fewer."""
    unit: Neuron = st.session_state["neuron-good"]
    count = st.session_state["inputs"]
    more = (0.5,) * (count - len(unit.inputs))
    inputs, weights = unit.inputs[:count] + more, unit.weights[:count] + more
    store_unit(Neuron(inputs, weights, unit.bias, unit.activation))


def step_by_step(unit: Neuron, trace: NeuronTrace, live: ui.LiveNumbers) -> None:
    st.latex(words.unit_formula(unit, trace))
    ui.step_table(words.unit_steps(unit), live, caption="One unit, one operation a row")


def compare(unit: Neuron, trace: NeuronTrace) -> None:
    g = activations.activation(unit.activation)
    st.latex(rf"{g.equation} \qquad \frac{{dg}}{{dz}} = {g.slope}")
    here, z = activations.activation(unit.activation), float(trace.pre_activation)
    half_axis = max(4.0, min(abs(z) + 1, 30.0))
    curves = {
        name: activations.curve(g, reach=half_axis) for name, g in activations.ACTIVATIONS.items()
    }
    ui.show_figure(
        figures.activation_comparison(curves, here, z, ui.theme_mode()),
        name="activations",
        reading="Left: what each function makes of z. Right: how steep it is there.",
        alt=figures.describe_comparison(curves, here, z),
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
    gate = gate_to_match()
    try:
        over = neuron.surface(unit, low=-0.5, high=1.5)
    except ValueError as error:
        ui.show_error(error)
        return
    score = None if gate == "none" else neuron.gate_score(unit, gate)
    named = None if gate == "none" else gate
    at = (unit.inputs[0], unit.inputs[1])
    ui.show_figure(
        figures.decision_surface(over, at, named, ui.theme_mode()),
        name="decision",
        reading="Colour: output y. White line: z = 0, where the decision flips. ×: the input now.",
        alt=figures.describe_surface(over, named, score),
    )
    if named:
        found = neuron.search_gate(named)
        st.markdown(
            f"This unit decides **{score} of 4** corners as {named} wants. Of {found.tried:,} "
            f"units on a grid of weights from −2 to 2, the best gets **{found.best} of 4**."
            + (" No line separates the corners of XOR." if named == "XOR" else "")
        )


def gate_to_match() -> str:
    """The chosen gate or "none"; kept as text, since this control is drawn in one view only."""
    options = ["none", *GATES]
    gate = st.session_state["gate"] if st.session_state["gate"] in options else "none"
    st.session_state["gate-chosen"] = gate

    def chosen() -> None:
        st.session_state["gate"] = st.session_state["gate-chosen"]

    st.segmented_control(
        "Logic gate to match", options, required=True, key="gate-chosen", on_change=chosen
    )
    return gate


def many(unit: Neuron) -> None:
    width = len(unit.inputs)
    sample = "\n".join(", ".join(f"{(i + j) % 3 / 2:g}" for j in range(width)) for i in range(4))
    text = st.text_area(
        f"Rows of {width} numbers (CSV)",
        sample,
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


def predict(unit: Neuron, trace: NeuronTrace) -> None:
    last = len(unit.inputs)
    up = unit.weights[-1] + 1 <= MAX_MAGNITUDE
    moved = unit.with_value(f"w{last}", unit.weights[-1] + (1 if up else -1))
    ui.check_yourself(
        f"{'Raise' if up else 'Lower'} w{subscript(last)} by 1. By how much does z change?",
        answer=float(neuron.trace_neuron(moved).pre_activation - trace.pre_activation),
        because=f"A weight reaches z through its input, x{subscript(last)}.",
        key="weight",
    )
    zero = neuron.trace_neuron(Neuron((0.0,) * last, unit.weights, unit.bias, unit.activation))
    ui.check_yourself(
        "Set every input to 0. What is y?",
        answer=float(zero.output),
        because="Only the bias is left: z = b.",
        key="zero",
    )


def source(unit: Neuron) -> None:
    snippet = f"""from lmcore.neuron.neuron import Neuron, trace_neuron

unit = {unit!r}
trace = trace_neuron(unit)
print("terms  ", trace.terms.tolist())
print("z      ", trace.pre_activation.item())
print("y      ", trace.output.item())
print("dy/dz  ", trace.derivative.item())
"""
    ui.show_code(neuron.neuron_forward, neuron.trace_neuron, snippet=snippet, name="neuron")


ui.open_page("neuron")
lab()
ui.neighbour_links("neuron")
