"""Which points each step of SGD reads, and how far the gradient of a batch is from that of all.

An epoch takes all points once, in random order, batch after batch; the last batch of an epoch may
be smaller. A batch is a row of weights: 1 / its size for its points, 0 for the others.

Source: CMU 11-411, "Computing Loss and Gradients in Practice". Variant: points where the slide has
sentences.
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
from lmcore.checks import check_between
from lmcore.optimization.objective import Objective

if TYPE_CHECKING:
    from pandas import DataFrame


def batch_weights(
    examples: int, batch: int, steps: int, seed: int
) -> Float64[Tensor, "step example"]:
    """The weight of every point at every step; `batch` 0, or as many as there are, takes all.

    Raises:
        ValueError: if there is no point, no step, or `batch` is below 0.
    """
    for name, value, low in (("points", examples, 1), ("steps", steps, 1), ("batch", batch, 0)):
        if value < low:
            raise ValueError(f"{name} must be at least {low}; got {value}")
    if batch == 0 or batch >= examples:
        return torch.full((steps, examples), 1 / examples, dtype=torch.float64)
    per_epoch = math.ceil(examples / batch)
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.rand(math.ceil(steps / per_epoch), examples, generator=generator)
    place = drawn.argsort(dim=1).argsort(dim=1) // batch
    taken = (place[:, None] == torch.arange(per_epoch)[:, None]).to(torch.float64)
    return (taken / taken.sum(dim=-1, keepdim=True)).flatten(0, 1)[:steps]


@dataclass(frozen=True, slots=True)
class BatchNoise:
    """The gradient of a random batch compared with that of all points, for several batch sizes."""

    sizes: Int[Tensor, " size"]
    """B"""
    updates: Int[Tensor, " size"]
    """The steps of an epoch: ⌈n / B⌉"""
    error: Float64[Tensor, " size"]
    """√E‖g_B − g‖²: the root of the mean squared distance from the gradient of all points."""
    gradient: Float64[Tensor, ""]
    """‖g‖, the length of the gradient of all points."""

    def to_frame(self) -> DataFrame:
        """One row per batch size: B, steps per epoch, the error, and the error over ‖g‖."""
        return dataframes.frame(
            {
                "B": self.sizes,
                "steps per epoch": self.updates,
                "error of the gradient": self.error,
                "relative to ‖g‖": self.error / self.gradient,
            }
        )


def compare_batch_sizes(
    objective: Objective, parameters: Float64[Tensor, " parameter"], sizes: Sequence[int]
) -> BatchNoise:
    """The exact noise of the gradient of B of n points, drawn without replacement.

    E g_B = g, and E‖g_B − g‖² = (σ² / B) (n − B) / (n − 1), with σ² the mean of ‖g_i − g‖² over the
    points i.

    Raises:
        ValueError: if the loss is not a mean over points, or a size is not 1 to n.
    """
    n = objective.examples
    if n == 0:
        raise ValueError("the loss must be a mean over points to have batches; got none")
    for size in sizes:
        check_between("the batch", size, 1, n)
    each = torch.eye(n, dtype=torch.float64)
    alone = objective.gradients(parameters.expand(n, -1), each)
    whole = objective.gradients(parameters)
    variance = (alone - whole).square().sum(dim=-1).mean()
    B = torch.tensor(list(sizes))
    share = (n - B) / (B * max(n - 1, 1)).to(torch.float64)
    updates = torch.tensor([math.ceil(n / size) for size in sizes])
    return BatchNoise(B, updates, (variance * share).sqrt(), whole.norm())
