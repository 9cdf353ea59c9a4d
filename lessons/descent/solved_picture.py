"""A line solved at once, and the same line reached by descent: every step, and how far it is."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import numpy as np
from jaxtyping import Float64
from torch import Tensor

from drawing.live import FloatArray, LiveNumbers, Slider
from drawing.payload import NumberArray, Script
from lessons.descent import surfaces
from lessons.descent.descent_picture import DescentMoves
from lessons.descent.surfaces import Pair
from lmcore.optimization import paths
from lmcore.optimization.regression import (
    ClosedForm,
    regression_from_points,
    solve_regression,
    trace_curvature,
)
from lmcore.optimization.schedules import Schedule

NEAR = 1e-6
MOST_STEPS = 2000
"""How long descent is followed."""
MOST_SHOWN = 200
"""The last step of the slider."""
FEWEST_SHOWN = 20


class Solved(NamedTuple):
    """The closed form, and descent at its best fixed η."""

    closed: ClosedForm
    rate: float
    beta: Float64[Tensor, "state 2"]
    """After each step, from the start on."""
    off: Float64[Tensor, " state"]
    """max |β − β*|"""

    @property
    def near(self) -> int | None:
        """The first step that ends within `NEAR` of the closed form; None if there is none."""
        found = (self.off < NEAR).nonzero()
        return int(found[0]) if len(found) else None

    @property
    def shown(self) -> int:
        """The last step of the slider."""
        arrives = MOST_SHOWN if self.near is None else self.near + 8
        return min(max(arrives, FEWEST_SHOWN), MOST_SHOWN)


class SolvedPayload(TypedDict):
    """The points, the window they are drawn in, and β after each step."""

    x: NumberArray
    y: NumberArray
    window: tuple[float, float, float, float]
    path: NumberArray
    """β₀ and β₁ after each step, from the start on."""
    start: tuple[float, float]
    shown: int
    close: float
    """The distance that counts as arrived."""


SOLVED = Script(
    "solved",
    SolvedPayload,
    ("step", "d #", "off", "s #", "near", "i #", "m #"),
    DescentMoves,
)


def solve(points: tuple[Pair, ...], start: Pair) -> Solved:
    """The closed form of these points, and descent to it.

    Raises:
        ValueError: if all x are equal.
    """
    objective = regression_from_points(points)
    closed = solve_regression(objective)
    rate = float(trace_curvature(objective).best_rate)
    rule = paths.DescentConfig(schedule=Schedule(rate=rate))
    beta = paths.descend(objective, start, rule, MOST_STEPS).parameters
    return Solved(closed, rate, beta, (beta - closed.solution).abs().amax(dim=-1))


def numbers(found: Solved, step: int) -> LiveNumbers:
    """The closed form with its matrices, and descent after `step` steps and along the slider."""
    closed = found.closed
    fixed = {
        "s 0": closed.solution[0], "s 1": closed.solution[1],
        "near": -1 if found.near is None else found.near,
        **{f"i {n}": each for n, each in enumerate(closed.inverse.flatten())},
        "m 0": closed.moments[0], "m 1": closed.moments[1],
    }  # fmt: skip
    names = ("step", "d 0", "d 1", "off", *fixed)
    same = [float(each) for each in fixed.values()]
    table: FloatArray = np.array(
        [
            [float(n), *found.beta[n].tolist(), float(found.off[n]), *same]
            for n in range(found.shown + 1)
        ]
    )
    positions = np.arange(found.shown + 1, dtype=np.float64)
    at = min(step, found.shown)
    how = "How many steps descent has taken; the closed form needs none"
    slider = Slider("step", "step", "step of descent", float(at), positions, how, role="loss")
    return LiveNumbers("solved", names, table[at], (slider,), [table])


def picture(points: tuple[Pair, ...], found: Solved) -> SolvedPayload:
    """The data of `lessons/descent/solved.js` other than the numbers."""
    start = found.beta[0].tolist()
    return {
        "x": np.array([x for x, _ in points]),
        "y": np.array([y for _, y in points]),
        "window": surfaces.data_window(regression_from_points(points)),
        "path": found.beta[: found.shown + 1].flatten().numpy(),
        "start": (start[0], start[1]),
        "shown": found.shown,
        "close": NEAR,
    }
