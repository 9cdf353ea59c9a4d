"""Activation functions g(z), each with its derivative written by hand.

Source: CMU 11-411, "Non-Linear Activation Functions" (sigmoid, tanh, ReLU) and "GELU: A Note".
Variants: GELU is the exact one, z·Φ(z), not the tanh approximation; ReLU and step have the
derivative 0 at z = 0, as PyTorch has it; step is 1 only for z > 0, the perceptron's rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import one_of

if TYPE_CHECKING:
    from pandas import DataFrame

SATURATION_SHARE = 0.05
"""A unit counts as saturated where its slope is below this share of the steepest slope."""


@dataclass(frozen=True, slots=True)
class Activation:
    """One nonlinearity: what it computes, and how to write it down.

    `applied` and `slope_applied` are the same two formulas with {z} and {y} to fill in; the latter
    is empty where the slope does not depend on z. `range` has the bounds of y, and `says` what g
    does to z, as a clause.
    """

    name: str
    symbol: str
    function: Callable[[Tensor], Tensor]
    derivative: Callable[[Tensor], Tensor]
    equation: str
    slope: str
    applied: str
    slope_applied: str
    range: tuple[float, float]
    says: str


def _sigmoid_slope(z: Tensor) -> Tensor:
    y = torch.sigmoid(z)
    return y * (1 - y)


def _gelu(z: Tensor) -> Tensor:
    return z * _normal_share(z)


def _gelu_slope(z: Tensor) -> Tensor:
    density = torch.exp(-z.square() / 2) / math.sqrt(2 * math.pi)
    return _normal_share(z) + z * density


def _normal_share(z: Tensor) -> Tensor:
    """Φ(z): the share of a standard normal distribution that lies below z."""
    return (1 + torch.erf(z / math.sqrt(2))) / 2


def _above_zero(z: Tensor) -> Tensor:
    return (z > 0).to(z.dtype)


SIGMOID = Activation(
    "sigmoid",
    "σ",
    torch.sigmoid,
    _sigmoid_slope,
    r"\sigma(z) = \frac{1}{1 + e^{-z}}",
    r"y\,(1 - y)",
    "1 / (1 + exp(−{z:p}))",
    "{y}·(1 − {y})",
    (0.0, 1.0),
    "σ bends z into 0 … 1",
)
TANH = Activation(
    "tanh",
    "tanh",
    torch.tanh,
    lambda z: 1 - torch.tanh(z).square(),
    r"\tanh(z) = \frac{e^{2z} - 1}{e^{2z} + 1}",
    r"1 - y^2",
    "(exp(2·{z:p}) − 1) / (exp(2·{z:p}) + 1)",
    "1 − {y:p}²",
    (-1.0, 1.0),
    "tanh bends z into −1 … 1",
)
RELU = Activation(
    "ReLU",
    "ReLU",
    torch.relu,
    _above_zero,
    r"\mathrm{ReLU}(z) = \max(0, z)",
    r"1 \text{ if } z > 0 \text{ else } 0",
    "max(0, {z})",
    "1 if {z} > 0 else 0",
    (0.0, math.inf),
    "ReLU cuts off what is below 0",
)
GELU = Activation(
    "GELU",
    "GELU",
    _gelu,
    _gelu_slope,
    r"\mathrm{GELU}(z) = z\,\Phi(z) = \frac{z}{2}\left[1 + \mathrm{erf}(z/\sqrt2)\right]",
    r"\Phi(z) + z\,\varphi(z)",
    "{z:p}·Φ({z})",
    "Φ({z}) + {z:p}·φ({z})",
    (-0.17, math.inf),
    "GELU lets large z through",
)
IDENTITY = Activation(
    "identity",
    "id",
    lambda z: z.clone(),
    torch.ones_like,
    r"\mathrm{id}(z) = z",
    r"1",
    "{z}",
    "",
    (-math.inf, math.inf),
    "the identity changes nothing",
)
STEP = Activation(
    "step",
    "step",
    _above_zero,
    torch.zeros_like,
    r"\mathrm{step}(z) = 1 \text{ if } z > 0 \text{ else } 0",
    r"0",
    "1 if {z} > 0 else 0",
    "",
    (0.0, 1.0),
    "a step: 0 or 1",
)

ACTIVATIONS = {g.name: g for g in (SIGMOID, TANH, RELU, GELU, IDENTITY, STEP)}


def activation(name: str) -> Activation:
    """Look an activation up by its name.

    Raises:
        ValueError: if there is none of that name.
    """
    return ACTIVATIONS[one_of("activation", name, ACTIVATIONS)]


@dataclass(frozen=True, slots=True)
class Curve:
    """One activation along a line of z values."""

    z: Float[Tensor, " point"]
    output: Float[Tensor, " point"]
    derivative: Float[Tensor, " point"]

    def to_frame(self) -> DataFrame:
        """One row per point: z, y, dy/dz."""
        return dataframes.frame({"z": self.z, "y": self.output, "dy/dz": self.derivative})


def curve(g: Activation, *, reach: float, points: int = 241) -> Curve:
    """Sample `g` and its derivative at `points` places from −reach to reach."""
    z = torch.linspace(-reach, reach, points, dtype=torch.float64)
    return Curve(z, g.function(z), g.derivative(z))


def saturated_ranges(along: Curve) -> tuple[tuple[float, float], ...]:
    """The intervals (from, to) of z where the slope is below `SATURATION_SHARE` of the steepest.

    A function without any slope (step) is flat everywhere.
    """
    slope = along.derivative.abs()
    flat = (slope <= SATURATION_SHARE * slope.max()).tolist()
    z = along.z.tolist()
    starts = [i for i in range(len(z)) if flat[i] and (i == 0 or not flat[i - 1])]
    ends = [i for i in range(len(z)) if flat[i] and (i == len(z) - 1 or not flat[i + 1])]
    return tuple((z[i], z[j]) for i, j in zip(starts, ends, strict=True))
