"""The learning rate of every step: constant, decaying, or warmed up first.

With t = 1 … T, and η the rate of the setting:

    constant                          η_t = η
    step decay                        η_t = η γ^⌊(t − 1) / s⌋
    exponential                       η_t = η γ^(t − 1)
    linear to zero                    η_t = η (1 − (t − 1) / T)
    cosine                            η_t = η (1 + cos(π (t − 1) / T)) / 2
    warm-up, then inverse square root η_t = η min(t / w, √(w / t))

`linear to zero` and `cosine` reach 0 at t = T + 1, where no step is made any more.

Source: Loshchilov & Hutter 2017 (cosine); Vaswani et al. 2017, equation 3 (warm-up). Variant: η is
the rate at the end of the warm-up, in place of d_model^(−1/2) w^(−1/2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, one_of

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_STEPS = 5000
HIGHEST_RATE = 100.0


@dataclass(frozen=True, slots=True)
class Schedule:
    """A kind of schedule with its η; the other numbers count only for the kinds that use them."""

    kind: str = "constant"
    rate: float = 0.1
    """η"""
    factor: float = 0.5
    """γ of step decay and exponential decay."""
    every: int = 100
    """s of step decay: after how many steps η is multiplied by γ."""
    warmup: int = 100
    """w: the step at which the warm-up has reached η."""

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        object.__setattr__(self, "kind", one_of("the schedule", self.kind, SCHEDULES))
        if not (math.isfinite(self.rate) and 0 <= self.rate <= HIGHEST_RATE):
            raise ValueError(
                f"the learning rate η must be from 0 to {HIGHEST_RATE:g}; got {self.rate:g}"
            )
        if not 0 < self.factor <= 1:
            raise ValueError(f"the factor γ must be above 0, and at most 1; got {self.factor:g}")
        check_between("the steps between decays", self.every, 1, MOST_STEPS)
        check_between("the steps of warm-up", self.warmup, 1, MOST_STEPS)


@dataclass(frozen=True, slots=True)
class ScheduleCurve:
    """η_t of the steps t = 1 … T."""

    rates: Float64[Tensor, " step"]

    def to_frame(self) -> DataFrame:
        """One row per step, from 1: η."""
        return dataframes.frame({"t": range(1, len(self.rates) + 1), "η": self.rates})


def trace_schedule(schedule: Schedule, steps: int) -> ScheduleCurve:
    """η_t of all T = `steps` steps.

    Raises:
        ValueError: if `steps` is not 1 to `MOST_STEPS`.
    """
    check_between("steps", steps, 1, MOST_STEPS)
    t = torch.arange(1, steps + 1, dtype=torch.float64)
    return ScheduleCurve(schedule.rate * _SHARES[schedule.kind](schedule, t))


def _constant(schedule: Schedule, t: Tensor) -> Tensor:
    return torch.ones_like(t)


def _step_decay(schedule: Schedule, t: Tensor) -> Tensor:
    return schedule.factor ** ((t - 1) // schedule.every)


def _exponential(schedule: Schedule, t: Tensor) -> Tensor:
    return schedule.factor ** (t - 1)


def _linear(schedule: Schedule, t: Tensor) -> Tensor:
    return 1 - (t - 1) / len(t)


def _cosine(schedule: Schedule, t: Tensor) -> Tensor:
    return (1 + torch.cos(math.pi * (t - 1) / len(t))) / 2


def _inverse_root(schedule: Schedule, t: Tensor) -> Tensor:
    return torch.minimum(t / schedule.warmup, (schedule.warmup / t).sqrt())


_SHARES: dict[str, Callable[[Schedule, Tensor], Tensor]] = {
    "constant": _constant,
    "step decay": _step_decay,
    "exponential": _exponential,
    "linear to zero": _linear,
    "cosine": _cosine,
    "warm-up, then inverse square root": _inverse_root,
}
SCHEDULES = tuple(_SHARES)
