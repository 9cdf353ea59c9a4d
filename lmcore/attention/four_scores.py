"""Four scores of one query with each key, and the softmax of each: what two keys get of it.

    gap     = score_a − score_b                of the two keys with the largest dot products
    share_j = softmax(score)_j,                so share_a ÷ share_b = exp(gap)

The second key of the pair may be made longer or shorter: it is multiplied by `stretch`, which
keeps its direction. The scores are those of `lmcore.attention.similarity`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.attention.similarity import similarities

if TYPE_CHECKING:
    from pandas import DataFrame

DOT, SCALED, COSINE, ADDITIVE = range(4)
"""The places of the scores among four."""
NAMES = ("dot", "scaled dot", "cosine", "additive")

KeyPair = tuple[int, int]
"""Two keys, from 0; twice the same where there is only one."""


class FourScores(NamedTuple):
    """The scores of all keys, and their softmax, at any number of positions."""

    scores: Float64[Tensor, "*position score key"]
    shares: Float64[Tensor, "*position score key"]
    pair: KeyPair

    @property
    def gaps(self) -> Float64[Tensor, "*position score"]:
        """By how much the first key of the pair scores more than the second."""
        first, second = self.pair
        return self.scores[..., first] - self.scores[..., second]

    @property
    def sums(self) -> Float64[Tensor, "*position score"]:
        """The sum of the scores, which are the weights where there is no softmax."""
        return self.scores.sum(dim=-1)

    def to_frame(self) -> DataFrame:
        """One row per position, score and key: value, share."""
        axes = "position score key" if self.scores.ndim == 3 else "score key"
        return dataframes.entries(axes, {"value": self.scores, "share": self.shares})


def best_pair(query: Float64[Tensor, " d_k"], key: Float64[Tensor, "key d_k"]) -> KeyPair:
    """The two keys with the largest dot products, the larger one first; the first of equals."""
    dot = (key @ query).tolist()
    order = sorted(range(len(dot)), key=lambda j: -dot[j])
    return order[0], order[min(1, len(order) - 1)]


def score_keys(
    query: Float64[Tensor, " d_k"],
    key: Float64[Tensor, "key d_k"],
    pair: KeyPair,
    d_k: Float64[Tensor, "*position"],
    stretch: Float64[Tensor, "*position"],
) -> FourScores:
    """The scores at every position of `d_k` and `stretch`, in one batched call."""
    factors = torch.ones(*stretch.shape, len(key), dtype=key.dtype)
    factors[..., pair[1]] = stretch
    stretched = factors[..., None] * key
    flat = similarities(query, stretched.reshape(-1, key.shape[-1]))
    every = [flat[name].reshape(factors.shape) for name in NAMES]
    every[SCALED] = every[DOT] / d_k.sqrt()[..., None]
    scores = torch.stack(every, dim=-2)
    return FourScores(scores, scores.softmax(dim=-1), pair)
