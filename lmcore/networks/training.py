"""A whole training run of a small network in one call: the parameters after every step.

Because the run is kept, one can go through it forwards and backwards: the state at a step is a row
of a tensor. Runs with the same settings and other seeds are computed together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_kind, check_one_of, one_of
from lmcore.networks.network import (
    TRAINABLE,
    NetworkConfig,
    forward,
    forward_layers,
    gradients,
    layers,
    losses,
    predictions,
    random_parameters,
    write_gradients,
)
from lmcore.networks.points import LabelledPoints, Window, surface_points
from lmcore.optimization.updates import OPTIMIZERS, Optimizer

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_STEPS = 2000
HIGHEST_RATE = 100.0


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How a network is trained; each step reads `batch` points, or all if it is 0."""

    optimizer: str = "SGD"
    learning_rate: float = 1.0
    steps: int = 500
    batch: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        optimizer = one_of("the optimiser", self.optimizer, OPTIMIZERS)
        object.__setattr__(self, "optimizer", optimizer)
        check_between("steps", self.steps, 1, MOST_STEPS)
        check_between("the batch", self.batch, 0, 400)
        if not (math.isfinite(self.learning_rate) and 0 <= self.learning_rate <= HIGHEST_RATE):
            raise ValueError(
                f"the learning rate η must be from 0 to {HIGHEST_RATE:g}; "
                f"got {self.learning_rate:g}"
            )


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A training run; row 0 is before the first step.

    The number of wrong predictions is over the training points and over those held out.
    """

    parameters: Float64[Tensor, "step parameter"]
    gradients: Float64[Tensor, "step parameter"]
    """∂L/∂θ over all training points at each row."""
    loss: Float64[Tensor, " step"]
    """Mean over the training points, in nats."""
    validation: Float64[Tensor, " step"]
    """Mean over the points held out; nan where there are none."""
    wrong: Int[Tensor, " step"]
    wrong_held_out: Int[Tensor, " step"]
    stopped: int | None
    """The step after which a parameter, a gradient or a loss was no longer finite; the rows end
    there."""

    def to_frame(self) -> DataFrame:
        """One row per step, from 0: L, validation L, wrong predictions."""
        columns = {
            "L": self.loss,
            "validation L": self.validation,
            "wrong": self.wrong,
            "wrong held out": self.wrong_held_out,
        }
        return dataframes.entries("step", columns)


def train_network(
    config: NetworkConfig,
    points: LabelledPoints,
    how: TrainingConfig | None = None,
    start: Sequence[float] | None = None,
) -> Trajectory:
    """Train one network from the random parameters of the seed, or from `start`.

    Raises:
        ValueError: if an activation has no slope, `start` is not one number per parameter, or an
            argument is of the wrong type.
    """
    check_kind("config", config, NetworkConfig)
    check_kind("points", points, LabelledPoints, "such as draw_points gives")
    how = how or TrainingConfig()
    check_kind("how", how, TrainingConfig)
    if start is None:
        first = random_parameters(config, how.seed)
    else:
        first = torch.tensor(list(start), dtype=torch.float64)
    rows = _run(config, points, how, first[None])[:, 0]
    x, labels, held = points.x, points.labels, points.held_out
    trace = forward(config, rows, x[~held])
    judged = forward(config, rows, x[held])
    slopes = gradients(config, rows, trace, labels[~held])
    loss = losses(config, trace, labels[~held]).mean(dim=-1)
    validation = losses(config, judged, labels[held]).mean(dim=-1)
    finite = torch.cat([rows, slopes, loss[:, None]], dim=-1).isfinite().all(dim=-1)
    if bool(held.any()):
        finite &= validation.isfinite()
    last = len(rows) if bool(finite.all()) else max(int(finite.long().argmin()), 1)
    return Trajectory(
        rows[:last],
        slopes[:last],
        loss[:last],
        validation[:last],
        (predictions(config, trace) != labels[~held]).sum(dim=-1)[:last],
        (predictions(config, judged) != labels[held]).sum(dim=-1)[:last],
        None if last > how.steps else last - 1,
    )


def train_many(
    config: NetworkConfig, points: LabelledPoints, how: TrainingConfig, seeds: int
) -> Float64[Tensor, "seed parameter"]:
    """The last parameters of runs from the seeds 0 … `seeds` − 1, computed together."""
    first = torch.stack([random_parameters(config, seed) for seed in range(seeds)])
    return _run(config, points, how, first, keep=False)[-1]


def _run(
    config: NetworkConfig,
    points: LabelledPoints,
    how: TrainingConfig,
    theta: Float64[Tensor, "run parameter"],
    *,
    keep: bool = True,
) -> Float64[Tensor, "step run parameter"]:
    """The parameters of every run before the first step and after each, or only the last."""
    for name in config.activations:
        check_one_of("the activation of a network that is trained", name, TRAINABLE)
    x, labels = points.x[~points.held_out], points.labels[~points.held_out]
    generator = torch.Generator().manual_seed(how.seed)
    optimizer = Optimizer(how.optimizer, how.learning_rate)
    theta, gradient = theta.clone(), torch.empty_like(theta)
    its, slopes = layers(config, theta), layers(config, gradient)  # views: they follow the rows
    rows = [theta.clone()]
    for _ in range(how.steps):
        seen: slice | Tensor = slice(None)
        if how.batch and how.batch < len(x):
            seen = torch.randperm(len(x), generator=generator)[: how.batch]
        trace = forward_layers(config, its, x[seen])
        write_gradients(config, its, trace, labels[seen], slopes)
        theta += optimizer.change(gradient)
        if keep:
            rows.append(theta.clone())
    return torch.stack(rows if keep else [theta])


def surfaces(
    config: NetworkConfig, rows: Float64[Tensor, "step parameter"], window: Window, side: int = 60
) -> Float64[Tensor, "step point output"]:
    """ŷ over the window, at side × side points, for every row of parameters."""
    return forward(config, rows, surface_points(window, side)).output
