"""The surfaces that the page descends on: what each is, its window, its start and its η."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from lmcore.networks.landscape import LossPlane, trajectory_plane, xor_network
from lmcore.networks.training import TrainingConfig, train_network
from lmcore.optimization.landscapes import landscape
from lmcore.optimization.objective import Objective
from lmcore.optimization.regression import (
    LinearRegression,
    regression_from_points,
    solve_regression,
    trace_curvature,
)

Pair = tuple[float, float]
SurfaceKind: TypeAlias = Literal["regression", "network", "saddle", "unit"]
"""What the left side of the picture draws."""
REGRESSION = "regression"
NETWORK = "two-layer network"
SURFACES = {
    REGRESSION: "regression",
    NETWORK: "two layers",
    "saddle": "saddle",
    "plateau": "σ unit",
    "plateau, cross-entropy": "σ, cross-entropy",
}
"""Each surface with its label."""
TYPICAL = {NETWORK: "3", "saddle": "0.1", "plateau": "4", "plateau, cross-entropy": "1"}
"""The η that each surface opens with, except the regression."""
HIGHEST = {NETWORK: 8.0, "saddle": 0.6, "plateau": 12.0, "plateau, cross-entropy": 12.0}
"""The end of the slider of η."""
BEYOND = 1.25
"""How far the slider of η of a regression goes, in units of the largest rate that converges."""
NETWORK_SEED = 1
"""The seed of the training run of XOR through whose states the plane goes."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A loss of two parameters, and the square of them that must be visible."""

    name: str
    objective: Objective
    center: Pair
    half: float
    """Half of the side of the square."""
    start: Pair
    highest: float
    """The end of the slider of η."""

    @property
    def symbol(self) -> str:
        """What the pair of parameters is called."""
        return "β" if self.name == REGRESSION else "θ"

    @property
    def kind(self) -> SurfaceKind:
        """What its left side draws."""
        if isinstance(self.objective, LossPlane):
            return "network"
        if isinstance(self.objective, LinearRegression):
            return "regression"
        return "saddle" if self.name == "saddle" else "unit"


def build_surface(name: str, points: Sequence[Pair], start: Pair | None) -> Surface:
    """The surface of that name; `points` are for a regression, `start` None means its own.

    Raises:
        ValueError: if the points do not make a regression, or all have the same x.
    """
    if name == REGRESSION:
        return _regression_surface(points, start or DEFAULT_START)
    if name == NETWORK:
        plane, own = network_plane()
        begin = start or own
        half = max(7.5, 1.1 * max(abs(each) for each in begin))
        return Surface(name, plane, (0.0, 0.0), half, begin, HIGHEST[name])
    its = landscape(name)
    begin = start or its.start
    half = max(its.reach[0], 1.1 * max(abs(each) for each in begin))
    return Surface(name, its.objective, its.center, half, begin, HIGHEST[name])


DEFAULT_START = (3.0, -1.5)


def _regression_surface(points: Sequence[Pair], start: Pair) -> Surface:
    regression = regression_from_points(points)
    best = solve_regression(regression).solution.tolist()
    spread = max(abs(a - b) for a, b in zip(start, best, strict=True))
    half = round_up(max(0.62 * spread, 0.5))
    grid = half / 4
    center = tuple(round((a + b) / 2 / grid) * grid for a, b in zip(start, best, strict=True))
    largest = float(trace_curvature(regression).largest_rate)
    return Surface(
        REGRESSION, regression, (center[0], center[1]), half, start, round_up(BEYOND * largest)
    )


def round_up(value: float) -> float:
    """The next number of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next(round(step * power, 12) for step in steps if step * power >= value * (1 - 1e-9))


@lru_cache(maxsize=1)
def network_plane() -> tuple[LossPlane, Pair]:
    """The plane through the states of a training run on XOR, and where that run started."""
    config, data = xor_network()
    rows = train_network(
        config, data, TrainingConfig(learning_rate=1.0, seed=NETWORK_SEED)
    ).parameters
    plane = trajectory_plane(config, data, rows)
    a, b = plane.project(rows[:1]).coordinates[0].tolist()
    return plane, (round(a, 3), round(b, 3))


def data_window(regression: LinearRegression) -> tuple[float, float, float, float]:
    """The ends of x and of y of the drawing of the points, on round numbers."""
    ends: list[float] = []
    for values in (regression.x, regression.y):
        low, high = float(values.min()), float(values.max())
        step = round_up(max(high - low, 0.1)) / 4
        ends += [step * math.floor(low / step - 0.5), step * math.ceil(high / step + 0.5)]
    return ends[0], ends[1], ends[2], ends[3]
