"""Whole runs at many learning rates at once, so that a picture can follow while η is dragged.

Every run of a race is made at every η, all in one batch. A run that overflows is not cut off: its
numbers are inf or nan from there on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.optimization.objective import Objective
from lmcore.optimization.paths import MOST_RUNS, DescentConfig, run_steps, start_row, weigh_batches
from lmcore.optimization.schedules import trace_schedule

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_RATES = 101
MOST_SWEPT_STEPS = 500


@dataclass(frozen=True, slots=True)
class RateSweep:
    """The runs of a race at each of several η; state 0 is the start."""

    rates: Float64[Tensor, " rate"]
    """η"""
    configs: tuple[DescentConfig, ...]
    """The config of each run; its own η is ignored."""
    parameters: Float64[Tensor, "state rate run parameter"]
    loss: Float64[Tensor, "state rate run"]
    """L over all points."""
    followed: Float64[Tensor, "step rate run parameter"]
    """∂L/∂θ over the batch of each step."""
    changes: Float64[Tensor, "step rate run parameter"]
    """What each step added to θ."""
    shares: Float64[Tensor, "step run"]
    """η of the step over the η of the run: the factor of its schedule."""
    weights: Float64[Tensor, "step run point"] | None
    """The weight of each point at each step; None if every step reads all points."""

    def to_frame(self) -> DataFrame:
        """One row per state, rate and run: η, L, and the parameters as columns."""
        columns = {"η": self.rates[:, None], "L": self.loss}
        columns |= {f"θ{i}": each for i, each in enumerate(self.parameters.unbind(dim=-1))}
        return dataframes.entries("state rate run", columns)


def sweep_rates(
    objective: Objective,
    start: Sequence[float],
    configs: Sequence[DescentConfig],
    rates: Float64[Tensor, " rate"],
    steps: int,
) -> RateSweep:
    """Each run of `configs` at each η of `rates`, in place of the η of its schedule.

    Raises:
        ValueError: if there are not 1 to `MOST_RATES` rates, 1 to `MOST_RUNS` runs and 1 to
            `MOST_SWEPT_STEPS` steps, a rate is not one that a schedule takes, or as `race`.
    """
    check_between("the number of rates", len(rates), 1, MOST_RATES)
    check_between("the number of runs", len(configs), 1, MOST_RUNS)
    check_between("steps", steps, 1, MOST_SWEPT_STEPS)
    for rate in (float(rates.min()), float(rates.max())):
        replace(configs[0].schedule, rate=rate)  # refuses a rate out of bounds
    theta = start_row(objective, start).repeat(len(rates) * len(configs), 1)
    units = [replace(config.schedule, rate=1.0) for config in configs]
    shares = torch.stack([trace_schedule(unit, steps).rates for unit in units], dim=1)
    curves = (shares[:, None] * rates[:, None]).flatten(1)
    weights = weigh_batches(objective, configs, steps)
    drawn = None if weights is None else weights.repeat(1, len(rates), 1)
    states, followed, changes = run_steps(objective, theta, [*configs] * len(rates), curves, drawn)
    shape = (len(rates), len(configs), theta.shape[-1])
    parameters = _filled(states, steps + 1).reshape(-1, *shape)
    return RateSweep(
        rates,
        tuple(configs),
        parameters,
        objective.losses(parameters),
        _filled(followed, steps).reshape(-1, *shape),
        _filled(changes, steps).reshape(-1, *shape),
        shares,
        weights,
    )


def _filled(
    rows: Float64[Tensor, "made run parameter"], count: int
) -> Float64[Tensor, "all run parameter"]:
    """`rows` with nan after the last one, where no run was finite any more."""
    missing = rows.new_full((count - len(rows), *rows.shape[1:]), math.nan)
    return torch.cat([rows, missing])
