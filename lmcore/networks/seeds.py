"""Which share of random starts solves a task, with Wilson's 95 % interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Bool, Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.networks.network import NetworkConfig, forward, losses, predictions
from lmcore.networks.points import LabelledPoints
from lmcore.networks.training import TrainingConfig, train_many

if TYPE_CHECKING:
    from pandas import DataFrame

Z_95 = 1.959963984540054
"""The point beyond which 2.5 % of a standard normal distribution lie."""


@dataclass(frozen=True, slots=True)
class SeedRuns:
    """The end of a training run from each seed, from 0."""

    solved: Bool[Tensor, " seed"]
    """Whether every training point is classified correctly."""
    wrong: Float64[Tensor, " seed"]
    loss: Float64[Tensor, " seed"]
    parameters: Float64[Tensor, "seed parameter"]

    @property
    def interval(self) -> tuple[float, float, float]:
        """The share that solves the task, and the ends of its interval."""
        return share_interval(int(self.solved.sum()), len(self.solved))

    def to_frame(self) -> DataFrame:
        """One row per seed."""
        return dataframes.entries(
            "seed", {"solved": self.solved, "wrong": self.wrong, "L": self.loss}
        )


def solve_from_seeds(
    config: NetworkConfig, points: LabelledPoints, how: TrainingConfig, seeds: int = 200
) -> SeedRuns:
    """Train from the seeds 0 … `seeds` − 1 at once, and see which end without a wrong point."""
    ends = train_many(config, points, how, seeds)
    x, labels = points.x[~points.held_out], points.labels[~points.held_out]
    trace = forward(config, ends, x)
    wrong = (predictions(config, trace) != labels).sum(dim=-1)
    loss = losses(config, trace, labels).mean(dim=-1)
    return SeedRuns((wrong == 0) & loss.isfinite(), wrong.to(torch.float64), loss, ends)


def share_interval(successes: int | float, trials: int) -> tuple[float, float, float]:
    """The share of successes, which may be a mean number, and Wilson's 95 % interval around it.

    Source: Wilson 1927.
    """
    share = successes / trials
    scale = 1 + Z_95**2 / trials
    middle = (share + Z_95**2 / (2 * trials)) / scale
    half = Z_95 * math.sqrt(share * (1 - share) / trials + Z_95**2 / (4 * trials**2)) / scale
    return share, max(0.0, middle - half), min(1.0, middle + half)
