"""The sentences, the formula and the description of the unit's picture."""

from __future__ import annotations

from lessons.neuron.neuron_picture import shows_plane
from lmcore.neuron.activations import Activation, activation
from lmcore.neuron.neuron import CORNERS, Neuron

MOVED = (
    "You moved **{label}** from {moved<} to =={moved}==: [score|z] went from {z<} to "
    "**[score|{z}]**, [activation|y] from {y<} to **[activation|{y}]**."
)
ENDINGS = (
    "Drag a weight: the point climbs the curve.",
    "The curve is flat here: the unit is **saturated**.",
    "A step is flat everywhere: no gradient can reach the weights.",
)


def unit_formula_parts(unit: Neuron, *, fold_bias: bool) -> list[str]:
    """The three formulas with the numbers plugged in, as templates: z, y and dy/dz."""
    g = activation(unit.activation)
    count = range(1, len(unit.inputs) + 1)
    products = [f"[weight|{{w{i}:p}}]·[input|{{x{i}:p}}]" for i in count]
    bias = "[weight|{b:p}]·1" if fold_bias else "[weight|{b:p}]"
    return [
        f"[score|z] = {' + '.join([*products, bias])} = **[score|{{z}}]**",
        f"[activation|y] = {g.symbol}([score|{{z}}]) = **[activation|{{y}}]**",
        f"[gradient|dy/dz] = {_slope(g)}",
    ]


def _slope(g: Activation) -> str:
    if not g.slope_applied:
        return "**[gradient|{slope}]**, for every z"
    return f"{g.slope_applied} = **[gradient|{{slope}}]**"


def unit_sentences(unit: Neuron, gate: str) -> list[str]:
    """The findings from which the number @say of `neuron_state.slider_numbers` selects."""
    if shows_plane(unit, gate):
        return [_corners_missed(mask, gate) for mask in range(16)]
    return [
        f"Input {i} moves [score|z] most: its term is ==[input|{{t{i}}}]== of "
        f"[score|z] = **[score|{{z}}]**. {ending}"
        for i in range(1, len(unit.inputs) + 1)
        for ending in ENDINGS
    ]


def describe_unit(unit: Neuron, gate: str) -> str:
    """The alt text of the picture, as a template."""
    text = (
        f"A unit with {len(unit.inputs)} inputs: z = {{z}}, {unit.activation} gives y = {{y}}, "
        "slope {slope}."
    )
    return (
        f"{text} The plane of its inputs, with {gate}’s corners."
        if shows_plane(unit, gate)
        else text
    )


def _corners_missed(mask: int, gate: str) -> str:
    missed = [f"({x:g}, {y:g})" for i, (x, y) in enumerate(CORNERS) if mask >> i & 1]
    right = f"This unit decides =={4 - len(missed)} of 4== corners as {gate} wants"
    if not missed:
        return f"{right}: **one line** separates the ones from the zeros."
    rest = f"{right}; it misses {' and '.join(missed)}."
    return f"{rest} **No line** separates the ones of XOR." if gate == "XOR" else rest
