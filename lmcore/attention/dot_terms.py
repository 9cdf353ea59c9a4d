"""A dot product term by term: all products, or the largest and the sum of the others."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float64
from torch import Tensor

MAX_LISTED = 16
SHOWN_WHEN_LONG = 12
"""How many products are shown if there are more than `MAX_LISTED`, the largest first."""


class Dot(NamedTuple):
    """left · right + bias = Σ products + rest + bias = total."""

    places: tuple[int, ...]
    """The index of each product in the two vectors, from 0."""
    left: tuple[float, ...]
    right: tuple[float, ...]
    products: tuple[float, ...]
    others: int
    """The number of products that are not shown."""
    rest: float
    """The sum of the products that are not shown."""
    bias: float | None
    total: float


def dot(
    left: Float64[Tensor, " place"], right: Float64[Tensor, " place"], bias: float | None = None
) -> Dot:
    """left · right, and the bias if there is one."""
    products = left * right
    places = list(range(len(left)))
    if len(places) > MAX_LISTED:
        places = products.abs().argsort(descending=True)[:SHOWN_WHEN_LONG].tolist()
    shown = products[places]
    return Dot(
        *(tuple(places), tuple(left[places].tolist()), tuple(right[places].tolist())),
        *(tuple(shown.tolist()), len(left) - len(places), float(products.sum() - shown.sum())),
        *(bias, float(products.sum()) + (bias or 0.0)),
    )
