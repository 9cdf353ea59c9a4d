"""One attention over the same words in two orders, with positions and without.

    x_t = e_t   or   x_t = e_t + PE(start + t)
    Z   = softmax(XXᵀ/√d) X

X is query, key and value, so nothing but the words and their positions can make a difference. The
words' vectors e are drawn at random: N(0, 1/4), the same for equal words; any others would do.

Source: Vaswani et al. 2017, section 3.5; lecture "Representing Order".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.attention.permutation import MOST_WORDS, OrderSpec
from lmcore.models.attention import attention
from lmcore.models.masks import causal as causal_mask
from lmcore.models.positions import BASE, sinusoids

if TYPE_CHECKING:
    from pandas import DataFrame

PLACES = 64
MOST_START = PLACES - MOST_WORDS
"""The largest start at which the longest text still ends within `PLACES`."""
LEAST_WIDTH, MOST_WIDTH = 4, 512
LEAST_BASE, MOST_BASE = 2.0, 1e6
SCALE = 0.5
"""The standard deviation of a word's vector: about the size of the sinusoids, so that neither
drowns the other."""


@dataclass(frozen=True, slots=True)
class TwoOrders:
    """Words in two orders, the word that is followed, where the text begins, d and the base."""

    words: OrderSpec
    word: int = 0
    """The place of the followed word in the first order, from 0."""
    start: int = 0
    """The position of the first word."""
    width: int = 16
    base: float = BASE

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        last = len(self.words.words) - 1
        if not 0 <= self.word <= last:
            raise ValueError(f"the word must be from 0 to {last}; got {self.word}")
        if not 0 <= self.start <= MOST_START:
            raise ValueError(
                f"the position of the first word must be from 0 to {MOST_START}; got {self.start}"
            )
        if self.width % 2 or not LEAST_WIDTH <= self.width <= MOST_WIDTH:
            raise ValueError(
                f"the width d must be an even number from {LEAST_WIDTH} to {MOST_WIDTH}; "
                f"got {self.width}"
            )
        if not (math.isfinite(self.base) and LEAST_BASE <= self.base <= MOST_BASE):
            raise ValueError(
                f"the base must be from {LEAST_BASE:g} to {MOST_BASE:,.0f}; got {self.base:g}"
            )

    @property
    def moved_to(self) -> int:
        """The word's place in the second order, from 0."""
        return self.words.order.index(self.word)

    @property
    def position(self) -> int:
        """The position of the word in the first order."""
        return self.start + self.word

    @property
    def offset(self) -> int:
        """The position of the word in the second order less its position in the first."""
        return self.moved_to - self.word


class OrderComparison(NamedTuple):
    """Every word's output in both orders, always in the first order, and how far apart they are."""

    plain_before: Float[Tensor, "time width"]
    plain_after: Float[Tensor, "time width"]
    """Without positions, in the second order."""
    before: Float[Tensor, "*shape time width"]
    after: Float[Tensor, "*shape time width"]
    """With positions, in the second order."""
    plain: Float[Tensor, " time"]
    """‖plain_before − plain_after‖"""
    placed: Float[Tensor, "*shape time"]
    """‖before − after‖"""

    def to_frame(self) -> DataFrame:
        """One row per number: quantity, those of the axes that it has, value."""
        return dataframes.numbers(self)


def word_vectors(words: Sequence[str], width: int) -> Float[Tensor, "time width"]:
    """The vector of each word, in float64; a wider one begins with the same numbers."""
    types = {word: i for i, word in enumerate(dict.fromkeys(words))}
    generator = torch.Generator().manual_seed(0)
    table = torch.randn(len(types), MOST_WIDTH, generator=generator, dtype=torch.float64)
    return SCALE * table[[types[word] for word in words], :width]


def attend(
    vectors: Float[Tensor, "*shape time width"], *, masked: bool
) -> Float[Tensor, "*shape time width"]:
    """softmax(XXᵀ/√d) X, under a causal mask if `masked`."""
    mask = causal_mask(vectors.shape[-2]) if masked else None
    return attention(vectors, vectors, vectors, mask).context


def compare_two_orders(
    spec: TwoOrders, starts: Int[Tensor, "*shape"], bases: Float[Tensor, "*shape"]
) -> OrderComparison:
    """Attend to the words in both orders, for each start and base at once."""
    vectors, order = word_vectors(spec.words.words, spec.width), list(spec.words.order)
    places = starts[..., None] + torch.arange(len(order))
    encoding = sinusoids(places, spec.width, bases[..., None])
    masked = spec.words.causal
    plain = attend(vectors, masked=masked), _attend_shuffled(vectors, None, order, masked=masked)
    placed = (
        attend(vectors + encoding, masked=masked),
        _attend_shuffled(vectors, encoding, order, masked=masked),
    )
    distances = [(one - other).norm(dim=-1) for one, other in (plain, placed)]
    return OrderComparison(*plain, *placed, *distances)


def _attend_shuffled(
    vectors: Tensor, encoding: Tensor | None, order: list[int], *, masked: bool
) -> Tensor:
    """The outputs in the second order, each word moved back to its place in the first."""
    shuffled = vectors[order] if encoding is None else vectors[order] + encoding
    found = attend(shuffled, masked=masked)
    back = torch.empty_like(found)
    back[..., order, :] = found
    return back
