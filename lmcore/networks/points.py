"""Labelled points of the plane for a classifier: logic gates, moons, circles, spirals, classes.

A set is a pure function of its description: the same seed gives the same points. Each has its own
square of the plane, in which its points lie.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float64, Int
from torch import Tensor

from lmcore.checks import check_between, check_kind, one_of
from lmcore.dataframes import Trace
from lmcore.neuron.neuron import CORNERS, GATES
from lmcore.typed import fold_numbers, split_numbers

GATE_NAMES = ("XOR", "AND", "OR")
CLOUDS = ("moons", "circles", "spiral", "three classes")
KINDS = (*GATE_NAMES, *CLOUDS, "own")
MOST_POINTS, MOST_OWN, MOST_NOISE = 400, 60, 0.5
FARTHEST = 3.0
"""The largest coordinate of the user's own points, in absolute value."""


class Window(NamedTuple):
    """The square of the plane that is shown: both axes go from `low` to `high`."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PointSet:
    """Which points: a kind, how many, their noise, the share held out, or one's own points.

    A gate without noise is its four corners, and nothing is held out. `own` has (x₁, x₂, label).
    """

    kind: str = "XOR"
    count: int = 80
    noise: float = 0.0
    held_out: float = 0.3
    seed: int = 0
    own: tuple[tuple[float, float, int], ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        object.__setattr__(self, "kind", one_of("the data", self.kind, KINDS))
        check_between("the number of points", self.count, 4, MOST_POINTS)
        if not 0 <= self.noise <= MOST_NOISE:
            raise ValueError(f"noise must be from 0 to {MOST_NOISE}; got {self.noise:g}")
        if not 0 <= self.held_out <= 0.9:
            raise ValueError(f"the share held out must be from 0 to 0.9; got {self.held_out:g}")
        if self.kind == "own":
            self._check_own()

    def _check_own(self) -> None:
        if not 2 <= len(self.own) <= MOST_OWN:
            raise ValueError(f"own points must be 2 to {MOST_OWN}; got {len(self.own)}")
        for number, (x, y, label) in enumerate(self.own, start=1):
            if not all(math.isfinite(v) and abs(v) <= FARTHEST for v in (x, y)):
                raise ValueError(
                    f"point {number} must lie within ±{FARTHEST:g}; got ({x:g}, {y:g})"
                )
            if label not in (0, 1):
                raise ValueError(f"the label of point {number} must be 0 or 1; got {label}")

    @property
    def classes(self) -> int:
        """The number of classes K."""
        return 3 if self.kind == "three classes" else 2

    @property
    def window(self) -> Window:
        """The square of the plane to show."""
        if self.kind in GATE_NAMES:
            return Window(-0.5, 1.5)
        if self.kind == "own":
            reach = max(abs(v) for x, y, _ in self.own for v in (x, y))
            return (
                Window(-0.5, 1.5) if self._within_corners() else Window(-1.2 * reach, 1.2 * reach)
            )
        return Window(-1.5 - self.noise, 1.5 + self.noise)

    def _within_corners(self) -> bool:
        return all(-0.4 <= v <= 1.4 for x, y, _ in self.own for v in (x, y))


@dataclass(frozen=True, slots=True)
class LabelledPoints(Trace):
    """Points with their labels, from 0; `held_out` is true where a point is for validation only."""

    x: Float64[Tensor, "point coordinate"]
    labels: Int[Tensor, " point"]
    held_out: Bool[Tensor, " point"]


def draw_points(which: PointSet) -> LabelledPoints:
    """The points that `which` describes; classes take turns, so that each has its share.

    Raises:
        ValueError: if `which` is not a `PointSet`.
    """
    check_kind("which", which, PointSet, "such as PointSet('XOR')")
    if which.kind == "own":
        rows = torch.tensor(which.own, dtype=torch.float64)
        return LabelledPoints(rows[:, :2], rows[:, 2].long(), torch.zeros(len(rows)) > 0)
    if which.kind in GATE_NAMES and which.noise == 0:
        x = torch.tensor(CORNERS, dtype=torch.float64)
        labels = torch.tensor([int(wanted) for wanted in GATES[which.kind]])
        return LabelledPoints(x, labels, torch.zeros(len(labels)) > 0)
    generator = torch.Generator().manual_seed(which.seed)
    x, labels = _clouds(which, generator)
    x = x + which.noise * torch.randn(x.shape, generator=generator, dtype=torch.float64)
    last = torch.arange(which.count) >= round(which.count * (1 - which.held_out))
    return LabelledPoints(x, labels, last[torch.randperm(which.count, generator=generator)])


def _clouds(
    which: PointSet, generator: torch.Generator
) -> tuple[Float64[Tensor, "point coordinate"], Int[Tensor, " point"]]:
    """The points without noise, and their labels."""
    turn = torch.arange(which.count)
    along = torch.rand(which.count, generator=generator, dtype=torch.float64)
    if which.kind in GATE_NAMES:
        corner = turn % 4
        wanted = torch.tensor([int(each) for each in GATES[which.kind]])
        return torch.tensor(CORNERS, dtype=torch.float64)[corner], wanted[corner]
    labels = turn % which.classes
    return _SHAPES[which.kind](along, labels), labels


def _moons(along: Tensor, labels: Tensor) -> Tensor:
    """Two half circles, each reaching into the other."""
    angle = math.pi * along
    upper = torch.stack([angle.cos() - 0.5, angle.sin() - 0.25], dim=-1)
    lower = torch.stack([0.5 - angle.cos(), 0.25 - angle.sin()], dim=-1)
    return 0.8 * torch.where(labels[:, None] == 0, upper, lower)


def _circles(along: Tensor, labels: Tensor) -> Tensor:
    """Class 1 in a circle around 0, class 0 in a ring around that."""
    angle = 2 * math.pi * along
    radius = torch.where(labels == 1, 0.45, 1.1).to(along.dtype)
    return radius[:, None] * torch.stack([angle.cos(), angle.sin()], dim=-1)


def _spiral(along: Tensor, labels: Tensor) -> Tensor:
    """Two arms, each one turn around 0."""
    radius = 0.1 + 1.1 * along
    angle = 1.1 * 2 * math.pi * along + math.pi * labels
    return radius[:, None] * torch.stack([angle.sin(), angle.cos()], dim=-1)


def _three_classes(along: Tensor, labels: Tensor) -> Tensor:
    """The centres of three classes, on a circle around 0."""
    angle = 2 * math.pi * (labels / 3 + 0.25)
    return 0.8 * torch.stack([angle.cos(), angle.sin()], dim=-1).to(along.dtype)


_SHAPES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "moons": _moons,
    "circles": _circles,
    "spiral": _spiral,
    "three classes": _three_classes,
}


def surface_points(window: Window, side: int) -> Float64[Tensor, "point coordinate"]:
    """The middles of side × side cells of the window, row by row, the topmost row first."""
    step = (window.high - window.low) / side
    axis = window.low + step * (torch.arange(side, dtype=torch.float64) + 0.5)
    down, across = torch.meshgrid(axis.flip(0), axis, indexing="ij")
    return torch.stack([across, down], dim=-1).flatten(0, 1)


def parse_points(text: str) -> tuple[tuple[float, float, int], ...]:
    """Points typed as "x₁ x₂ label", separated by semicolons or line breaks.

    Raises:
        ValueError: naming the entry that is not two numbers and a label.
    """
    entries = [
        each for line in fold_numbers(text).splitlines() for each in line.split(";") if each.strip()
    ]
    points = []
    for number, entry in enumerate(entries, start=1):
        try:
            x, y, label = (float(part) for part in split_numbers(entry, 3))
        except ValueError:
            raise ValueError(
                f"point {number} must be x₁, x₂ and a label 0 or 1; got {entry.strip()!r:.60}"
            ) from None
        if label not in (0, 1):
            raise ValueError(f"the label of point {number} must be 0 or 1; got {label:g}")
        points.append((x, y, int(label)))
    return tuple(points)
