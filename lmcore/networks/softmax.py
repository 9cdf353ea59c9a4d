"""Softmax of a few logits, step by step: the naive form and the one that does not overflow.

    softmax(z)_i = exp(z_i / τ) / Σ_{j=1}^{K} exp(z_j / τ)        1 ≤ i ≤ K

The largest logit may be taken off all of them first: that divides numerator and denominator by the
same number, so nothing changes, and no exponential exceeds 1.

Source: CMU 11-411, "Reminder: Multiclass Outputs". Variant: one letter K for the number of classes,
and softmax as a function of the whole vector.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_one_of

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_LOGITS = 8
LARGEST_LOGIT = 10_000.0
PRECISIONS = {"float32": torch.float32, "float64": torch.float64}


@dataclass(frozen=True, slots=True)
class SoftmaxTrace:
    """Every step of both forms, in the precision asked for."""

    logits: Float[Tensor, "*batch logit"]
    """z"""
    scaled: Float[Tensor, "*batch logit"]
    """z / τ"""
    exponentials: Float[Tensor, "*batch logit"]
    """exp(z / τ); inf where it overflows"""
    total: Float[Tensor, "*batch"]
    """The sum of the exponentials."""
    naive: Float[Tensor, "*batch logit"]
    """exp(z / τ) over their sum; nan where inf is divided by inf"""
    largest: Float[Tensor, "*batch"]
    """The largest z / τ."""
    shifted: Float[Tensor, "*batch logit"]
    """z / τ less the largest; at most 0"""
    stable_exponentials: Float[Tensor, "*batch logit"]
    stable_total: Float[Tensor, "*batch"]
    probabilities: Float[Tensor, "*batch logit"]
    """softmax(z / τ)"""

    def to_frame(self) -> DataFrame:
        """One row per logit: z, z/τ and both forms."""
        columns = ("logits", "scaled", "exponentials", "naive", "shifted", "stable_exponentials")
        named = {name: getattr(self, name) for name in columns}
        return dataframes.entries("logit", named | {"probabilities": self.probabilities})


def trace_softmax(
    logits: Sequence[float] | Float[Tensor, "*batch logit"],
    temperature: float = 1.0,
    precision: str = "float64",
) -> SoftmaxTrace:
    """Softmax of the logits at a temperature τ.

    Raises:
        ValueError: if there are not 2 to `MOST_LOGITS` logits, one is beyond ±`LARGEST_LOGIT`, or
            the temperature is not above 0.
    """
    check_one_of("the precision", precision, PRECISIONS)
    z = torch.as_tensor(logits, dtype=PRECISIONS[precision])
    check_between("the number of logits", z.shape[-1], 2, MOST_LOGITS)
    if not bool((z.abs() <= LARGEST_LOGIT).all()):
        worst = z[~(z.abs() <= LARGEST_LOGIT)][0]
        raise ValueError(f"a logit must be within ±{LARGEST_LOGIT:,.0f}; got {float(worst):g}")
    if not (math.isfinite(temperature) and temperature > 0):
        raise ValueError(f"the temperature must be a number above 0; got {temperature:g}")
    scaled = z / temperature
    exponentials = scaled.exp()
    total = exponentials.sum(dim=-1)
    largest = scaled.amax(dim=-1)
    shifted = scaled - largest[..., None]
    stable = shifted.exp()
    stable_total = stable.sum(dim=-1)
    return SoftmaxTrace(
        z,
        scaled,
        exponentials,
        total,
        exponentials / total[..., None],
        largest,
        shifted,
        stable,
        stable_total,
        stable / stable_total[..., None],
    )
