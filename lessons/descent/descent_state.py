"""The settings of the page on gradient descent, read and stored, and the runs they describe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from lessons.descent import descent_picture, surfaces
from lessons.descent.descent_picture import DescentMoves
from lessons.descent.numbers import Descent, numbers_at, place_of_rate
from lessons.descent.surfaces import REGRESSION, SURFACES, Pair, Surface
from lmcore import parsing
from lmcore.checks import check_between
from lmcore.optimization.loss_grid import LossGrid, loss_grid
from lmcore.optimization.paths import DescentConfig
from lmcore.optimization.schedules import HIGHEST_RATE, SCHEDULES, Schedule
from lmcore.optimization.slide_snippet import MOST_EPOCHS, PLACES
from lmcore.optimization.sweeps import sweep_rates
from lmcore.optimization.weight_step import SYMBOLS
from lmcore.typed import fold_numbers
from ui import compute
from ui.settings import Between, Bound, Choice, SettingsTable, Text
from ui.widgets import address_value

LESSON = ui.lesson("descent")
MOST_STEPS = 200
LONGEST_POINTS = 2000
RATES = 50
"""Positions of the slider of η."""
SIDE = 101
"""Cells along each side of the map of the loss."""
SPREAD = 2.4
"""How far the map goes, in units of the square that must be visible; the picture is wider."""
RULES = {"GD": "GD", "SGD": "SGD", "momentum": "momentum", "Adam": "Adam"}


def rules_of(surface: str) -> dict[str, str]:
    """The rules for a surface: SGD draws points, which only the regression has."""
    return {name: label for name, label in RULES.items() if name != "SGD" or surface == REGRESSION}


def open_surface() -> None:
    """For another surface: set its start and a usual η, and drop a rule that needs points."""
    name = st.session_state["gd_surface"]
    rules = [each for each in SETTINGS.several("gd_rules") if each in rules_of(name)]
    eta = surfaces.TYPICAL.get(name, LESSON.defaults["gd_eta"])
    ui.set_controls({"gd_start": "", "gd_eta": eta, "gd_rules": ", ".join(rules) or "GD"})


def forget_place() -> None:
    """For another matrix: choose its steepest weight."""
    ui.set_controls({"gd_lm_place": ""})


SETTINGS = SettingsTable(
    LESSON,
    {
        "gd_surface": Choice(SURFACES, "Loss", then=open_surface),
        "gd_rules": Choice(
            RULES,
            "Rules",
            many=True,
            help="Several run from one start with the same η; the sentence follows the first. SGD "
            "draws points, which only the regression has",
        ),
        "gd_points": Text(
            "Points",
            "x y; x y; … Drag a point in the picture, press beside the points to add one, drag "
            "one out to remove it",
            longest=LONGEST_POINTS,
            height=90,
        ),
        "gd_start": Text(
            "Start", "Two numbers, as 3, -1.5; empty: the example's. Or drag the ring"
        ),
        "gd_eta": Text("Learning rate η"),
        "gd_batch": Text("Points per step of SGD", "1 to all of them"),
        "gd_seed": Text("Seed of the batches", "Another seed, another order of the points"),
        "gd_schedule": Choice(SCHEDULES, "Schedule of η"),
        "gd_factor": Text("Decay factor γ", "For step decay and exponential: above 0, at most 1"),
        "gd_every": Text("Steps between decays", "For step decay"),
        "gd_warmup": Text("Steps of warm-up", "For warm-up, then inverse square root"),
        "gd_steps": Text("Steps", f"1 to {MOST_STEPS}"),
        "gd_lm_context": Text("Words before", "As many as the model reads: three"),
        "gd_lm_word": Text("Correct next word", "A word that the model knows"),
        "gd_lm_matrix": Choice(tuple(SYMBOLS), "The weight is in", then=forget_place),
        "gd_lm_place": Text("Its place", "Row, column; of a bias its number; empty: the steepest"),
        "gd_step": Between(0, MOST_STEPS, whole=True),
        "gd_fault": Between(0, len(PLACES), whole=True),
        "gd_epochs": Between(0, MOST_EPOCHS, whole=True),
        "see": Bound(),
    },
)


def seen() -> str:
    """The view that is open."""
    return address_value("see", "Picture")


@dataclass(frozen=True, slots=True)
class DescentState:
    """What the controls describe: a surface, the rules that race on it, and the step shown."""

    surface: str = REGRESSION
    points: tuple[Pair, ...] = ()
    start: Pair | None = None
    rules: tuple[DescentConfig, ...] = (DescentConfig(),)
    steps: int = 30
    step: int = 0

    @property
    def where(self) -> tuple[str, tuple[Pair, ...], Pair | None]:
        """What its surface is built from: its name, the points of a regression, and the start."""
        return self.surface, self.points if self.surface == REGRESSION else (), self.start

    @property
    def eta(self) -> float:
        """The learning rate η."""
        return self.rules[0].schedule.rate


def read_state() -> DescentState:
    """The state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    surface = SETTINGS.choice("gd_surface")
    points = read_points(state["gd_points"])
    start = _read_start(state["gd_start"])
    steps = parsing.parse_integer(state["gd_steps"], "steps")
    check_between("steps", steps, 1, MOST_STEPS)
    found = DescentState(surface, points, start, _read_rules(surface, len(points)), steps)
    build(found)  # refuses points without a line
    return replace(found, step=min(int(SETTINGS.number("gd_step")), steps))


def default_state() -> DescentState:
    """The page's example."""
    opens = {**LESSON.defaults, **LESSON.looks}
    schedule = Schedule(
        opens["gd_schedule"],
        float(opens["gd_eta"]),
        float(opens["gd_factor"]),
        int(opens["gd_every"]),
        int(opens["gd_warmup"]),
    )
    rule = DescentConfig("SGD", schedule, seed=int(opens["gd_seed"]))
    points, steps = read_points(opens["gd_points"]), int(opens["gd_steps"])
    return DescentState(points=points, rules=(rule,), steps=steps, step=int(opens["gd_step"]))


def read_points(text: str) -> tuple[Pair, ...]:
    """Points as they are typed: x y, separated by semicolons.

    Raises:
        ValueError: naming the point that is not two numbers.
    """
    found = []
    for number, part in enumerate(filter(str.strip, fold_numbers(text).split(";")), start=1):
        values = parsing.parse_numbers(part, f"point {number}")
        if len(values) != 2:
            raise ValueError(f"point {number} must be two numbers, x and y; got {len(values)}")
        found.append((values[0], values[1]))
    return tuple(found)


def _read_start(text: str) -> Pair | None:
    if not text.strip():
        return None
    values = parsing.parse_numbers(text, "the start")
    if len(values) != 2:
        raise ValueError(f"the start must be two numbers; got {len(values)}")
    return values[0], values[1]


def _read_rules(surface: str, points: int) -> tuple[DescentConfig, ...]:
    state = st.session_state
    schedule = Schedule(
        SETTINGS.choice("gd_schedule"),
        parsing.parse_number(state["gd_eta"], "the learning rate η"),
        parsing.parse_number(state["gd_factor"], "the decay factor γ"),
        parsing.parse_integer(state["gd_every"], "the steps between decays"),
        parsing.parse_integer(state["gd_warmup"], "the steps of warm-up"),
    )
    batch = parsing.parse_integer(state["gd_batch"], "the points per step of SGD")
    seed = parsing.parse_integer(state["gd_seed"], "the seed of the batches")
    named = [each for each in SETTINGS.several("gd_rules") if each in RULES]
    if not named:
        raise ValueError(f"the rules must be one or more of {', '.join(RULES)}; got none")
    if "SGD" in named:
        if surface != REGRESSION:
            raise ValueError(
                f"SGD must have points to draw batches from; got {SURFACES[surface]}: choose GD, "
                "momentum or Adam"
            )
        check_between("the points per step of SGD", batch, 1, points)
    return tuple(
        DescentConfig("SGD", schedule, batch if name == "SGD" else 0, seed)
        if name in ("GD", "SGD")
        else DescentConfig(name, schedule)
        for name in dict.fromkeys(named)
    )


def build(now: DescentState) -> Surface:
    """The surface of a state.

    Raises:
        ValueError: as `build_surface`.
    """
    return built_surface(*now.where)


@lru_cache(maxsize=64)
def built_surface(name: str, points: tuple[Pair, ...], start: Pair | None) -> Surface:
    """As `build_surface`; the last ones are cached.

    Raises:
        ValueError: as `build_surface`.
    """
    return surfaces.build_surface(name, points, start)


def rate_positions(surface: Surface, eta: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Positions of the slider of η, with η itself and the rate beyond which it diverges."""
    high = surface.highest
    if eta > high:
        high = min(surfaces.round_up(1.2 * eta), HIGHEST_RATE)
    positions = np.round(np.linspace(high / RATES, high, RATES), 6)
    for exact in (*descent_picture.special_rates(surface), eta):
        positions[np.abs(positions - exact).argmin()] = exact
    return np.sort(positions)


def descend(now: DescentState) -> tuple[Descent, LossGrid]:
    """The runs at every η of the slider and the map of the loss, computed once for all visitors.

    η is one of the slider's positions, so that another position needs no new runs.
    """
    rates = tuple(rate_positions(build(now), now.eta).tolist())
    rules = tuple(replace(each, schedule=replace(each.schedule, rate=1.0)) for each in now.rules)
    run = partial(_descend, *now.where, rules, rates, now.steps)
    chart = partial(_map_loss, *now.where)
    return (
        compute.shared_result("descent", run, most=64, says="Descending"),
        compute.shared_result("loss maps", chart, most=64, says="Mapping the loss"),
    )


def _descend(
    name: str,
    points: tuple[Pair, ...],
    start: Pair | None,
    rules: tuple[DescentConfig, ...],
    rates: tuple[float, ...],
    steps: int,
) -> Descent:
    surface = built_surface(name, points, start)
    made = torch.tensor(rates, dtype=torch.float64)
    return Descent(surface, sweep_rates(surface.objective, surface.start, rules, made, steps))


def _map_loss(name: str, points: tuple[Pair, ...], start: Pair | None) -> LossGrid:
    surface = built_surface(name, points, start)
    reach = SPREAD * surface.half
    return loss_grid(surface.objective, surface.center, (reach, reach), SIDE)


def first_run() -> None:
    """Compute the page's example and the surface of XOR before the first visitor comes."""
    descend(default_state())
    surfaces.network_plane()


def live_numbers(now: DescentState, run: Descent) -> ui.LiveNumbers:
    """The numbers of the sentence and the formula now, and along the sliders of η and the step."""
    rates = run.sweep.rates
    at = place_of_rate(rates, now.eta)
    count, states = len(rates), now.steps + 1
    # One call for the numbers now, along η, and along the steps.
    rate = torch.cat([torch.tensor([at]), torch.arange(count), torch.full((states,), at)])
    step = torch.cat([torch.full((1 + count,), now.step), torch.arange(states)])
    named = numbers_at(run, rate, step)
    numbers = np.stack([each.numpy() for each in named.values()], axis=-1)
    first, *tables = np.split(numbers, [1, 1 + count])
    sliders = (
        ui.Slider(
            "eta", "η", "learning rate η", now.eta, rates.numpy(),
            help="Too small: many steps. Too large: every step jumps further away",
            role="weight",
        ),
        ui.Slider(
            "step", "step", "step of descent", float(now.step),
            np.arange(states, dtype=np.float64),
            help="Go along the run, forwards and back", role="loss",
        ),
    )  # fmt: skip
    return ui.LiveNumbers("descent", tuple(named), first[0], sliders, tables)


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    try:
        if moved["name"] == "eta":
            value = parsing.parse_number(moved["typed"], "the learning rate η")
            Schedule(rate=value)
            ui.set_controls({"gd_eta": f"{value:.10g}"})
        else:
            store_event({"step": parsing.parse_number(moved["typed"], "step")})
    except ValueError as error:
        ui.show_error_later(error)


def store_event(event: DescentMoves) -> None:
    """Store what the picture reports: a step, a start, or the points."""
    now: DescentState = st.session_state["descent-good"]
    if "step" in event:
        step = round(event["step"])
        if not 0 <= step <= now.steps:
            raise ValueError(f"step must be from 0 to {now.steps}; got {step}")
        ui.set_controls({"gd_step": str(step)})
    if "start" in event:
        first, second = event["start"]
        ui.set_controls({"gd_start": f"{first:.4g}, {second:.4g}"})
    if "points" in event:
        ui.set_controls({"gd_points": write_points(event["points"])})


def write_points(points: Sequence[Pair]) -> str:
    """Points as they are typed."""
    return "; ".join(f"{x:.4g} {y:.4g}" for x, y in points)
