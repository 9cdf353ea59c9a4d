"""Truncated backpropagation through time: the share of the gradient kept after k steps.

    kept(k) = Σ_{t−s<k} ‖∂J(t)/∂h(s)‖ / Σ_{s≤t} ‖∂J(t)/∂h(s)‖

Source: Williams & Peng 1990, for the truncation; the norms are those of `through_time`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor


class Truncation(NamedTuple):
    """What truncation after `steps` keeps: each J(t) reaches h(t), h(t−1) … h(t−steps+1)."""

    steps: int
    inside: Bool[Tensor, "loss time"]
    share: float
    """The kept share of the sum of all norms"""
    pairs: int
    """The number of (t, s) whose gradient is computed"""
    all_pairs: int


def truncate(norms: Float[Tensor, "loss time"], steps: int) -> Truncation:
    """Truncate every gradient after `steps` steps.

    Raises:
        ValueError: if `steps` is not from 1 to the number of losses.
    """
    length = len(norms)
    if not 1 <= steps <= length:
        raise ValueError(f"the reach of truncation must be from 1 to {length} steps; got {steps}")
    back = torch.arange(length)[:, None] - torch.arange(length)
    inside = (back >= 0) & (back < steps)
    whole = float(norms.double().sum())
    share = float(norms.double()[inside].sum()) / whole if whole else 1.0
    return Truncation(steps, inside, share, int(inside.sum()), length * (length + 1) // 2)


def factor_per_step(norms: Float[Tensor, "loss time"]) -> float:
    """The factor of a gradient per step back: the geometric mean over all losses.

    nan if there is no step back, or a norm is 0.
    """
    logs = norms.double().log()
    ratios = [logs[t, :t] - logs[t, 1 : t + 1] for t in range(1, len(logs))]
    if not ratios:
        return math.nan
    mean = float(torch.cat(ratios).mean())
    return math.exp(mean) if math.isfinite(mean) else math.nan
