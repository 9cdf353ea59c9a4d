"""What the picture of results draws from, and the numbers along its slider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np
import numpy.typing as npt
from typing_extensions import TypedDict as EventDict

from drawing.events import Place
from drawing.payload import NumberArray, Script
from lessons.results.results_plot import Form, Plot
from lmcore.numbers import format_number
from lmcore.results.comparison import Comparison, compare
from lmcore.results.tables import Measure

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    """The chosen name and the reference, as indices into the plot’s names, and the task."""

    chosen: int
    reference: int
    task: int = 0

    def at(self, plot: Plot, position: int) -> Pair:
        """The pair at a position of the slider, from 0."""
        if plot.form == "tasks":
            return Pair(self.chosen, self.reference, plot.order[position])
        return Pair(plot.order[position], self.reference, self.task)

    def position(self, plot: Plot) -> int:
        """The slider’s position of the pair, from 0."""
        return plot.order.index(self.task if plot.form == "tasks" else self.chosen)


class ResultsPayload(TypedDict):
    """A table on two axes; lists are in the order of the names, or by task and then by system."""

    form: Form
    labels: Sequence[str]
    shorts: Sequence[str]
    families: Sequence[int]
    """For each name the index of its family; −1: none."""
    familyNames: Sequence[str]
    order: Sequence[int]
    """Position of the slider → index of a name, or of a task."""
    xs: NumberArray
    ys: NumberArray
    printed: Sequence[str]
    """The printed numbers of the vertical axis, the bars or the dots."""
    tasks: Sequence[str]
    below: Sequence[str]
    gaps: Sequence[str]
    """For each task, by how much the chosen system scores above the reference."""
    xLabel: str
    yLabel: str
    xLog: bool
    yLog: bool
    xBetter: Literal["high", "low"]
    yBetter: Literal["high", "low"]
    frontier: Sequence[int]
    chosen: int
    reference: int
    note: str
    source: str


class ComparedPlaces(EventDict, total=False):
    """The new choice or the new reference, as an index."""

    chosen: Place
    reference: Place


COMPARED = ("x", "y", "ratio", "step", "gap", "difference", "removed")
RESULTS = Script(
    "results",
    ResultsPayload,
    ("place", *COMPARED, "frontier", "@at", "@say", "@formula"),
    ComparedPlaces,
)
"""`frontier` is not a number: a question hides the frontier line under this name."""


def results_picture(plot: Plot, pair: Pair) -> ResultsPayload:
    """The payload of `lessons/results/results.js` without the live numbers."""
    across, up = _axes(plot)
    families = list(dict.fromkeys(each for each in plot.families if each))
    return {
        "form": plot.form,
        "labels": plot.names,
        "shorts": plot.shorts,
        "families": [families.index(each) if each else -1 for each in plot.families],
        "familyNames": families,
        "order": plot.order,
        "xs": _across(plot),
        "ys": np.array(plot.values(up) if plot.form == "scatter" else []),
        "printed": printed_numbers(plot),
        "tasks": [name for name, _ in plot.tasks] if plot.form == "tasks" else [],
        "below": [below for _, below in plot.tasks] if plot.form == "tasks" else [],
        "gaps": _gaps(plot, pair),
        "xLabel": across.axis if plot.form != "tasks" else "score",
        "yLabel": up.axis if plot.form == "scatter" else "",
        "xLog": across.log and plot.form != "tasks",
        "yLog": up.log,
        "xBetter": across.better,
        "yBetter": up.better,
        "frontier": plot.frontier,
        "chosen": pair.chosen,
        "reference": pair.reference,
        "note": f"No number printed: {', '.join(plot.left_out)}" if plot.left_out else "",
        "source": f"Quoted from {plot.table.source}",
    }


def _axes(plot: Plot) -> tuple[Measure, Measure]:
    """The horizontal and the vertical measure; bars and dots use the same one for both."""
    up = plot.y or plot.task_measure(0)
    return plot.x or up, up


def _across(plot: Plot) -> Numbers:
    if plot.form == "tasks":
        systems = range(len(plot.names))
        return np.array([[plot.score(task, i) for i in systems] for task in plot.order])
    across, _ = _axes(plot)
    return np.array(plot.values(across))


def _gaps(plot: Plot, pair: Pair) -> list[str]:
    if plot.form != "tasks":
        return []
    pairs = (pair.at(plot, k) for k in range(len(plot.order)))
    return [signed(compare_pair(plot, each)[1].difference) for each in pairs]


def signed(value: float) -> str:
    """A difference with its sign."""
    return f"+{format_number(value)}" if value > 0 else format_number(value)


def printed_numbers(plot: Plot) -> list[str]:
    """The numbers as printed: of each name, or of each system for each task."""
    if plot.form == "tasks":
        systems = range(len(plot.names))
        return [plot.printed_score(task, i) for task in plot.order for i in systems]
    _, up = _axes(plot)
    return [plot.printed(up, i) for i in range(len(plot.names))]


def compare_pair(plot: Plot, pair: Pair) -> tuple[Comparison | None, Comparison]:
    """The chosen one against the reference, on the horizontal axis, if any, and the vertical."""
    if plot.form == "tasks":
        scores = (plot.score(pair.task, i) for i in (pair.reference, pair.chosen))
        return None, compare(*scores, scores=plot.task_measure(pair.task).is_share)
    assert plot.y is not None
    values = plot.values(plot.y)
    up = compare(values[pair.reference], values[pair.chosen], scores=plot.y.is_share)
    if plot.x is None:
        return None, up
    values = plot.values(plot.x)
    return compare(values[pair.reference], values[pair.chosen]), up


def pair_numbers(plot: Plot, pair: Pair) -> dict[str, float]:
    """The numbers of a pair; `removed` is a percentage of the errors."""
    across, up = compare_pair(plot, pair)
    costs = up if across is None else across
    position = float(pair.position(plot))
    return {
        "place": position + 1,
        "x": costs.after,
        "y": up.after,
        "ratio": costs.ratio,
        "step": abs(costs.difference),
        "gap": abs(up.difference),
        "difference": up.difference,
        "removed": 100 * up.removed,
        "@at": position,
        "@say": position,
        "@formula": position,
    }


def swept_numbers(plot: Plot, pair: Pair) -> tuple[tuple[str, ...], Numbers]:
    """The names of the numbers, and a row of them for each position of the slider."""
    rows = [pair_numbers(plot, pair.at(plot, k)) for k in range(len(plot.order))]
    return tuple(rows[0]), np.array([list(row.values()) for row in rows])
