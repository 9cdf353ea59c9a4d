"""The step table at every position of its two sliders, d_k and the temperature, one at a time.

    divisor = √d_k · temperature        or the temperature alone, where nothing is scaled

Moving d_k changes the divisor only: Q, K and their products stay.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore.attention.step_table import (
    COLDEST,
    HOTTEST,
    LARGEST_D_K,
    AttentionConfig,
    AttentionInputs,
    StepTable,
    step_table_from_trace,
)
from lmcore.models.attention import attention

EACH_OCTAVE = 6
"""Positions of d_k per octave, if the octave has that many whole numbers."""
OCTAVES = round(math.log2(LARGEST_D_K))


class ScoreScaling(NamedTuple):
    """d_k and the temperature, at any number of positions."""

    d_k: Float64[Tensor, "*position"]
    temperature: Float64[Tensor, "*position"]
    scaled: bool

    @property
    def root(self) -> Float64[Tensor, "*position"]:
        """√d_k, or 1 where nothing is scaled."""
        return self.d_k.sqrt() if self.scaled else torch.ones_like(self.d_k)

    @property
    def divisor(self) -> Float64[Tensor, "*position"]:
        """The divisor of a score."""
        return self.root * self.temperature

    def by_name(self, table: StepTable, at: int) -> dict[str, Tensor]:
        """The values at `at`, by their names in the table."""
        return {
            "d_k": self.d_k,
            "root": self.root,
            "tau": self.temperature,
            "divisor": self.divisor,
            "max": table.largest[..., at],
            "sum": table.sums[..., at],
            "total": table.weights[..., at, :].sum(dim=-1),
        }


def score_scaling(how: AttentionConfig) -> ScoreScaling:
    """The scaling of `how`."""
    d_k, tau = torch.tensor([how.d_k, how.temperature], dtype=torch.float64)
    return ScoreScaling(d_k, tau, how.scaled)


def slider_positions(
    how: AttentionConfig,
) -> tuple[Float64[Tensor, " position"], Float64[Tensor, " position"]]:
    """The slider positions of d_k and of the temperature: a geometric grid with the current value.

    The grid of d_k includes every power of two, the grid of the temperature includes 1; the current
    value replaces its nearest neighbour.
    """
    powers = torch.arange(OCTAVES * EACH_OCTAVE + 1, dtype=torch.float64) / EACH_OCTAVE
    d_k: Tensor = torch.unique_consecutive((2**powers).round())
    low, high = (torch.tensor(end, dtype=torch.float64).log10() for end in (COLDEST, HOTTEST))
    places = torch.linspace(0, 1, len(d_k), dtype=torch.float64)
    temperature = 10 ** (low + (high - low) * places)
    temperature = _holding(temperature.mul(100).round().div(100), 1.0)
    return _holding(d_k, float(how.d_k)), _holding(temperature, how.temperature)


def _holding(grid: Float64[Tensor, " position"], value: float) -> Float64[Tensor, " position"]:
    """The grid with the entry nearest to `value` replaced by it."""
    nearest = (grid / value).log().abs().argmin()
    return grid.index_fill(0, nearest, value)


def slider_scalings(how: AttentionConfig) -> ScoreScaling:
    """Every position of each slider; the axes are slider and position."""
    d_k, temperature = slider_positions(how)
    still = score_scaling(how)
    tau = still.temperature.expand_as(temperature)
    if not how.scaled:
        return ScoreScaling(still.d_k.expand_as(tau)[None], temperature[None], False)
    d_ks = torch.stack([d_k, still.d_k.expand_as(d_k)])
    return ScoreScaling(d_ks, torch.stack([tau, temperature]), True)


def sweep_step_table(
    given: AttentionInputs, how: AttentionConfig, moved: ScoreScaling
) -> StepTable:
    """The table at every position of `moved`, in one call; only the mask of `how` is used."""
    queries = given.query / moved.divisor[..., None, None]
    batch = moved.divisor.shape
    key, value = (each.expand(*batch, *each.shape) for each in (given.key, given.value))
    trace = attention(queries, key, value, how.seen(len(given.tokens)), scale=1.0)
    return step_table_from_trace(given.query @ given.key.T, trace)
