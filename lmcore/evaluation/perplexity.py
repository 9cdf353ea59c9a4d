"""Loss and perplexity: two forms of the same measure.

    J = −log p        perplexity = exp(J) = 1 / p

J is the mean loss of a text in nats per token; p is then the geometric mean of its probabilities,
and the perplexity the number of equally likely words that would be as hard to predict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

LARGEST = 20.0
"""The largest loss, in nats: a perplexity of nearly 500 million."""
POSITIONS = 81
DIGITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class PerplexityTrace:
    """One loss, or many."""

    loss: Float64[Tensor, "*shape"]
    """J, in nats"""
    perplexity: Float64[Tensor, "*shape"]
    probability: Float64[Tensor, "*shape"]

    def by_name(self) -> dict[str, Tensor]:
        """Each quantity by the name it has in templates."""
        return {name: getattr(self, name) for name in self.__slots__}

    def to_frame(self) -> DataFrame:
        """One row per loss: J, perplexity, probability."""
        columns = {"J": self.loss, "perplexity": self.perplexity, "probability": self.probability}
        return dataframes.entries("*batch", columns)


def perplexity_trace(loss: Float64[Tensor, "*shape"]) -> PerplexityTrace:
    """The perplexity and the probability of a loss."""
    return PerplexityTrace(loss, loss.exp(), (-loss).exp())


def round_for_slider(value: float) -> float:
    """`value` rounded to the digits that a slider shows."""
    return float(f"{value:.{DIGITS}g}")


def slider_positions(loss: float, highest: float) -> Float64[Tensor, "slider position"]:
    """Evenly spaced losses from 0 to `highest`, the nearest replaced by `loss`, and perplexities.

    As on the sliders, both are rounded, independently of each other.
    """
    losses = torch.linspace(0.0, max(loss, highest), POSITIONS, dtype=torch.float64)
    losses[int((losses - loss).abs().argmin())] = loss
    rows = losses.tolist(), losses.exp().tolist()
    return torch.tensor(
        [[round_for_slider(value) for value in row] for row in rows], dtype=torch.float64
    )


def loss_from(name: str, value: float) -> float:
    """The loss in nats, from a loss or a perplexity; `name` says which of them `value` is.

    Raises:
        ValueError: if it is out of bounds.
    """
    low, high = (0.0, LARGEST) if name == "loss" else (1.0, math.exp(LARGEST))
    if not low <= value <= high:
        raise ValueError(f"the {name} must be from {low:g} to {high:,.0f}; got {value:g}")
    return value if name == "loss" else math.log(value)
