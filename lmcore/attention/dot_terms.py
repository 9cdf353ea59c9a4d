"""A dot product multiplied out: its products, or the largest of them and what the others sum to."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float64
from torch import Tensor

MAX_LISTED = 16
SHOWN_WHEN_LONG = 12
"""Of more than `MAX_LISTED` products so many are shown, the largest first."""


class Dot(NamedTuple):
    """left · right + bias = Σ products + rest + bias = total."""

    places: tuple[int, ...]
    """Counted from 0: where in the two vectors each product is from."""
    left: tuple[float, ...]
    right: tuple[float, ...]
    products: tuple[float, ...]
    others: int
    """So many products are not among these."""
    rest: float
    """What those sum to."""
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
