"""One unit of a neural network: a weighted sum, a bias, a nonlinearity.

Source: CMU 11-411, "The Fundamentals", equations 1 to 3, and "Replacing the bias unit".
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_kind
from lmcore.neuron.activations import activation, curve

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_INPUTS = 8
MAX_MAGNITUDE = 1000.0


@dataclass(frozen=True, slots=True)
class Neuron:
    """A unit with its inputs: all that is needed to compute it.

    Inputs and weights may be given as lists, arrays or tensors too: they become tuples.

    Raises:
        ValueError: if one is not a number, if there is not one weight per input, if there are none
            or more than `MOST_INPUTS`, if a number is not finite or beyond ±`MAX_MAGNITUDE`, or if
            the activation is unknown.
    """

    inputs: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    activation: str = "sigmoid"

    def __post_init__(self) -> None:
        for name in ("inputs", "weights"):
            object.__setattr__(self, name, tuple(_numbers(name, getattr(self, name), axes=1)))
        object.__setattr__(self, "bias", _numbers("bias", self.bias, axes=0))
        if not 1 <= len(self.inputs) <= MOST_INPUTS:
            raise ValueError(f"inputs must hold 1 to {MOST_INPUTS} numbers; got {len(self.inputs)}")
        if len(self.weights) != len(self.inputs):
            raise ValueError(
                "weights must hold one number per input; "
                f"got {len(self.weights)} weights for {len(self.inputs)} inputs"
            )
        for name, value in self.named_values():
            if not math.isfinite(value) or abs(value) > MAX_MAGNITUDE:
                raise ValueError(
                    f"{name} must be a number from −{MAX_MAGNITUDE:g} to {MAX_MAGNITUDE:g}; "
                    f"got {value:g}"
                )
        activation(self.activation)

    def named_values(self) -> list[tuple[str, float]]:
        """(name, value) of every number with a slider: x1, w1, x2, w2, …, b."""
        pairs = enumerate(zip(self.inputs, self.weights, strict=True), start=1)
        each = [((f"x{i}", x), (f"w{i}", w)) for i, (x, w) in pairs]
        return [*itertools.chain.from_iterable(each), ("b", self.bias)]

    def with_value(self, name: str, value: float) -> Neuron:
        """The unit with one of its numbers changed."""
        values = dict(self.named_values()) | {name: value}
        count = range(1, len(self.inputs) + 1)
        return Neuron(
            tuple(values[f"x{i}"] for i in count),
            tuple(values[f"w{i}"] for i in count),
            values["b"],
            self.activation,
        )


@dataclass(frozen=True, slots=True)
class NeuronTrace:
    """Every quantity of one unit, in the order it is computed; `batch` is any number of axes."""

    inputs: Float[Tensor, "*batch input"]
    weights: Float[Tensor, "*batch input"]
    bias: Float[Tensor, "*batch"]
    terms: Float[Tensor, "*batch input"]
    """wᵢxᵢ"""
    partial_sums: Float[Tensor, "*batch input_and_bias"]
    """The sum after each term, and last after the bias."""
    pre_activation: Float[Tensor, "*batch"]
    """z"""
    output: Float[Tensor, "*batch"]
    """y = g(z)"""
    derivative: Float[Tensor, "*batch"]
    """dy/dz = g′(z)"""

    def by_name(self) -> dict[str, Tensor]:
        """Every number under its name on screen; each keeps the batch axes.

        The names are x1, w1, b, t1 (a term), s1 (a partial sum), z, y and slope.
        """
        columns = {"x": self.inputs, "w": self.weights, "t": self.terms, "s": self.partial_sums}
        numbered = {
            f"{letter}{i + 1}": values[..., i]
            for letter, values in columns.items()
            for i in range(values.shape[-1])
        }
        whole = {"z": self.pre_activation, "y": self.output, "slope": self.derivative}
        return numbered | {"b": self.bias} | whole

    def to_frame(self) -> DataFrame:
        """One row per unit: axes of the batch, x1 …, w1 …, t1 …, s1 …, b, z, y, dy/dz."""
        columns = self.by_name()
        return dataframes.entries("*batch", columns | {"dy/dz": columns.pop("slope")})


def neuron_forward(
    inputs: Float[Tensor, "*batch input"],
    weights: Float[Tensor, "*batch input"],
    bias: Float[Tensor, "*batch"],
    g: str,
) -> NeuronTrace:
    """Multiply inputs and weights, add the terms and the bias, and apply the activation.

    terms = weights · inputs        z = Σ terms + bias        y = g(z)
    """
    bend = activation(g)
    terms = weights * inputs
    partial_sums = torch.cat([terms, bias.unsqueeze(-1)], dim=-1).cumsum(dim=-1)
    z = partial_sums[..., -1]
    return NeuronTrace(
        inputs, weights, bias, terms, partial_sums, z, bend.function(z), bend.derivative(z)
    )


def tangent(trace: NeuronTrace, half_width: float) -> dict[str, Tensor]:
    """The two ends of the tangent at (z, y), `half_width` to either side in z."""
    z, y, slope = trace.pre_activation, trace.output, trace.derivative
    return {
        "z_before": z - half_width,
        "y_before": y - slope * half_width,
        "z_after": z + half_width,
        "y_after": y + slope * half_width,
    }


def saturation(trace: NeuronTrace, g: str) -> Float[Tensor, "*batch"]:
    """|dy/dz| as a share of the steepest slope of `g`: 1 at its steepest, near 0 where flat."""
    steepest = curve(activation(g), reach=6.0).derivative.abs().max()
    return trace.derivative.abs() / steepest.clamp(min=1e-300)


def trace_neuron(unit: Neuron) -> NeuronTrace:
    """The trace of one unit, without a batch axis.

    Raises:
        ValueError: if `unit` is not a `Neuron`.
    """
    check_kind("a unit", unit, Neuron)
    inputs, weights, bias = _tensors(unit)
    return neuron_forward(inputs, weights, bias, unit.activation)


def trace_rows(unit: Neuron, rows: Float[Tensor, "batch input"]) -> NeuronTrace:
    """The same weights and bias on many inputs, one per row.

    Raises:
        ValueError: if a row does not have one number per weight, or one is beyond ±`MAX_MAGNITUDE`.
    """
    if rows.shape[-1] != len(unit.weights):
        raise ValueError(
            f"each row must have {len(unit.weights)} numbers, one per weight; got {rows.shape[-1]}"
        )
    if len(outside := (rows.abs() > MAX_MAGNITUDE).nonzero()):
        row, column = outside[0].tolist()
        raise ValueError(
            f"row {row + 1}, number {column + 1} must be from −{MAX_MAGNITUDE:g} to "
            f"{MAX_MAGNITUDE:g}; got {float(rows[row, column]):g}"
        )
    _, weights, bias = _tensors(unit)
    return neuron_forward(
        rows, weights.expand_as(rows), bias.expand(rows.shape[:-1]), unit.activation
    )


def sweep(unit: Neuron, positions: Float[Tensor, "control position"]) -> NeuronTrace:
    """What the unit computes at every position of every slider, in one batched call.

    The sliders are those of `named_values`, in that order; while one moves, the others stay.
    """
    inputs, weights, bias = _tensors(unit)
    controls, count = positions.shape
    x = inputs.repeat(controls, count, 1)
    w = weights.repeat(controls, count, 1)
    b = bias.repeat(controls, count)
    for control in range(controls - 1):
        (w if control % 2 else x)[control, :, control // 2] = positions[control]
    b[-1] = positions[-1]
    return neuron_forward(x, w, b, unit.activation)


class Surface(NamedTuple):
    """A two-input unit over a square of inputs: rows are x₂, columns are x₁."""

    axis: Float[Tensor, " side"]
    pre_activation: Float[Tensor, "side side"]
    output: Float[Tensor, "side side"]

    def to_frame(self) -> DataFrame:
        """One row per point: x1, x2, z, y."""
        x2, x1 = torch.meshgrid(self.axis, self.axis, indexing="ij")
        columns = {"x1": x1, "x2": x2, "z": self.pre_activation, "y": self.output}
        return dataframes.frame({name: values.flatten() for name, values in columns.items()})


def surface(unit: Neuron, *, low: float, high: float, side: int = 61) -> Surface:
    """Evaluate a two-input unit on a grid from `low` to `high` in both inputs.

    Raises:
        ValueError: if the unit does not have exactly two inputs.
    """
    if len(unit.inputs) != 2:
        raise ValueError(f"a decision surface must have exactly 2 inputs; got {len(unit.inputs)}")
    axis = torch.linspace(low, high, side, dtype=torch.float64)
    x2, x1 = torch.meshgrid(axis, axis, indexing="ij")
    trace = trace_rows(unit, torch.stack([x1, x2], dim=-1).reshape(-1, 2))
    return Surface(axis, trace.pre_activation.view(side, side), trace.output.view(side, side))


CORNERS = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
GATES = {"AND": (0, 0, 0, 1), "OR": (0, 1, 1, 1), "NAND": (1, 1, 1, 0), "XOR": (0, 1, 1, 0)}
"""Wanted output at each of CORNERS."""


def gate_score(unit: Neuron, gate: str) -> int:
    """How many of the four corners the unit classifies as `gate` does.

    A corner is classified as 1 where z > 0, which for a sigmoid is y > ½.
    """
    z = trace_rows(unit, torch.tensor(CORNERS, dtype=torch.float64)).pre_activation
    wanted = torch.tensor(GATES[gate], dtype=torch.bool)
    return int(((z > 0) == wanted).sum())


def corner_trace(
    weights: Float[Tensor, "*batch input=2"], bias: Float[Tensor, "*batch"], g: str
) -> NeuronTrace:
    """What units of two inputs compute at each of CORNERS, on one more batch axis, the last."""
    corners = torch.tensor(CORNERS, dtype=weights.dtype)
    shape = (*bias.shape, len(CORNERS))
    return neuron_forward(
        corners.expand(*shape, 2),
        weights.unsqueeze(-2).expand(*shape, 2),
        bias.unsqueeze(-1).expand(shape),
        g,
    )


def missed_corners(corners: NeuronTrace, gate: str) -> Float[Tensor, "*batch"]:
    """Which of CORNERS a unit classifies otherwise than `gate` does: the sum of 2ⁱ over them.

    A corner is classified as 1 where z > 0.
    """
    wanted = torch.tensor(GATES[gate], dtype=torch.bool)
    wrong = (corners.pre_activation > 0) != wanted
    return (wrong * torch.tensor([1.0, 2.0, 4.0, 8.0], dtype=torch.float64)).sum(dim=-1)


class GateSearch(NamedTuple):
    """A search over a grid: how many units were tried, and the best score, out of 4."""

    tried: int
    best: int


def search_gate(gate: str, *, reach: float = 2.0, steps: int = 41) -> GateSearch:
    """Try every unit whose w₁, w₂ and b lie on a grid; report the best score out of four.

    That XOR never exceeds 3 is a theorem (Minsky & Papert 1969: no line separates it); the search
    only confirms it on the grid.
    """
    axis = torch.linspace(-reach, reach, steps, dtype=torch.float64)
    settings = torch.cartesian_prod(axis, axis, axis)
    corners = torch.tensor(CORNERS, dtype=torch.float64)
    z = settings[:, :2] @ corners.T + settings[:, 2:]
    right = ((z > 0) == torch.tensor(GATES[gate], dtype=torch.bool)).sum(dim=-1)
    return GateSearch(len(settings), int(right.max()))


def _numbers(name: str, given: object, *, axes: int) -> Any:
    try:
        found = torch.as_tensor(given, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError):
        found = None
    if found is None or found.ndim != axes:
        wanted = "a number" if axes == 0 else "numbers in a row"
        raise ValueError(f"{name} must be {wanted}; got {given!r:.60}")
    return found.tolist()


def _tensors(unit: Neuron) -> tuple[Tensor, Tensor, Tensor]:
    inputs, weights, bias = (
        torch.tensor(value, dtype=torch.float64) for value in (unit.inputs, unit.weights, unit.bias)
    )
    return inputs, weights, bias
