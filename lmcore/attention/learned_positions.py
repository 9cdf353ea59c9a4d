"""Sinusoidal and learned position vectors compared: the similarity of every two positions.

    cosine(a, b) = P[a]·P[b] / (‖P[a]‖ ‖P[b]‖)

For sinusoids it depends on b − a alone, and every position has a vector. For a learned P it is a
result of training, and positions after the last row have no vector.

Source: Vaswani et al. 2017, section 3.5 ("nearly identical results"); lecture "Representing Order".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame


class Likeness(NamedTuple):
    """The cosine similarity of the vectors of any two positions."""

    cosines: Float[Tensor, "place place"]
    mean: Float[Tensor, " offset"]
    """The mean over all pairs with each offset, from 0 up to half the positions."""
    low: Float[Tensor, " offset"]
    high: Float[Tensor, " offset"]

    def to_frame(self) -> DataFrame:
        """One row per offset: offset, the mean cosine, the lowest and the highest."""
        columns = {"mean": self.mean, "low": self.low, "high": self.high}
        return dataframes.entries("offset", columns)

    @property
    def spread(self) -> float:
        """The largest difference between two pairs with the same offset."""
        return float((self.high - self.low).max())


def likeness(vectors: Float[Tensor, "place width"]) -> Likeness:
    """Cosines of all pairs of positions, and how far they depend on the offset alone.

    Raises:
        ValueError: if there are fewer than two positions.
    """
    count = len(vectors)
    if count < 2:
        raise ValueError(f"there must be two places or more to compare; got {count}")
    unit = torch.nn.functional.normalize(vectors.detach().double(), dim=-1)
    cosines = unit @ unit.T
    apart = [cosines.diagonal(offset) for offset in range(count // 2)]
    mean, low, high = (
        torch.stack([measure(each) for each in apart])
        for measure in (torch.mean, torch.min, torch.max)
    )
    return Likeness(cosines, mean, low, high)
