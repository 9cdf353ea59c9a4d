"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from collections.abc import Sequence

import torch

import ui
from lessons.neuron.formula_text import symbol
from lessons.neuron.neuron_picture import TermPayload
from lessons.neuron.slopes_text import slope_of
from lmcore.neuron import neuron
from lmcore.neuron.activations import Activation
from lmcore.neuron.neuron import MAX_MAGNITUDE, Neuron, NeuronTrace
from lmcore.numbers import format_number, subscript


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


def formula_questions(
    unit: Neuron, trace: NeuronTrace, terms: Sequence[TermPayload]
) -> list[ui.Question]:
    """The questions of the formula: which term is the longest, and what z is without the bias."""
    products = [*trace.terms.tolist(), unit.bias]
    sizes = [abs(product) for product in products]
    hides = (*(f"t{i}" for i in range(1, len(products))), "z", "y")
    without = ui.Question(
        "unbiased",
        "What would z be without the bias?",
        float(trace.terms.sum()),
        f"z = {format_number(float(trace.pre_activation))}, less b = {format_number(unit.bias)}.",
        hint="Only the terms with an input are left.",
        hides=(*hides, f"s{len(unit.inputs)}"),
    )
    if sizes.count(max(sizes)) > 1:
        return [without]
    names = [symbol(term) for term in terms]
    longest = sizes.index(max(sizes))
    said = ", ".join(
        f"{name} = {format_number(product)}" for name, product in zip(names, products, strict=True)
    )
    asked = ui.Question(
        "longest",
        "Which term is the longest?",
        names[longest],
        f"The terms: {said}.",
        hint="Multiply each weight with the input beside it; the sign does not matter.",
        options=tuple(names),
        hides=(*hides, f"s{len(unit.inputs)}"),
    )
    return [asked, without]


def slope_questions(chosen: Sequence[Activation], z: float) -> list[ui.Question]:
    """The questions of the slopes: which activation passes most at z, and which at −z."""
    hides = (*(slope_of(g.name) for g in chosen), "chain")
    here, there = (_steepest_at(chosen, at) for at in (z, -z))
    if len(here) != 1:
        return [_slope_question(chosen[0], z, hides)]
    asked = f"At z = {format_number(z)}, which passes most of the gradient back?"
    if len(chosen) == 1:
        return [_slope_question(chosen[0], z, hides)]
    names = tuple(g.name for g in chosen)
    first = ui.Question(
        "steepest",
        asked,
        here[0],
        f"Its slope there is {_slopes_at(chosen, z)[here[0]]}: the steepest of the curves.",
        hint="The gradient is multiplied by the slope: which curve is steepest at that z?",
        options=names,
        hides=hides,
    )
    if len(there) != 1 or z == 0:
        return [first]
    lines = ", ".join(f"{name} {slope}" for name, slope in _slopes_at(chosen, -z).items())
    return [
        first,
        ui.Question(
            "mirrored",
            f"And at z = {format_number(-z)}?",
            there[0],
            f"The slopes there: {lines}.",
            hint="Drag z there and look at the tangents.",
            options=names,
        ),
    ]


def _slope_question(g: Activation, z: float, hides: tuple[str, ...]) -> ui.Question:
    slope = float(g.derivative(torch.tensor(z, dtype=torch.float64)))
    return ui.Question(
        "slope",
        f"What is the slope of {g.name} at z = {format_number(z)}?",
        slope,
        "The angle of the tangent shows it: both axes have the same scale.",
        hint="How far does the curve rise there, for one unit of z?",
        hides=hides,
    )


def _slopes_at(chosen: Sequence[Activation], z: float) -> dict[str, str]:
    at = torch.tensor(z, dtype=torch.float64)
    return {g.name: format_number(float(g.derivative(at))) for g in chosen}


def _steepest_at(chosen: Sequence[Activation], z: float) -> list[str]:
    """The activations with the largest slope at z; more than one if they are equal."""
    at = torch.tensor(z, dtype=torch.float64)
    slopes = {g.name: float(g.derivative(at)) for g in chosen}
    return [name for name, slope in slopes.items() if slope == max(slopes.values())]
