"""GloVe: word vectors whose dot products fit the logarithms of the co-occurrence counts.

    J = Σ_{X_wc > 0} f(X_wc) (w_w · w̃_c + b_w + b̃_c − log X_wc)²
    f(x) = min(1, (x / x_max)^¾)

With e the error in brackets:

    ∂J/∂w_w = Σ_c 2 f e w̃_c        ∂J/∂w̃_c = Σ_w 2 f e w_w
    ∂J/∂b_w = Σ_c 2 f e            ∂J/∂b̃_c = Σ_w 2 f e

The word vectors are w + w̃, as in the paper. Both tables hold the bias in one more column, the last.

Source: Pennington, Socher & Manning 2014, equations 8 and 9. Variant: every step uses all cells and
one of the optimisers of this library, where the paper draws cells and uses AdaGrad; the counts are
not divided by the distance of the two words.

J leaves out the cells whose count is 0. In a small corpus those are most cells, and the tables have
more parameters than there are cells left: J falls to almost 0 while the neighbours get worse. The
default is therefore a short training.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore.checks import check_between
from lmcore.dataframes import Trace
from lmcore.embeddings.drift import snapshot_steps
from lmcore.embeddings.static.vectors import SNAPSHOTS, Snapshot, check_training
from lmcore.optimization.updates import Optimizer

EXPONENT = 0.75
MOST_STEPS = 5000


@dataclass(frozen=True, slots=True)
class GloveConfig:
    """The size of the vectors, the weighting of counts, and the training."""

    dimensions: int = 24
    x_max: float = 100.0
    """From this count on a cell has weight 1."""
    optimizer: str = "Adam"
    learning_rate: float = 0.02
    steps: int = 50
    snapshots: int = SNAPSHOTS
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_training(self.dimensions, self.optimizer, self.learning_rate, self.snapshots)
        check_between("steps", self.steps, 1, MOST_STEPS)
        if not (math.isfinite(self.x_max) and self.x_max > 0):
            raise ValueError(f"x_max must be a number above 0; got {self.x_max:g}")


@dataclass(frozen=True, slots=True, eq=False)
class GloveTrace(Trace):
    """The objective cell by cell; where the count is 0 all is 0."""

    weights: Float64[Tensor, "word context"]
    """f(X)"""
    predictions: Float64[Tensor, "word context"]
    """w · w̃ + b + b̃, for every cell"""
    errors: Float64[Tensor, "word context"]
    """e = prediction − log X"""
    loss: Float64[Tensor, ""]
    """J"""


@dataclass(frozen=True, slots=True, eq=False)
class GloveGradients(Trace):
    """∂J / ∂ both tables; the last column belongs to the biases."""

    words: Float64[Tensor, "word column"]
    contexts: Float64[Tensor, "context column"]


def weigh_counts(
    counts: Float64[Tensor, "word context"], x_max: float
) -> Float64[Tensor, "word context"]:
    """f(X): 0 for a count of 0, 1 from x_max on."""
    return (counts / x_max).pow(EXPONENT).clamp(max=1)


def trace_objective(
    counts: Float64[Tensor, "word context"],
    words: Float64[Tensor, "word column"],
    contexts: Float64[Tensor, "context column"],
    x_max: float,
) -> GloveTrace:
    """J and its parts; the last column of each table is its bias."""
    biases = words[:, -1:] + contexts[:, -1]
    predictions = words[:, :-1] @ contexts[:, :-1].T + biases
    logs = counts.clamp(min=torch.finfo(counts.dtype).tiny).log()
    errors = torch.where(counts > 0, predictions - logs, 0.0)
    weights = weigh_counts(counts, x_max)
    return GloveTrace(weights, predictions, errors, (weights * errors.square()).sum())


def glove_gradients(
    words: Float64[Tensor, "word column"],
    contexts: Float64[Tensor, "context column"],
    trace: GloveTrace,
) -> GloveGradients:
    """The gradients of J, written out."""
    slopes = 2 * trace.weights * trace.errors
    return GloveGradients(
        torch.cat([slopes @ contexts[:, :-1], slopes.sum(dim=1, keepdim=True)], dim=1),
        torch.cat([slopes.T @ words[:, :-1], slopes.T.sum(dim=1, keepdim=True)], dim=1),
    )


def train_glove(counts: Float64[Tensor, "word word"], config: GloveConfig) -> Iterator[Snapshot]:
    """Fit GloVe to a table of counts; a snapshot before the first step and at later moments.

    All parameters begin uniform in ±1/(2d). η falls linearly to 0. The loss of a snapshot is J.

    Raises:
        ValueError: if all counts are 0, or J is no longer finite at a snapshot.
    """
    if not bool((counts > 0).any()):
        raise ValueError("counts must have one above 0; got none")
    generator = torch.Generator().manual_seed(config.seed)
    shape = (2, len(counts), config.dimensions + 1)
    theta = (torch.rand(shape, generator=generator, dtype=torch.float64) - 0.5) / config.dimensions
    optimizer = Optimizer(config.optimizer, config.learning_rate)
    wanted = set(snapshot_steps(config.steps, min(config.snapshots, config.steps + 1)))
    cells = int((counts > 0).sum())
    for step in range(config.steps + 1):
        trace = trace_objective(counts, theta[0], theta[1], config.x_max)
        if step in wanted:
            yield _snapshot(step, step * cells, float(trace.loss), theta)
        found = glove_gradients(theta[0], theta[1], trace)
        optimizer.learning_rate = config.learning_rate * (1 - step / config.steps)
        theta = theta + optimizer.change(torch.stack([found.words, found.contexts]))


def _snapshot(step: int, seen: int, loss: float, theta: Tensor) -> Snapshot:
    if not math.isfinite(loss):
        raise ValueError(f"J must stay finite: lower η; got {loss:g} after step {step}")
    words, contexts = theta
    return Snapshot(step, seen, loss, words[:, :-1] + contexts[:, :-1], words, contexts)
