"""Two ways to give places their vectors, held against each other: sinusoids, and a trained P.

    cosine(a, b) = P[a]·P[b] / (‖P[a]‖ ‖P[b]‖)

Of sinusoids it depends on b − a alone, and there is a vector for every place there will ever be. Of
a learned P it is whatever training left, and after the last row there is none.

Source: Vaswani et al. 2017, section 3.5 ("nearly identical results"); lecture "Representing Order".
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class Likeness(NamedTuple):
    """How alike the vectors of any two places are."""

    cosines: Float[Tensor, "place place"]
    mean: Float[Tensor, " offset"]
    """Over all pairs of places that far apart; from offset 0 up to half the places."""
    low: Float[Tensor, " offset"]
    high: Float[Tensor, " offset"]

    @property
    def spread(self) -> float:
        """The widest gap between two pairs that are equally far apart."""
        return float((self.high - self.low).max())


def likeness(vectors: Float[Tensor, "place width"]) -> Likeness:
    """Cosines of all pairs of places, and how far they depend on the offset alone.

    Raises:
        ValueError: if there are fewer than two places.
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
