"""Word vectors by truncated singular value decomposition of PPMI.

    M = U Σ Vᵀ        vectors = U_d Σ_d^p        0 ≤ p ≤ 1

U_d and Σ_d belong to the d largest singular values. U_d Σ_d V_dᵀ is the matrix of rank d nearest to
M in squared error. A column of U and the same column of V may change sign together; here the entry
of U_d of largest size in each column is positive, so that the result is unique.

Source: Eckart & Young 1936; Levy, Goldberg & Dagan 2015, sections 2.2 and 3.3, for p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore.checks import check_between
from lmcore.dataframes import Trace

POWER = 0.5
DIMENSIONS = 24


@dataclass(frozen=True, slots=True, eq=False)
class TruncatedSVD(Trace):
    """The factors that are kept, and what share of the matrix each number of them explains."""

    left: Float64[Tensor, "word dimension"]
    """U_d"""
    singular_values: Float64[Tensor, " rank"]
    """All of them, largest first; the first d are Σ_d."""
    right: Float64[Tensor, "dimension context"]
    """V_dᵀ"""
    share: Float64[Tensor, " rank"]
    """Σ_{i ≤ r} σ_i² / Σ σ_i²: what the first 1, 2, … singular values explain of ‖M‖²."""
    vectors: Float64[Tensor, "word dimension"]
    """U_d Σ_d^p"""

    @property
    def dimensions(self) -> int:
        """The number of dimensions d."""
        return self.left.shape[1]

    @property
    def explained(self) -> float:
        """The share of ‖M‖² that d dimensions explain."""
        return float(self.share[self.dimensions - 1])

    @property
    def reconstruction(self) -> Float64[Tensor, "word context"]:
        """U_d Σ_d V_dᵀ: the nearest matrix of rank d."""
        return (self.left * self.singular_values[: self.dimensions]) @ self.right


def truncated_svd(
    matrix: Float64[Tensor, "word context"], dimensions: int = DIMENSIONS, power: float = POWER
) -> TruncatedSVD:
    """The word vectors U_d Σ_d^p of a matrix, and the factors they are made of.

    Raises:
        ValueError: if d is not from 1 to the smaller side of the matrix, p not from 0 to 1, or the
            matrix has an entry that is not finite, or only zeros.
    """
    check_between("the dimensions d", dimensions, 1, min(matrix.shape))
    if not (math.isfinite(power) and 0 <= power <= 1):
        raise ValueError(f"the power p must be from 0 to 1; got {power:g}")
    if not bool(matrix.isfinite().all()) or not bool(matrix.any()):
        raise ValueError(
            "the matrix must have finite entries that are not all 0; "
            f"got {float(matrix.min()):g} to {float(matrix.max()):g}"
        )
    U, sizes, V = torch.linalg.svd(matrix, full_matrices=False)
    U, V = U[:, :dimensions], V[:dimensions]
    sign = U.gather(0, U.abs().argmax(dim=0, keepdim=True)).sign()
    left = U * sign
    squares = sizes.square().cumsum(dim=0)
    return TruncatedSVD(
        left, sizes, V * sign.T, squares / squares[-1], left * sizes[:dimensions].pow(power)
    )
