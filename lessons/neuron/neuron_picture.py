"""Labels and steps for the picture of one unit.

Numbers are placeholders such as {z} or {w1:p} (in parentheses if negative). The server and the
browser fill them in from the trace.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, NotRequired, TypedDict

import torch

from drawing import theme
from drawing.payload import NumberName, Script
from drawing.steps import StepRow
from lmcore.neuron.activations import Activation, activation, curve, saturated_ranges
from lmcore.neuron.neuron import CORNERS, GATES, Neuron, NeuronTrace
from lmcore.notation import DERIVATIVE, OUTPUT, PRE_ACTIVATION
from lmcore.numbers import latex, subscript

REACHES = (6.0, 12.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1e3, 1e4, 1e5, 1e6, 1e7)


def axis_half_width(largest: float) -> float:
    """Half the width of a z axis that includes ±`largest`.

    It grows in large steps, so that the axis does not jump while a slider moves.
    """
    return next(reach for reach in REACHES if reach > 1.1 * largest)


class Axis(NamedTuple):
    """The y axis that shows an activation over ±reach: its ends, and where to print numbers."""

    low: float
    high: float
    levels: tuple[float, ...]


BOUNDED = {
    (0.0, 1.0): Axis(-0.08, 1.12, (0, 0.5, 1)),
    (-1.0, 1.0): Axis(-1.15, 1.15, (-1, 0, 1)),
}
"""The y axis for each bounded range of outputs."""


def output_axis(g: Activation, reach: float) -> Axis:
    """The y axis for the outputs of `g` at z within ±`reach`."""
    if g.range in BOUNDED:
        return BOUNDED[g.range]
    low = -reach if g.range[0] == -math.inf else -0.12 * reach
    high = max(reach, float(g.function(torch.tensor(reach, dtype=torch.float64))))
    return Axis(low, high, (0, reach / 2, reach))


class TermPayload(TypedDict):
    """An input with its weight, or the bias: its labels, and the names of its numbers."""

    label: str
    weightLabel: str
    input: str
    """The label of the input."""
    input_slot: NotRequired[NumberName]
    """The input's number; a bias has none."""
    weight: NumberName
    product: NumberName
    sum: NumberName
    """The sum of the terms up to and including this one."""
    bias: bool


class NeuronPayload(TypedDict):
    """Terms, axes and the curve of a unit."""

    terms: list[TermPayload]
    symbol: str
    yTitle: str
    reach: float
    """Half the width of the z axis."""
    ticks: list[float]
    low: float
    high: float
    levels: Sequence[float]
    """The values that the y axis prints."""
    flat: Sequence[tuple[float, float]]
    curve: list[tuple[float, float]]
    """z and y of each point."""
    bends: str
    """What the activation does, as a heading."""
    gate: str
    """The logic gate whose plane is drawn in place of the curve, or nothing."""
    corners: list[tuple[float, float, int]]
    """x₁, x₂ and the output of the gate for them."""
    scale: list[str]
    """The colours of outputs from `shadeLow` to `shadeHigh`."""
    shadeLow: float
    shadeHigh: float


TRACED = ("x#", "w#", "t#", "s#", "b", "z", "y", "slope")
"""The numbers of the unit; see `NeuronTrace.by_name`."""
TANGENT = ("z_before", "y_before", "z_after", "y_after")
CORNER = ("c#z", "c#")
"""With a gate, the pre-activation and the output at each corner."""
NEURON = Script("neuron", NeuronPayload, (*TRACED, *TANGENT, *CORNER, "@largest", "@say"))


def unit_picture(unit: Neuron, half_axis: float, *, gate: str, fold_bias: bool) -> NeuronPayload:
    """The payload of `lessons/neuron/unit.js` without the live numbers: labels, axes, the curve.

    With a `gate` other than "none" the plane of two inputs replaces the curve;
    `fold_bias` writes the bias as one more term, w₀x₀ with x₀ = 1.
    """
    g = activation(unit.activation)
    along = curve(g, reach=half_axis)
    axis = output_axis(g, half_axis)
    share = g.range == (0, 1)
    colours = theme.sequential_scale()[0] if share else theme.diverging_scale()[0]
    return {
        "terms": [*_input_terms(len(unit.inputs)), _bias_term(len(unit.inputs), fold=fold_bias)],
        "symbol": g.symbol,
        "yTitle": f"{OUTPUT.title} = {g.symbol}(z)",
        "reach": half_axis,
        "ticks": [half_axis * i / 3 for i in range(-3, 4)],
        "low": axis.low,
        "high": axis.high,
        "levels": axis.levels,
        "flat": saturated_ranges(along),
        "curve": list(zip(along.z.tolist(), along.output.tolist(), strict=True)),
        "bends": g.says,
        "gate": gate if shows_plane(unit, gate) else "",
        "corners": [
            (*at, wanted) for at, wanted in zip(CORNERS, GATES.get(gate, ()), strict=False)
        ],
        "scale": colours,
        "shadeLow": 0.0 if share else -axis.high,
        "shadeHigh": 1.0 if share else axis.high,
    }


def shows_plane(unit: Neuron, gate: str) -> bool:
    """Whether the plane of two inputs is drawn: a gate is chosen, and there are two inputs."""
    return gate != "none" and len(unit.inputs) == 2


def _input_terms(count: int) -> list[TermPayload]:
    return [
        {
            "label": f"w{sub}x{sub}",
            "weightLabel": f"w{sub}",
            "input": f"x{sub}",
            "input_slot": f"x{i}",
            "weight": f"w{i}",
            "product": f"t{i}",
            "sum": f"s{i}",
            "bias": False,
        }
        for i, sub in ((i, subscript(i)) for i in range(1, count + 1))
    ]


def _bias_term(count: int, *, fold: bool) -> TermPayload:
    return {
        "label": "w₀x₀" if fold else "bias b",
        "weightLabel": "w₀" if fold else "b",
        "input": "x₀" if fold else "",
        "weight": "b",
        "product": "b",
        "sum": f"s{count + 1}",
        "bias": True,
    }


def unit_steps(unit: Neuron) -> tuple[StepRow, ...]:
    """The computation, one row an operation."""
    g = activation(unit.activation)
    count = range(1, len(unit.inputs) + 1)
    every = tuple((f"w{subscript(i)}x{subscript(i)}", f"{{t{i}}}") for i in count)
    total = " + ".join([*(f"{{t{i}:p}}" for i in count), "{b:p}"])
    z = (("z", "{z}"),)
    return (
        *(_term_step(i) for i in count),
        StepRow(
            PRE_ACTIVATION.word,
            total,
            "{z}",
            PRE_ACTIVATION.letter,
            "score",
            operands=(*every, ("b", "{b}")),
        ),
        StepRow(OUTPUT.word, g.applied, "{y}", f"{g.symbol}(z)", "activation", operands=z),
        StepRow(
            DERIVATIVE.word,
            g.slope_applied or "for every z",
            "{slope}",
            DERIVATIVE.letter,
            "gradient",
            operands=z,
        ),
    )


def _term_step(i: int) -> StepRow:
    sub = subscript(i)
    operands = ((f"w{sub}", f"{{w{i}}}"), (f"x{sub}", f"{{x{i}}}"))
    formula, value = f"{{w{i}:p}} × {{x{i}:p}}", f"{{t{i}}}"
    return StepRow(f"term {i}", formula, value, f"w{sub}x{sub}", "input", operands=operands)


def unit_formula(unit: Neuron, trace: NeuronTrace) -> str:
    """z in LaTeX, each number above its symbol."""
    parts = [
        rf"\underbrace{{{latex(w)}}}_{{w_{i}}}\cdot\underbrace{{{latex(x)}}}_{{x_{i}}}"
        for i, (w, x) in enumerate(zip(unit.weights, unit.inputs, strict=True), start=1)
    ]
    bias = rf"\underbrace{{{latex(unit.bias)}}}_{{b}}"
    z = latex(float(trace.pre_activation)).strip("()")
    return rf"z = {' + '.join([*parts, bias])} = {z}"
