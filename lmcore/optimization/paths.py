"""Whole runs of gradient descent from one start: parameters, gradient, η and L at every step.

The runs of a race differ in rule, schedule and batch. Each step computes the gradients of all of
them together. A run without batches and with the rule SGD is plain gradient descent (GD).

Source: CMU 11-411, "More Detail on the Backward Pass", equation 8; Stony Brook CSE538, "Numerical
Gradient Approach". Variant: η where the latter writes α.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_kind, one_of
from lmcore.optimization.batches import batch_weights
from lmcore.optimization.objective import Objective
from lmcore.optimization.schedules import MOST_STEPS, Schedule, trace_schedule
from lmcore.optimization.updates import OPTIMIZERS, Optimizer

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_RUNS = 8
MOST_BATCH = 60
FARTHEST = 1e6
"""How far a parameter may lie from 0 at the start."""


@dataclass(frozen=True, slots=True)
class DescentConfig:
    """How a run descends; each step reads `batch` points, or all if it is 0."""

    optimizer: str = "SGD"
    schedule: Schedule = field(default_factory=Schedule)
    batch: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        optimizer = one_of("the optimiser", self.optimizer, OPTIMIZERS)
        object.__setattr__(self, "optimizer", optimizer)
        check_kind("the schedule", self.schedule, Schedule)
        check_between("the batch", self.batch, 0, MOST_BATCH)

    @property
    def name(self) -> str:
        """The rule and the batch."""
        if self.batch:
            return f"{self.optimizer}, batch {self.batch}"
        return "GD" if self.optimizer == "SGD" else self.optimizer


@dataclass(frozen=True, slots=True)
class UpdateTrace:
    """One step spelled out: θ after = θ before + change; the change is −η ∂L/∂θ for SGD."""

    before: Float64[Tensor, " parameter"]
    gradient: Float64[Tensor, " parameter"]
    """∂L/∂θ at θ before, over the points of the step."""
    rate: Float64[Tensor, ""]
    """η"""
    change: Float64[Tensor, " parameter"]
    after: Float64[Tensor, " parameter"]
    loss_before: Float64[Tensor, ""]
    """L over all points."""
    loss_after: Float64[Tensor, ""]
    names: tuple[str, ...]

    def to_frame(self) -> DataFrame:
        """One row per parameter: θ before, ∂L/∂θ, η, change, θ after."""
        return dataframes.frame(
            {
                "parameter": self.names,
                "θ before": self.before,
                "∂L/∂θ": self.gradient,
                "η": self.rate.expand_as(self.before),
                "change": self.change,
                "θ after": self.after,
            }
        )


@dataclass(frozen=True, slots=True)
class DescentPath:
    """A run; state 0 is the start, and step t leads from state t − 1 to state t."""

    config: DescentConfig
    names: tuple[str, ...]
    parameters: Float64[Tensor, "state parameter"]
    loss: Float64[Tensor, " state"]
    """L over all points."""
    gradients: Float64[Tensor, "state parameter"]
    """∂L/∂θ over all points."""
    followed: Float64[Tensor, "step parameter"]
    """∂L/∂θ over the batch of each step, which is what the rule was given."""
    changes: Float64[Tensor, "step parameter"]
    """What each step added to θ."""
    rates: Float64[Tensor, " step"]
    """η of each step."""
    stopped: int | None
    """The step after which a number was no longer finite; the states end there."""

    @property
    def steps(self) -> int:
        """The steps made."""
        return len(self.rates)

    def update(self, step: int) -> UpdateTrace:
        """Step number `step`, from 1, spelled out.

        Raises:
            ValueError: if the run has no such step.
        """
        check_between("the step", step, 1, self.steps)
        before, after = step - 1, step
        return UpdateTrace(
            self.parameters[before],
            self.followed[before],
            self.rates[before],
            self.changes[before],
            self.parameters[after],
            self.loss[before],
            self.loss[after],
            self.names,
        )

    def to_frame(self) -> DataFrame:
        """One row per state: step from 0, θ, ∂L/∂θ over all points, η of the step from it, L."""
        columns = {name: self.parameters[:, i] for i, name in enumerate(self.names)}
        columns |= {f"∂L/∂{name}": self.gradients[:, i] for i, name in enumerate(self.names)}
        rates = torch.cat([self.rates, self.rates.new_full((1,), math.nan)])
        return dataframes.entries("step", columns | {"η": rates, "L": self.loss})


@dataclass(frozen=True, slots=True)
class Race:
    """Runs from one start."""

    paths: tuple[DescentPath, ...]

    def to_frame(self) -> DataFrame:
        """One row per run and state: the number of the run from 0, its name, then as its path."""
        import pandas

        found = []
        for number, path in enumerate(self.paths):
            rows = path.to_frame()
            rows.insert(0, "run", number)
            rows.insert(1, "optimiser", path.config.name)
            found.append(rows)
        return pandas.concat(found, ignore_index=True)


def descend(
    objective: Objective, start: Sequence[float], config: DescentConfig, steps: int
) -> DescentPath:
    """One run from `start`.

    Raises:
        ValueError: as `race`.
    """
    return race(objective, start, [config], steps).paths[0]


def race(
    objective: Objective, start: Sequence[float], configs: Sequence[DescentConfig], steps: int
) -> Race:
    """Runs from one start, computed together.

    Each run ends where one of its numbers is no longer finite.

    Raises:
        ValueError: if there are not 1 to `MOST_RUNS` runs and 1 to `MOST_STEPS` steps, `start` is
            not one number per parameter within ±`FARTHEST`, L is not finite there, or a batch size
            is set for a loss that is not a mean over points.
    """
    check_kind("a loss", objective, Objective, "such as regression_from_points gives")
    for config in configs:
        check_kind("config", config, DescentConfig)
    check_between("the number of runs", len(configs), 1, MOST_RUNS)
    check_between("steps", steps, 1, MOST_STEPS)
    theta = start_row(objective, start).repeat(len(configs), 1)
    curves = [trace_schedule(config.schedule, steps).rates for config in configs]
    rates = torch.stack(curves, dim=1)
    states, followed, changes = run_steps(
        objective, theta, configs, rates, weigh_batches(objective, configs, steps)
    )
    loss, gradients = objective.losses(states), objective.gradients(states)
    numbers = torch.cat([states, gradients, loss[..., None]], dim=-1)
    paths = []
    for run, config in enumerate(configs):
        finite = numbers[:, run].isfinite().all(dim=-1)
        kept = len(finite) if bool(finite.all()) else int(finite.long().argmin())
        paths.append(
            DescentPath(
                config,
                objective.names,
                states[:kept, run],
                loss[:kept, run],
                gradients[:kept, run],
                followed[: kept - 1, run],
                changes[: kept - 1, run],
                rates[: kept - 1, run],
                None if kept > steps else kept - 1,
            )
        )
    return Race(tuple(paths))


def start_row(objective: Objective, start: Sequence[float]) -> Float64[Tensor, " parameter"]:
    """The start as a row, checked.

    Raises:
        ValueError: as `race`.
    """
    names = objective.names
    if len(start) != len(names):
        raise ValueError(f"the start must be {len(names)} numbers; got {len(start)}")
    for name, value in zip(names, start, strict=True):
        if not (math.isfinite(value) and abs(value) <= FARTHEST):
            raise ValueError(f"{name} at the start must be within ±{FARTHEST:,.0f}; got {value:g}")
    row = torch.tensor(list(start), dtype=torch.float64)
    loss = float(objective.losses(row))
    if not (math.isfinite(loss) and bool(objective.gradients(row).isfinite().all())):
        raise ValueError(f"L and its gradient must be finite at the start; got L = {loss:g}")
    return row


def weigh_batches(
    objective: Objective, configs: Sequence[DescentConfig], steps: int
) -> Float64[Tensor, "step run example"] | None:
    """The weight of every point at every step of every run; None if all runs read all points.

    Raises:
        ValueError: if a batch size is set for a loss that is not a mean over points.
    """
    largest = max(config.batch for config in configs)
    if not largest:
        return None
    if not objective.examples:
        raise ValueError(
            f"the batch must be 0 where the loss is not a mean over points; got {largest}"
        )
    drawn = [batch_weights(objective.examples, c.batch, steps, c.seed) for c in configs]
    return torch.stack(drawn, dim=1)


def run_steps(
    objective: Objective,
    theta: Float64[Tensor, "run parameter"],
    configs: Sequence[DescentConfig],
    rates: Float64[Tensor, "step run"],
    weights: Float64[Tensor, "step run example"] | None,
) -> tuple[
    Float64[Tensor, "state run parameter"],
    Float64[Tensor, "made run parameter"],
    Float64[Tensor, "made run parameter"],
]:
    """All states, the gradients that were followed and the changes; ends once no run is finite."""
    rules = {config.optimizer: Optimizer(config.optimizer, 0.0) for config in configs}
    runs = {
        name: torch.tensor([i for i, config in enumerate(configs) if config.optimizer == name])
        for name in rules
    }
    states, followed, changes = [theta], [], []
    for step, rate in enumerate(rates):
        gradient = objective.gradients(theta, None if weights is None else weights[step])
        change = torch.empty_like(theta)
        for name, rule in rules.items():
            rule.learning_rate = rate[runs[name], None]
            change[runs[name]] = rule.change(gradient[runs[name]])
        theta = theta + change
        states.append(theta)
        followed.append(gradient)
        changes.append(change)
        if not bool(theta.isfinite().all(dim=-1).any()):
            break
    return torch.stack(states), torch.stack(followed), torch.stack(changes)
