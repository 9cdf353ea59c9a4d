"""The picture of slopes: activations on one plane, and the share of a gradient that each passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import torch
from torch import Tensor

import ui
from drawing.events import Moved
from drawing.payload import NumberName, Script
from lessons.neuron import slopes_text
from lessons.neuron.neuron_questions import slope_questions
from lessons.neuron.neuron_state import LESSON, SETTINGS, SLOPES_REACH
from lessons.neuron.slopes_text import DEPTH, slope_of, y_of
from lmcore.neuron.activations import (
    ACTIVATIONS,
    RELU,
    SIGMOID,
    TANH,
    Activation,
    activation,
    curve,
)

ROLES = {
    "sigmoid": "activation", "tanh": "input", "ReLU": "weight",
    "GELU": "score", "identity": "loss", "step": "ink",
}  # fmt: skip
"""The colour of each activation's curve; here they are names of curves only."""
ALWAYS = (SIGMOID, TANH, RELU)
LABELS: dict[str, tuple[float, float]] = {
    "sigmoid": (-4.8, 0.2), "tanh": (-4.8, -0.8), "ReLU": (1.2, 2.1),
    "GELU": (-2.6, -0.45), "identity": (-2.3, -1.1), "step": (3.9, 1.2),
}  # fmt: skip
"""z and y where the name of each curve begins."""
LOW, HIGH = -1.25, 2.45
POINTS = 251


class SlopedCurve(TypedDict):
    """An activation: its curve, its slopes, and the names of its numbers at z."""

    name: str
    role: str
    chosen: bool
    """Whether it is compared; the others are drawn faint, without numbers."""
    label: tuple[float, float]
    """z and y where its name begins."""
    y: NumberName
    slope: NumberName
    outputs: list[float]
    """Its value at each of the points."""
    slopes: list[float]
    dead: list[tuple[float, float]]
    """Where it has no slope at all."""


class SlopesPayload(TypedDict):
    """The curves, and the plane on which they are drawn."""

    curves: list[SlopedCurve]
    points: list[float]
    reach: float
    low: float
    high: float
    depth: int
    """The number of slopes whose product is shown; 0 if there is more than one activation."""


SLOPES = Script("slopes", SlopesPayload, ("z", "* y", "* slope", "chain", "@marked", "@say"))


def show(rows: ui.Rows) -> None:
    """Draw the curves and their slopes on the stage; z is a slider beside it and in the picture."""
    chosen, z = read()
    live = slider_numbers(chosen, z)
    with rows.rail:
        hidden = ui.predict_first(slope_questions(chosen, z))
        ui.sliders(live, on_settled=store_z)
        SETTINGS.draw("slope_of")
    names = [g.name for g in chosen]
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=slopes_text.sentences(names),
            formula=[slopes_text.formulas([(g, ROLES[g.name]) for g in chosen])],
            alt=slopes_text.describe(names),
            hidden=hidden,
        )
        ui.main_picture(SLOPES, live, slopes_picture(chosen), texts)


def read() -> tuple[list[Activation], float]:
    """The activations to compare, in the order of lmcore, and z."""
    asked = set(SETTINGS.several("slope_of"))
    chosen = [g for name, g in ACTIVATIONS.items() if name in asked]
    return chosen or list(ALWAYS), SETTINGS.number("slope_z")


def store_z(moved: Moved) -> None:
    """Store the released value of z, or the number typed beside it."""
    try:
        z = float(moved["typed"])
        if not -SLOPES_REACH <= z <= SLOPES_REACH:
            raise ValueError(f"z must be from −{SLOPES_REACH:g} to {SLOPES_REACH:g}; got {z:g}")
        ui.set_controls({"slope_z": f"{z:.12g}"})
    except ValueError as error:
        ui.show_error_later(error)


def slider_numbers(chosen: Sequence[Activation], z: float) -> ui.LiveNumbers:
    """The values and slopes of the activations now and at every position of z."""
    positions = np.round(np.linspace(-SLOPES_REACH, SLOPES_REACH, 101), 10)
    positions[np.abs(positions - z).argmin()] = z
    look_for = "Watch which curve is steep there, and which is flat"
    slider = ui.Slider("z", "z", "z, the sum in a unit", z, positions, help=look_for, role="score")
    now = numbers_at(chosen, torch.tensor(z, dtype=torch.float64))
    swept = numbers_at(chosen, torch.from_numpy(positions)[None])
    return ui.live_numbers("slopes", now, [slider], swept)


def numbers_at(chosen: Sequence[Activation], z: Tensor) -> dict[str, Tensor]:
    """Each number of the picture under its name, at one z or at many."""
    values = {y_of(g.name): g.function(z) for g in chosen}
    slopes = {g.name: g.derivative(z) for g in chosen}
    row, marked = slopes_text.say([g.name for g in chosen], z, slopes)
    named = {slope_of(name): slope for name, slope in slopes.items()}
    chain = {"chain": slopes[chosen[0].name] ** DEPTH} if len(chosen) == 1 else {}
    return {"z": z, **values, **named, **chain, "@marked": marked, "@say": row}


def slopes_picture(chosen: Sequence[Activation]) -> SlopesPayload:
    """The data of `lessons/neuron/slopes.js` without the numbers at z."""
    shown = [*ALWAYS, *(g for g in chosen if g not in ALWAYS)]
    return {
        "curves": [_curve(g, chosen=g in chosen) for g in shown],
        "points": curve(SIGMOID, reach=SLOPES_REACH, points=POINTS).z.tolist(),
        "reach": SLOPES_REACH,
        "low": LOW,
        "high": HIGH,
        "depth": DEPTH if len(chosen) == 1 else 0,
    }


def _curve(g: Activation, *, chosen: bool) -> SlopedCurve:
    along = curve(activation(g.name), reach=SLOPES_REACH, points=POINTS)
    still = along.z[along.derivative == 0].tolist()
    return {
        "name": g.name,
        "role": ROLES[g.name],
        "chosen": chosen,
        "label": LABELS[g.name],
        "y": y_of(g.name),
        "slope": slope_of(g.name),
        "outputs": along.output.tolist(),
        "slopes": along.derivative.tolist(),
        "dead": [(still[0], still[-1])] if still else [],
    }
