"""What the picture of results plots: rows of a table as points or bars, or its scores by task."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from lmcore.checks import check_one_of
from lmcore.results.frontier import find_frontier
from lmcore.results.tables import Measure, ResultTable, load_results

Form = Literal["scatter", "bars", "tasks"]
BARS, TASKS = "rows", "tasks"
"""Choices for the horizontal axis other than a measure: bars, or all scores by task."""
BARS_LABEL, TASKS_LABEL = "bars, one for each row", "scores, task by task"


@dataclass(frozen=True, slots=True)
class Opening:
    """A table's default axes, and its default choice and reference, numbered from 1."""

    x: str
    y: str
    chosen: int
    reference: int


OPENINGS = {
    "wmt": Opening("cost_de", "de", 10, 8),
    "glue": Opening(TASKS, "average", 5, 3),
    "elmo": Opening(TASKS, "elmo", 3, 2),
    "bert_sizes": Opening("ppl", "mnli", 6, 1),
    "bert_tasks": Opening(TASKS, "mnli", 3, 1),
    "roberta": Opening("seen", "squad2", 4, 5),
    "albert": Opening("parameters", "average", 7, 2),
    "co2": Opening(BARS, "co2", 8, 4),
}
"""The tables that the picture plots, each with its defaults."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A table on two axes.

    `names` can be chosen: the rows, or the systems if the plot is by task. The slider goes through
    `order`: indices of `names` sorted by the horizontal axis or by size, or indices of the tasks.
    """

    table: ResultTable
    form: Form
    x: Measure | None
    y: Measure | None
    names: tuple[str, ...]
    shorts: tuple[str, ...]
    families: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def drawn(self) -> tuple[int, ...]:
        """The indices of the names that are drawn."""
        return tuple(range(len(self.names))) if self.form == "tasks" else self.order

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names that lack a number."""
        return tuple(name for i, name in enumerate(self.names) if i not in self.drawn)

    def values(self, measure: Measure) -> list[float]:
        """A measure of every name."""
        return self.table.values(measure.key)

    def printed(self, measure: Measure, place: int) -> str:
        """The number of a name, as printed."""
        return self.table.printed(self.table.rows[place], measure.key)

    @property
    def frontier(self) -> tuple[int, ...]:
        """The indices of the names on the frontier; empty if there are fewer than two."""
        if self.form != "scatter" or self.x is None or self.y is None:
            return ()
        xs, ys = self.values(self.x), self.values(self.y)
        found = find_frontier(xs, ys, better_first=self.x.better, better_second=self.y.better)
        return tuple(found) if len(found) > 1 else ()

    @property
    def tasks(self) -> tuple[tuple[str, str], ...]:
        """The name of each task, and the text below it."""
        if self.table.rows_are_tasks:
            return tuple((row.name, row.about) for row in self.table.rows)
        below = {m.key: column.below for column in self.table.columns for m in column.measures}
        measures = (self.table.measures[key] for key in self.table.scores)
        return tuple((measure.label, below[measure.key]) for measure in measures)

    def score(self, task: int, system: int) -> float:
        """The score of a system on a task, both as indices."""
        row, key = self._cell(task, system)
        return self.table.values(key)[row]

    def printed_score(self, task: int, system: int) -> str:
        """The score of a system on a task, as printed."""
        row, key = self._cell(task, system)
        return self.table.printed(self.table.rows[row], key)

    def task_measure(self, task: int) -> Measure:
        """The measure of a task’s scores."""
        return self.table.measures[self._cell(task, 0)[1]]

    def _cell(self, task: int, system: int) -> tuple[int, str]:
        scores = self.table.scores
        return (task, scores[system]) if self.table.rows_are_tasks else (system, scores[task])


def axis_labels(table: ResultTable) -> dict[str, str]:
    """The choices for the horizontal axis, each with its label."""
    measures = {key: measure.axis for key, measure in table.measures.items()}
    by_task = {TASKS: TASKS_LABEL} if len(table.scores) > 1 else {}
    return {**measures, **by_task, BARS: BARS_LABEL}


@lru_cache(maxsize=64)
def make_plot(name: str, x: str, y: str) -> Plot:
    """A table on two axes.

    Raises:
        ValueError: if there is no such table, axis, or no row with both numbers.
    """
    check_one_of("the table", name, OPENINGS)
    table = load_results(name)
    check_one_of("the horizontal axis", x, axis_labels(table))
    check_one_of("the vertical axis", y, table.measures)
    if x == TASKS:
        return _plot_tasks(table)
    across, up = table.measures.get(x), table.measures[y]
    keys = [y] if across is None else [x, y]
    numbers = [table.values(key) for key in keys]
    known = [i for i in range(len(table.rows)) if not any(math.isnan(each[i]) for each in numbers)]
    if not known:
        raise ValueError(
            f"two axes must have a row with both numbers; got {table.measures[x].label} and "
            f"{up.label}"
        )
    order = sorted(known, key=lambda i: tuple(each[i] for each in numbers))
    return Plot(
        table,
        "bars" if across is None else "scatter",
        across,
        up,
        tuple(row.name for row in table.rows),
        tuple(row.short for row in table.rows),
        tuple(row.family for row in table.rows),
        tuple(order),
    )


def _plot_tasks(table: ResultTable) -> Plot:
    if table.rows_are_tasks:
        names = tuple(table.measures[key].label for key in table.scores)
        shorts = names
    else:
        names = tuple(row.name for row in table.rows)
        shorts = tuple(row.short for row in table.rows)
    tasks = len(table.rows) if table.rows_are_tasks else len(table.scores)
    return Plot(table, "tasks", None, None, names, shorts, ("",) * len(names), tuple(range(tasks)))
