"""The data of the picture of a network."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypedDict

from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Place, Real
from drawing.payload import NumberArray, Script
from lmcore.networks.network import NetworkConfig
from lmcore.networks.points import LabelledPoints, PointSet
from lmcore.networks.training import Trajectory
from lmcore.neuron.activations import activation
from lmcore.numbers import subscript


class NetworksPayload(TypedDict):
    """A network's layers, its points, and its parameters after every step of training."""

    sizes: Sequence[int]
    """Inputs, then the units of each layer."""
    functions: list[str]
    """g of each layer."""
    bounds: list[tuple[float, float] | None]
    """The range of each layer's outputs, or None if it is unbounded."""
    symbols: list[str]
    rows: NumberArray
    """The parameters at each step, one row after another."""
    gradients: bytes
    """∂L/∂θ at each step, in the same order, as float32."""
    loss: NumberArray
    validation: NumberArray
    """The held-out loss at each step; nan if no points are held out."""
    at: int
    """The step that the server shows."""
    hand: Mapping[str, float]
    """Parameters set by hand at that step: place → value."""
    weight: int
    """The place of the chosen weight."""
    weightLabel: str
    x: NumberArray
    """x₁ and x₂ of each point, one point after another."""
    labels: NumberArray
    held: NumberArray
    """1 where a point is held out."""
    low: float
    high: float
    """The ends of both axes of the plane."""
    data: str
    flow: str
    """What the edges show: weights or gradients."""
    brush: str
    """What a press on the plane does: input, class 0, class 1 or erase."""
    passes: bool
    """Whether the forward pass is below the network, line by line, in place of the steps."""
    scale: list[str]
    """The colours of probabilities from 0 to 1."""
    signed: list[str]
    """The colours of signed values, from −1 to 1."""


class NetworkMoves(EventDict, total=False):
    """A step, an input, a weight with its value, or points."""

    step: Real
    x: tuple[Real, Real]
    weight: Place
    value: Real | None
    points: list[tuple[Real, Real, Real]]


MOVED_BY_HAND = ("step", "x#", "w")
JUDGED = ("loss", "wrong", "val")
NETWORKS = Script(
    "networks",
    NetworksPayload,
    (*MOVED_BY_HAND, *JUDGED, "z#", "p#", "map", "@say"),
    NetworkMoves,
)
"""`map` is not a number: a question hides the colours of the plane under this name."""


def network_picture(
    config: NetworkConfig,
    which: PointSet,
    points: LabelledPoints,
    run: Trajectory,
    *,
    at: int,
    hand: Mapping[int, float],
    weight: int,
    flow: str,
    brush: str,
    passes: bool,
) -> NetworksPayload:
    """The payload of `lessons/networks/networks.js` without the live numbers."""
    return {
        "sizes": config.sizes,
        "functions": function_names(config),
        "bounds": [output_bounds(name) for name in function_names(config)],
        "symbols": [_symbol(name) for name in function_names(config)],
        "rows": run.parameters.numpy(),
        "gradients": run.gradients.float().numpy().tobytes(),
        "loss": run.loss.numpy(),
        "validation": run.validation.numpy(),
        "at": at,
        "hand": {str(place): value for place, value in hand.items()},
        "weight": weight,
        "weightLabel": weight_label(config, weight),
        "x": points.x.numpy(),
        "labels": points.labels.numpy(),
        "held": points.held_out.numpy(),
        "low": which.window.low,
        "high": which.window.high,
        "data": which.kind,
        "flow": flow,
        "brush": brush,
        "passes": passes,
        "scale": theme.sequential_scale()[0],
        "signed": theme.diverging_scale()[0],
    }


def function_names(config: NetworkConfig) -> list[str]:
    """g of each layer, by name."""
    return [*config.activations, "sigmoid" if config.outputs == 1 else "softmax"]


def output_bounds(name: str) -> tuple[float, float] | None:
    """The minimum and maximum of a layer's function, or None if one is infinite."""
    low, high = (0.0, 1.0) if name == "softmax" else activation(name).range
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _symbol(name: str) -> str:
    return "softmax" if name == "softmax" else activation(name).symbol


def raised_layer(layer: int) -> str:
    """The superscript of a layer, from 1, as in W⁽¹⁾."""
    return "⁽" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[layer] + "⁾"


def weight_label(config: NetworkConfig, place: int) -> str:
    """The name of the parameter at an index: W⁽¹⁾₂₁ from input 1 to unit 2, or b⁽¹⁾₂."""
    for layer, where in enumerate(config.places, start=1):
        if place < where.bias:
            unit, before = divmod(place - where.start, where.inputs)
            return f"W{raised_layer(layer)}{subscript(unit + 1)}{subscript(before + 1)}"
        if place < where.end:
            return f"b{raised_layer(layer)}{subscript(place - where.bias + 1)}"
    raise ValueError(f"a weight must be from 0 to {config.parameters - 1}; got {place}")


STOPPED, OVERFLOWS = 2.0, 3.0
"""@say at the last step of a run that stopped, and where a loss is not finite."""


def other_starts(left: int, overflowed: int) -> str:
    """What happened to the starts that do not solve the task; `overflowed` is part of `left`."""
    if not left:
        return "No start has a point on the wrong side."
    if not overflowed:
        return "The others still have a point on the wrong side."
    rest = "; the rest still have a point on the wrong side" if overflowed < left else ""
    return f"Of the others, {overflowed} overflow, because η is too large for them{rest}."
