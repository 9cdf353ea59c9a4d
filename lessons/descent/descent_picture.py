"""What the picture of a descent draws from, and the sentences and formulas around it."""

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
from lessons.descent.numbers import FLAT, HIGH_LOSS, NEAR, PLATEAU_LOSS, Descent, sentence_count
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

MOVED = "After **{step}** steps L = =={loss}==; at step {step<} it was {loss<}."
LEAST = " The minimum, at β*, is {least}."
AFTER = "after **{step}** steps L = =={loss}==."


def run_sentences(run: Descent) -> list[str]:
    """The findings, in the order in which the number @say counts them; then all of them again.

    The second set is for the last step, whose formula differs.
    """
    return _findings(run) * 2


def _findings(run: Descent) -> list[str]:
    configs, kind = run.sweep.configs, run.surface.kind
    if len(configs) > 1:
        least = LEAST if kind == "regression" else ""
        return [
            f"{{step}} steps from one start, with one η: **{run_label(config)}** is lowest, "
            f"L = =={{l{i}}}==.{least}"
            for i, config in enumerate(configs)
        ]
    one = configs[0]
    if kind == "regression":
        return _regression_sentences(one, run.surface.objective.examples)
    return _landscape_sentences(run_label(one), kind, run.surface.name)


def _regression_sentences(config: DescentConfig, points: int) -> list[str]:
    if config.optimizer == "momentum":
        return [f"Momentum adds 0.9 of the step before to each step: {AFTER}{LEAST}"] * 3
    if config.optimizer == "Adam":
        return [f"Adam divides each slope by its own recent size: {AFTER}{LEAST}"] * 3
    if config.batch and config.batch < points:
        read = f"{config.batch} of {points} points"
        return [f"SGD reads {read} at each step, so its slope is noisy: {AFTER}{LEAST}"] * 3
    if config.schedule.kind != "constant":
        return [f"η of the next step is {{rate}} ({config.schedule.kind}): {AFTER}{LEAST}"] * 3
    return [
        "η = {eta} is =={share}== of the limit of convergence, 2/λₘₐₓ = {rmax}: a step "
        "leaves at most {left} of the distance to β*.",
        "η = {eta} is =={share}== times the limit of convergence, 2/λₘₐₓ = {rmax}: the run "
        "**diverges**, by a factor of up to {left} a step.",
        "η = {eta} is =={share}== times 2/λₘₐₓ: along one direction each step lands **as far "
        "away on the other side**, and never arrives.",
    ]


def _landscape_sentences(name: str, kind: str, surface: str) -> list[str]:
    if kind == "saddle":
        return [
            f"Step {{step}}, L = =={{loss}}==: {name} comes down towards (0, 0), which is **no "
            "minimum**: along y, L falls to both sides.",
            "Step {step}, L = =={loss}==: at the **saddle** both slopes are almost 0, so the "
            "next step is only {size} long.",
            f"Step {{step}}, L = =={{loss}}==: {name} has **left the saddle**, and goes down to "
            "a minimum, L = −1.",
        ]
    if kind == "network":
        return [
            f"Step {{step}}, L = =={{loss}}== nats, near ln 2 = 0.6931: {name} is on a "
            "**plateau**, where the network tells nothing apart.",
            f"Step {{step}}, L = =={{loss}}== nats: {name} has left the plateau and found a "
            "**valley**, where XOR is solved.",
        ]
    loss = "cross-entropy" if surface.endswith("cross-entropy") else "squared error"
    return [
        f"Step {{step}}, L = =={{loss}}==: **σ is saturated**, and with {loss} its slope is almost "
        "0: the next step is {size} long.",
        f"Step {{step}}, L = =={{loss}}==: with {loss} there is a slope to follow here; the next "
        "step is {size} long.",
        f"Step {{step}}, L = =={{loss}}==: with {loss} little of the loss is left, and so the "
        "slope is small: the next step is {size} long.",
    ]


def run_formula(run: Descent) -> list[list[str]]:
    """The next step with its numbers, or where the last one led; as many as there are sentences."""
    config, symbol = run.sweep.configs[0], run.surface.symbol
    theta = f"[weight|{symbol}]"
    before, after = "([weight|{p0}, {p1}])", "**([weight|{n0}, {n1}])**"
    plain = config.optimizer == "SGD"
    change = (
        f"− η [gradient|∂L/∂{symbol}] = {before} − {{rate}}·([gradient|{{g0}}, {{g1}}])"
        if plain
        else f"+ [gradient|step] = {before} + ([gradient|{{c0}}, {{c1}}])"
    )
    ended = [f"{theta} = {before} after the last step", "[loss|L] = **[loss|{loss}]**"]
    count = sentence_count(run)
    going = [f"{theta} ← {theta} {change} = {after}", "[loss|L] = **[loss|{loss}]** → {nextloss}"]
    return [going] * count + [ended] * count


def describe_run(run: Descent) -> str:
    """The alt text of the picture, as a template."""
    one, two = run.surface.objective.names
    rules = ", ".join(run_label(config) for config in run.sweep.configs)
    return (
        f"The loss over {one} and {two} with the path of {rules}: after {{step}} steps with "
        f"η = {{eta}}, ({one}, {two}) = ({{p0}}, {{p1}}) and L = {{loss}}."
    )
