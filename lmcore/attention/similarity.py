"""Four similarities of a query and a key, and the attention weights they give.

    dot          q · k_i
    scaled dot   q · k_i / √d_k
    cosine       q · k_i / (‖q‖ ‖k_i‖)          0 where either is all zeros
    additive     wᵀ tanh(W_1 q + W_2 k_i)       an MLP; W_1, W_2 and w must be learned

    weights = softmax(similarity), or the similarities as they are
    z       = Σ_i weight_i v_i

Source: lecture "Core idea of Attention"; Bahdanau, Cho & Bengio 2015, appendix A.1.2 (additive).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.dataframes import Table

if TYPE_CHECKING:
    from pandas import DataFrame

HIDDEN = 8
"""Units of the additive similarity's hidden layer."""


class SimilarityAttention(NamedTuple):
    """One query over all keys by one similarity."""

    name: str
    similarities: Float64[Tensor, " key"]
    weights: Float64[Tensor, " key"]
    context: Float64[Tensor, " d_v"]

    @property
    def total(self) -> float:
        """The sum of the weights: 1 after a softmax."""
        return float(self.weights.sum())

    def to_frame(self) -> DataFrame:
        """One row per key: similarity (its name), key, value, weight."""
        columns = {"value": self.similarities, "weight": self.weights}
        found = dataframes.entries("key", columns)
        found.insert(0, "similarity", self.name)
        return found


def similarities(
    query: Float64[Tensor, " d_k"],
    key: Float64[Tensor, "key d_k"],
    *,
    d_k: int | None = None,
    seed: int = 0,
) -> dict[str, Float64[Tensor, " key"]]:
    """All four similarities of one query with each key; `d_k` is by default the width of q.

    `seed` draws the weights of the additive similarity.
    """
    dot = key @ query
    return {
        "dot": dot,
        "scaled dot": dot / math.sqrt(d_k or len(query)),
        "cosine": F.cosine_similarity(query[None], key, dim=-1),
        "additive": additive(query, key, seed=seed),
    }


def additive(
    query: Float64[Tensor, " d_k"], key: Float64[Tensor, "key d_k"], *, seed: int = 0
) -> Float64[Tensor, " key"]:
    """wᵀ tanh(W_1 q + W_2 k_i), with weights from N(0, 1/d_k) and w from N(0, 1), not trained."""
    generator = torch.Generator().manual_seed(seed)
    shape = (2, HIDDEN, len(query))
    W = torch.randn(shape, generator=generator, dtype=torch.float64) / math.sqrt(len(query))
    w = torch.randn(HIDDEN, generator=generator, dtype=torch.float64)
    return torch.tanh(W[0] @ query + key @ W[1].T) @ w


def attend_by_similarity(
    query: Float64[Tensor, " d_k"],
    key: Float64[Tensor, "key d_k"],
    value: Float64[Tensor, "key d_v"],
    *,
    normalised: bool,
    d_k: int | None = None,
) -> Table[SimilarityAttention]:
    """Attention by each similarity; its values, or their softmax, are the weights."""
    results = []
    for name, each in similarities(query, key, d_k=d_k).items():
        weights = each.softmax(dim=-1) if normalised else each
        results.append(SimilarityAttention(name, each, weights, weights @ value))
    return Table(results)
