"""One LSTM cell with one unit: its gates, its memory, and the derivatives along it.

    f = σ(z_f)    i = σ(z_i)    c̃ = tanh(z_c)    o = σ(z_o)
    c_t = f · c_{t−1} + i · c̃
    h_t = o · tanh(c_t)

Each z is a weighted sum of [h_{t−1}; x_t] plus a bias; here it is given.

Source: lecture "LSTMs"; the same step, with its weights, is `lmcore.models.lstm.lstm_step`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields, replace
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_MAGNITUDE = 20.0
"""σ(20) differs from 1 by 2e-9: beyond, nothing changes visibly."""
FAR_STEPS = 50
"""Steps over which a derivative is followed, as in the lecture's .9⁵⁰."""


@dataclass(frozen=True, slots=True)
class GateUnit:
    """The memory before the step, and the pre-activations of the gates and the candidate."""

    c_before: float
    z_f: float
    z_i: float
    z_c: float
    z_o: float

    def __post_init__(self) -> None:
        """Raises ValueError naming the number that is out of bounds."""
        for name, value in self.by_name().items():
            if not (math.isfinite(value) and abs(value) <= MAX_MAGNITUDE):
                raise ValueError(
                    f"{name} must be from −{MAX_MAGNITUDE:g} to {MAX_MAGNITUDE:g}; got {value:g}"
                )

    def by_name(self) -> dict[str, float]:
        """The five numbers, each under its field's name."""
        return dict(zip(NAMES, astuple(self), strict=True))

    def with_value(self, name: str, value: float) -> GateUnit:
        """The cell with one of its numbers changed.

        Raises:
            ValueError: if there is no such number, or it is out of bounds.
        """
        if name not in NAMES:
            raise ValueError(f"a number of the cell must be one of {', '.join(NAMES)}; got {name}")
        return replace(self, **{name: value})


NAMES = tuple(field.name for field in fields(GateUnit))
"""The five numbers, in the order of the equations."""


LETTERS = {
    "c_before": "cₜ₋₁",
    "z_f": "z_f",
    "z_i": "z_i",
    "z_c": "z_c",
    "z_o": "z_o",
    "forget": "f",
    "input": "i",
    "candidate": "c̃",
    "kept": "f·cₜ₋₁",
    "written": "i·c̃",
    "cell": "cₜ",
    "output": "o",
    "squashed": "tanh cₜ",
    "hidden": "hₜ",
    "cell_by_before": "∂cₜ/∂cₜ₋₁",
    "cell_by_candidate": "∂cₜ/∂c̃",
    "hidden_by_cell": "∂hₜ/∂cₜ",
    "far": "fⁿ",
}
"""Quantity → its letter, in the order they are computed."""


def unit(numbers: Sequence[float]) -> GateUnit:
    """The cell of five numbers, in the order of `NAMES`.

    Raises:
        ValueError: if there are not five, or as `GateUnit`.
    """
    if len(numbers) != len(NAMES):
        raise ValueError(
            f"the gates must be {len(NAMES)} numbers, {', '.join(NAMES)}; got {len(numbers)}"
        )
    return GateUnit(*numbers)


@dataclass(frozen=True, slots=True)
class GateTrace:
    """Every quantity of the step, in the order it is computed; `batch` is any number of axes."""

    c_before: Float[Tensor, "*batch"]
    z_f: Float[Tensor, "*batch"]
    z_i: Float[Tensor, "*batch"]
    z_c: Float[Tensor, "*batch"]
    z_o: Float[Tensor, "*batch"]
    forget: Float[Tensor, "*batch"]
    """f"""
    input: Float[Tensor, "*batch"]
    """i"""
    candidate: Float[Tensor, "*batch"]
    """c̃"""
    kept: Float[Tensor, "*batch"]
    """f · c_{t−1}"""
    written: Float[Tensor, "*batch"]
    """i · c̃"""
    cell: Float[Tensor, "*batch"]
    """c_t"""
    output: Float[Tensor, "*batch"]
    """o"""
    squashed: Float[Tensor, "*batch"]
    """tanh(c_t)"""
    hidden: Float[Tensor, "*batch"]
    """h_t"""
    cell_by_before: Float[Tensor, "*batch"]
    """∂c_t/∂c_{t−1} = f"""
    cell_by_candidate: Float[Tensor, "*batch"]
    """∂c_t/∂c̃ = i"""
    hidden_by_cell: Float[Tensor, "*batch"]
    """∂h_t/∂c_t = o · (1 − tanh² c_t)"""
    far: Float[Tensor, "*batch"]
    """f to the power `FAR_STEPS`: the derivative along the memory over that many such steps."""

    def by_name(self) -> dict[str, Tensor]:
        """Every number under its field's name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_frame(self) -> DataFrame:
        """One row per cell: batch axes if any, then each quantity under its letter in `LETTERS`."""
        columns = {title: getattr(self, name) for name, title in LETTERS.items()}
        return dataframes.entries("*batch", columns)


def gate_step(numbers: Float[Tensor, "*batch number"]) -> GateTrace:
    """The equations above, on the five numbers of `NAMES` along the last axis."""
    c_before, z_f, z_i, z_c, z_o = numbers.unbind(dim=-1)
    f, i, c_new = torch.sigmoid(z_f), torch.sigmoid(z_i), torch.tanh(z_c)
    kept, added = f * c_before, i * c_new
    c = kept + added
    o, squashed = torch.sigmoid(z_o), torch.tanh(c)
    h = o * squashed
    slopes = (f, i, o * (1 - squashed.square()), f**FAR_STEPS)
    given = (c_before, z_f, z_i, z_c, z_o)
    return GateTrace(*given, f, i, c_new, kept, added, c, o, squashed, h, *slopes)


def trace_gates(unit: GateUnit) -> GateTrace:
    """The trace of one cell, without a batch axis."""
    return gate_step(torch.tensor(astuple(unit), dtype=torch.float64))


def sweep(unit: GateUnit, positions: Float[Tensor, "control position"]) -> GateTrace:
    """What the cell computes at every position of every slider, in one batched call.

    Controls are the numbers of `NAMES`, in that order; while one moves, the others stay.

    Raises:
        ValueError: if there is not one row of positions per number.
    """
    if len(positions) != len(NAMES):
        raise ValueError(f"there must be {len(NAMES)} rows of positions; got {len(positions)}")
    numbers = torch.tensor(astuple(unit), dtype=torch.float64).repeat(*positions.shape, 1)
    for control, row in enumerate(positions):
        numbers[control, :, control] = row
    return gate_step(numbers)
