"""Why √d_k: dot products of wide vectors are large, and a softmax of large scores saturates.

    q, k ~ N(0, 1) in each entry      Var(q · k) = d_k
    ∂α_i/∂s_j = α_i (δ_ij − α_j)       ‖·‖_F is 0 where one weight is 1 and the others 0

Every d_k uses the first d_k numbers of the same draw, in float64.

Source: Vaswani et al. 2017, section 3.2.1, footnote 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

WIDTHS = tuple(2**i for i in range(10))
"""d_k from 1 to 512."""
QUERIES, KEYS = 500, 16


class WeightStatistics(NamedTuple):
    """Means over all queries, for each d_k."""

    largest: Float64[Tensor, " width"]
    """max_j α_j: 1 where the softmax gives one key all the weight."""
    gradient: Float64[Tensor, " width"]
    """‖∂α/∂s‖_F"""


class Saturation(NamedTuple):
    """The statistics at every d_k of `WIDTHS`."""

    variance: Float64[Tensor, " width"]
    """The variance of q · k over all queries and keys."""
    scaled_variance: Float64[Tensor, " width"]
    """The variance of q · k / √d_k."""
    plain: WeightStatistics
    scaled: WeightStatistics

    def to_frame(self) -> DataFrame:
        """One row per d_k: variance, largest α and ‖∂α/∂s‖ of unscaled and of scaled scores."""
        return dataframes.frame(
            {
                "d_k": WIDTHS,
                "variance": self.variance,
                "variance, scaled": self.scaled_variance,
                "largest α": self.plain.largest,
                "largest α, scaled": self.scaled.largest,
                "‖∂α/∂s‖": self.plain.gradient,
                "‖∂α/∂s‖, scaled": self.scaled.gradient,
            }
        )


def saturation(seed: int = 0) -> Saturation:
    """Draw queries and keys, and compute the softmax of their scores, scaled and not."""
    generator = torch.Generator().manual_seed(seed)
    shape = (QUERIES, KEYS, WIDTHS[-1])
    key = torch.randn(shape, generator=generator, dtype=torch.float64)
    query = torch.randn((QUERIES, 1, WIDTHS[-1]), generator=generator, dtype=torch.float64)
    sums = (query * key).cumsum(dim=-1)
    scores = torch.stack([sums[..., width - 1] for width in WIDTHS])
    roots = torch.tensor(WIDTHS, dtype=torch.float64).sqrt()[:, None, None]
    return Saturation(
        scores.flatten(1).var(dim=1),
        (scores / roots).flatten(1).var(dim=1),
        _weights(scores),
        _weights(scores / roots),
    )


def _weights(scores: Float64[Tensor, "width query key"]) -> WeightStatistics:
    weights = scores.softmax(dim=-1)
    return WeightStatistics(weights.amax(dim=-1).mean(dim=-1), steepness(weights).mean(dim=-1))


def steepness(weights: Float64[Tensor, "*batch key"]) -> Float64[Tensor, "*batch"]:
    """‖∂α/∂s‖_F, without building the Jacobian: Σα² − 2Σα³ + (Σα²)²."""
    squares = weights.square().sum(dim=-1)
    cubes = weights.pow(3).sum(dim=-1)
    return (squares - 2 * cubes + squares.square()).clamp_min(0).sqrt()
