"""The data of the picture of a descent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import torch
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Real
from drawing.payload import NumberArray, Script
from lessons.descent import surfaces
from lessons.descent.numbers import FLAT, HIGH_LOSS, NEAR, PLATEAU_LOSS, Descent
from lessons.descent.surfaces import Surface, SurfaceKind
from lmcore.networks.landscape import LossPlane
from lmcore.optimization.landscapes import SigmoidUnit
from lmcore.optimization.loss_grid import LossGrid
from lmcore.optimization.paths import DescentConfig
from lmcore.optimization.regression import LinearRegression, trace_curvature

BEND: dict[SurfaceKind, float] = {"regression": 2.0, "saddle": 2.0, "network": 1.0, "unit": 1.0}
"""Contour k of K is at L_min + (L_max − L_min) (k / K)^bend: 2 for even distances on a bowl."""


class DescentPayload(TypedDict):
    """A surface with its map, and every run on it at every η."""

    surface: SurfaceKind
    cross: bool
    """Whether the loss of a unit is its cross-entropy."""
    axes: Sequence[str]
    """The names of the two parameters."""
    x: NumberArray
    y: NumberArray
    """The points of a regression or of a unit."""
    start: NumberArray
    labels: Sequence[str]
    """The name of each run."""
    rules: Sequence[str]
    """The update rule of each run."""
    rates: NumberArray
    """Positions of the slider of η."""
    shares: NumberArray
    """η of each step of each run over η, run by run within a step."""
    weights: bytes
    """The weight of each point at each step of SGD, as float32; empty without SGD."""
    drawn: int
    """Which run draws batches; −1 for none."""
    paths: bytes
    """Both parameters and L, by η, run and state, as float32."""
    steps: int
    grid: bytes
    """L at side × side pairs, the second parameter along the rows, as float32."""
    side: int
    center: NumberArray
    half: float
    reach: float
    """Half the sides of the square that must be visible (`half`) and of the map (`reach`)."""
    bend: float
    logarithmic: bool
    """Whether L is drawn on a logarithmic axis."""
    window: tuple[float, float, float, float]
    """The ends of x and y of the points."""
    limits: tuple[float, float, float, float]
    """The limits by which numbers.py chooses the sentence of a surface other than a regression."""
    plane: NumberArray
    """The network: its parameters at the centre, and along both directions."""
    scale: list[str]
    """The colours of probabilities from 0 to 1."""


class DescentMoves(EventDict, total=False):
    """A step, a start, or the points."""

    step: Real
    start: tuple[Real, Real]
    points: list[tuple[Real, Real]]


OF_STEP = ("step", "eta", "rate", "size", "loss", "nextloss", "p#", "g#", "c#", "n#", "l#")
OF_REGRESSION = ("rmax", "best", "kappa", "low", "high", "s#", "least", "share", "left", "k#")
DESCENT = Script(
    "descent", DescentPayload, (*OF_STEP, *OF_REGRESSION, "@say", "@formula"), DescentMoves
)
"""`numbers_at` describes the numbers."""


def descent_picture(run: Descent, grid: LossGrid) -> DescentPayload:
    """The data of `lessons/descent/descent.js` other than the numbers of the sentence."""
    surface, sweep = run.surface, run.sweep
    objective = surface.objective
    x, y = _points(objective)
    cross = isinstance(objective, SigmoidUnit) and objective.loss == "cross-entropy"
    paths = torch.cat([sweep.parameters, sweep.loss[..., None]], dim=-1).permute(1, 2, 0, 3)
    batched = [i for i, config in enumerate(sweep.configs) if config.batch]
    drawn = batched[0] if batched else -1
    return {
        "surface": surface.kind,
        "cross": cross,
        "axes": objective.names,
        "x": x.numpy(),
        "y": y.numpy(),
        "start": np.array(surface.start, dtype=np.float64),
        "labels": [run_label(config) for config in sweep.configs],
        "rules": [config.optimizer for config in sweep.configs],
        "rates": sweep.rates.numpy(),
        "shares": sweep.shares.numpy(),
        "weights": b"" if sweep.weights is None else _floats(sweep.weights[:, drawn]),
        "drawn": drawn,
        "paths": _floats(paths),
        "steps": len(sweep.followed),
        "grid": _floats(grid.loss),
        "side": len(grid.first),
        "center": np.array(surface.center, dtype=np.float64),
        "half": surface.half,
        "reach": float(grid.first[-1] - grid.first[0]) / 2,
        "bend": BEND[surface.kind],
        "logarithmic": surface.kind in ("regression", "network") or cross,
        "window": _window(objective),
        "limits": (NEAR, FLAT, PLATEAU_LOSS, HIGH_LOSS),
        "plane": _plane(objective).numpy(),
        "scale": theme.sequential_scale()[0],
    }


def _floats(numbers: Tensor) -> bytes:
    return numbers.float().contiguous().numpy().tobytes()


def _points(objective: object) -> tuple[Tensor, Tensor]:
    if isinstance(objective, LinearRegression):
        return objective.x, objective.y
    if isinstance(objective, SigmoidUnit):
        return torch.tensor(objective.x), torch.tensor(objective.y)
    if isinstance(objective, LossPlane):
        return objective.data.x.flatten(), objective.data.labels.double()
    return torch.empty(0), torch.empty(0)


def _window(objective: object) -> tuple[float, float, float, float]:
    if isinstance(objective, LinearRegression):
        return surfaces.data_window(objective)
    if isinstance(objective, SigmoidUnit):
        return -3.0, 3.0, -0.15, 1.15
    return -0.5, 1.5, -0.5, 1.5


def _plane(objective: object) -> Tensor:
    if not isinstance(objective, LossPlane):
        return torch.empty(0)
    return torch.cat([objective.center[None], objective.directions]).flatten()


def special_rates(surface: Surface) -> tuple[float, ...]:
    """The fastest η and the largest that converges, which the slider can be set to exactly."""
    if not isinstance(surface.objective, LinearRegression):
        return ()
    curvature = trace_curvature(surface.objective)
    return float(curvature.best_rate), float(curvature.largest_rate)


def run_label(config: DescentConfig) -> str:
    """The name of a run."""
    return config.name.replace(", batch", ", B =")


# --- sentences and formulas -----------------------------------------------------------------------
