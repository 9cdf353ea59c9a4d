"""The CO₂ of a training of your own, on one logarithmic scale with the printed estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing.events import Place
from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lmcore.results.costs import count_doublings, doubling_time, footprint
from lmcore.results.tables import load_results

TRAINING = "training one model"
"""The family of the rows that are trainings."""
LOW, HIGH = 1.0, 1e8
"""The ends of the scale, in lbs."""
STEPS = 61


class Cost(NamedTuple):
    """What a computation draws, and how long; see `footprint`."""

    watts: float
    hours: float
    overhead: float
    lbs: float


class Growth(NamedTuple):
    """A factor, and the months in which something grows by it."""

    factor: float
    months: float


class Consumption(NamedTuple):
    """A row of the table: its printed number, its value in lbs, and whether it is a training."""

    name: str
    short: str
    printed: str
    lbs: float
    trains: bool


def consumptions() -> list[Consumption]:
    """The rows of the table, the largest first."""
    table = load_results("co2")
    rows = [
        Consumption(row.name, row.short, row.cells[0], value, row.family == TRAINING)
        for row, value in zip(table.rows, table.values("co2"), strict=True)
    ]
    return sorted(rows, key=lambda each: -each.lbs)


class ScalePayload(TypedDict):
    """The rows from the largest, the ends of the scale, and the growth that is drawn below."""

    labels: Sequence[str]
    shorts: Sequence[str]
    printed: Sequence[str]
    lbs: Sequence[float]
    trains: Sequence[bool]
    low: float
    high: float
    factor: float
    months: float
    source: str


class BesideRow(EventDict):
    """A row was pressed: its place from the largest, from 1."""

    beside: Place


OWN = ("watts", "hours", "overhead", "lbs")
SCALE = Script(
    "scale",
    ScalePayload,
    (*OWN, "kwh", "own", "times", "beside", "doublings", "double", "@say", "@formula"),
    BesideRow,
)
"""`own` is in lbs; `times` is how many times the larger of `own` and the row is of the smaller."""
NOTHING, LESS, MORE = 0, 1, 2
"""The sentences: yours is nothing, less than the row, or at least as much."""


def row_of(cost: Cost, beside: Consumption, growth: Growth) -> list[float]:
    """The numbers of a computation compared with a row, in the order of the script's names."""
    own = footprint(cost.watts, cost.hours, overhead=cost.overhead, lbs_per_kwh=cost.lbs)
    say = NOTHING if not own.lbs else LESS if own.lbs < beside.lbs else MORE
    times = max(own.lbs, beside.lbs) / min(own.lbs, beside.lbs) if own.lbs else 0.0
    grown = [count_doublings(growth.factor), doubling_time(*growth)]
    return [*cost, own.kwh, own.lbs, times, beside.lbs, *grown, float(say), float(say)]


def numbers(cost: Cost, beside: Consumption, growth: Growth) -> LiveNumbers:
    """The numbers now, and along the sliders of power, time, overhead and emissions."""
    sliders, tables = [], []
    for name, (label, about, low, high) in SLIDERS.items():
        value = getattr(cost, name)
        positions = _positions(value, low, high)
        rows = [row_of(cost._replace(**{name: each}), beside, growth) for each in positions]
        sliders.append(Slider(name, label, about, value, positions, about, role="weight"))
        tables.append(np.array(rows))
    now = np.array(row_of(cost, beside, growth))
    return LiveNumbers("scale", NAMES, now, tuple(sliders), tables)


NAMES = (*OWN, "kwh", "own", "times", "beside", "doublings", "double", "@say", "@formula")
SLIDERS: Mapping[str, tuple[str, str, float, float]] = {
    "watts": ("power, W", "Of all its processors and the computer around them", 10.0, 1e7),
    "hours": ("hours", "3.5 days are 84 hours", 0.1, 1e5),
    "overhead": ("PUE", "Overhead; 1.58: average data centre of 2018", 1.0, 3.0),
    "lbs": ("lbs per kWh", "0.954: electricity of the United States, 2018", 0.0, 2.5),
}


def _positions(value: float, low: float, high: float) -> np.ndarray:
    """From `low` to `high`, evenly or, over more than two decades, by equal factors; with now."""
    even = high < 100 * max(low, 0.1)
    found = np.linspace(low, high, STEPS) if even else np.geomspace(low, high, STEPS)
    if not low <= value <= high:
        found = np.sort(np.append(found, value))
    found[np.abs(found - value).argmin()] = value
    return found


def picture(growth: Growth) -> ScalePayload:
    """The data of `lessons/results/scale.js` other than the numbers."""
    rows = consumptions()
    return {
        "labels": [each.name for each in rows],
        "shorts": [each.short for each in rows],
        "printed": [each.printed for each in rows],
        "lbs": [each.lbs for each in rows],
        "trains": [each.trains for each in rows],
        "low": LOW,
        "high": HIGH,
        "factor": growth.factor,
        "months": growth.months,
        "source": f"Quoted from {load_results('co2').source}, estimates; yours is computed here",
    }
