"""Self-attention as matrices, with the numbers of one row of X moved, one at a time.

    Q, K, V = X W^Q, X W^K, X W^V
    A       = Q Kᵀ / √d_k,   α = softmax of each row of A,   Z = α V

A word's row of X makes its query, its key and its value: moving a number of it changes one row of
Q, K and V, and so a row and a column of every later matrix.
"""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float64
from torch import Tensor

from lmcore.attention.step_table import AttentionConfig, AttentionInputs
from lmcore.models.attention import AttentionTrace, attention


class AllMatrices(NamedTuple):
    """Every matrix; `position` stands for any number of axes of settings."""

    inputs: Float64[Tensor, "*position time width"] | None
    """X; None if Q, K and V are given."""
    query: Float64[Tensor, "*position time d_k"]
    key: Float64[Tensor, "*position time d_k"]
    value: Float64[Tensor, "*position time d_v"]
    trace: AttentionTrace


def all_matrices(given: AttentionInputs, how: AttentionConfig) -> AllMatrices:
    """Every matrix of `given`."""
    return _attend(given.inputs, (given.query, given.key, given.value), how)


def moved_rows(
    given: AttentionInputs, how: AttentionConfig, row: int, column: int, to: Float64[Tensor, " p"]
) -> AllMatrices:
    """Every matrix with the number of X in `row` and `column`, both from 0, at each of `to`.

    Raises:
        ValueError: if X and its projections are not known, or the projections have biases.
    """
    inputs, projections = given.inputs, given.projections
    if inputs is None or projections is None or projections.biases is not None:
        raise ValueError("X and its three matrices must be given, without biases")
    moved = inputs.expand(len(to), *inputs.shape).clone()
    moved[:, row, column] = to
    made = (moved @ projections.query, moved @ projections.key, moved @ projections.value)
    return _attend(moved, made, how)


def _attend(
    inputs: Tensor | None, made: tuple[Tensor, Tensor, Tensor], how: AttentionConfig
) -> AllMatrices:
    mask = how.seen(made[0].shape[-2])
    trace = attention(*made, mask, scale=how.scale, temperature=how.temperature)
    return AllMatrices(inputs, *made, trace)
