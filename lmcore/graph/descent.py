"""Stochastic gradient descent on the leaves of a graph.

θ ← θ − η ∂L/∂θ, every gradient taken at the old values, then all leaves moved together.

Source: the CMU deck, "More Detail on the Backward Pass", equation 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.graph.differentiate import GraphTrace, trace_graph
from lmcore.graph.leaves import check_leaf
from lmcore.graph.shapes import Value
from lmcore.graph.structure import Graph

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_STEPS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Descent:
    """Some steps of gradient descent."""

    losses: Float64[Tensor, " visit"]
    """L before the first step and after each one, as far as it stayed finite."""
    leaves: Mapping[str, Value]
    """Every leaf at the last of these losses."""
    stopped: str | None
    """Why it stopped early; None if all steps were made."""

    def to_frame(self) -> DataFrame:
        """One row per visit: step, from 0, and L."""
        return dataframes.entries("step", {"L": self.losses})


def gradient_step(graph: Graph, *, learning_rate: float, names: Sequence[str]) -> dict[str, Value]:
    """The leaves `names` after one step.

    Raises:
        ValueError: if a name is not a leaf, the learning rate is not a number from 0 on, or a
            value or gradient is not finite.
    """
    _check(graph, learning_rate, names)
    return _updated_leaves(graph, trace_graph(graph), learning_rate, names)


def descend(graph: Graph, *, learning_rate: float, names: Sequence[str], steps: int) -> Descent:
    """`steps` steps in a row; ends early, and says why, where a number is no longer finite.

    Raises:
        ValueError: if a name is not a leaf, the learning rate is not a number from 0 on, `steps`
            is out of range, or a number is not finite before the first step.
    """
    _check(graph, learning_rate, names)
    if not 1 <= steps <= MAX_STEPS:
        raise ValueError(f"steps must be from 1 to {MAX_STEPS}; got {steps}")
    trace, leaves = trace_graph(graph), dict(graph.leaves)
    losses, stopped = [trace.values[graph.result]], None
    for _ in range(steps):
        moved = {**leaves, **_updated_leaves(graph, trace, learning_rate, names)}
        try:
            trace = trace_graph(graph, moved)
        except ValueError as error:
            stopped = f"after {len(losses) - 1} steps: {error}"
            break
        leaves = moved
        losses.append(trace.values[graph.result])
    return Descent(torch.stack(losses), leaves, stopped)


def _updated_leaves(
    graph: Graph, trace: GraphTrace, learning_rate: float, names: Sequence[str]
) -> dict[str, Value]:
    indexes = {name: graph.index(name) for name in names}
    return {
        name: trace.values[index] - learning_rate * trace.gradients[index]
        for name, index in indexes.items()
    }


def _check(graph: Graph, learning_rate: float, names: Sequence[str]) -> None:
    for name in names:
        check_leaf(graph, name)
    if not (isfinite(learning_rate) and learning_rate >= 0):
        raise ValueError(
            f"the learning rate must be a finite number from 0 on; got {learning_rate}"
        )
