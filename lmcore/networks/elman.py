"""The smallest recurrent network: one unit that reads its own output of the step before.

    h_t = g(w_x x_t + w_h h_{t−1} + b)        h_0 = 0

Source: Stony Brook CSE538, "Neural Networks: Graphs of Operations", figure 9.2 after Elman 1990.
Variant: the slide writes h_(t) = g(x_(t) W); here the weight from the step before has its own name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.neuron.activations import activation

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_STEPS = 8


@dataclass(frozen=True, slots=True)
class Elman:
    """The three parameters of the unit, its activation, and the inputs it reads."""

    inputs: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    input_weight: float = 1.0
    hidden_weight: float = 0.8
    bias: float = 0.0
    activation: str = "tanh"

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_between("the number of inputs", len(self.inputs), 1, MOST_STEPS)
        numbers = (*self.inputs, self.input_weight, self.hidden_weight, self.bias)
        for value in numbers:
            if not (math.isfinite(value) and abs(value) <= 100):
                raise ValueError(f"a number of the network must be within ±100; got {value:g}")
        activation(self.activation)


@dataclass(frozen=True, slots=True)
class ElmanTrace:
    """Every step of the unrolled network; leading axes are those of the parameters."""

    inputs: Float64[Tensor, "*batch time"]
    before: Float64[Tensor, "*batch time"]
    """h_{t−1}"""
    pre_activation: Float64[Tensor, "*batch time"]
    hidden: Float64[Tensor, "*batch time"]
    """h_t"""

    def to_frame(self) -> DataFrame:
        """One row per step, from 0: x, h before, z, h."""
        columns = {
            "x": self.inputs,
            "h before": self.before,
            "z": self.pre_activation,
            "h": self.hidden,
        }
        return dataframes.entries("time", columns)


def unroll_elman(
    network: Elman,
    input_weight: Float64[Tensor, "*batch"] | None = None,
    hidden_weight: Float64[Tensor, "*batch"] | None = None,
) -> ElmanTrace:
    """Read the inputs one after another; either weight may be many at once, for a sweep."""
    g = activation(network.activation).function
    w_x = _tensor(network.input_weight) if input_weight is None else input_weight
    w_h = _tensor(network.hidden_weight) if hidden_weight is None else hidden_weight
    h = torch.zeros_like(w_x * w_h)
    before, sums, states = [], [], []
    for x in network.inputs:
        before.append(h)
        z = w_x * x + w_h * h + network.bias
        h = g(z)
        sums.append(z)
        states.append(h)
    inputs = _tensor(network.inputs).expand(*h.shape, len(network.inputs))
    stacked = (torch.stack(each, dim=-1) for each in (before, sums, states))
    return ElmanTrace(inputs, *stacked)


def _tensor(values: object) -> Float64[Tensor, "*shape"]:
    return torch.tensor(values, dtype=torch.float64)
