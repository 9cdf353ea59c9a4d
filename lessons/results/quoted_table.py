"""Tables as printed, sorted and filtered; numbers that cannot be reproduced are marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypedDict

import numpy as np
from pydantic import Field
from typing_extensions import TypedDict as EventDict

import ui
from drawing.payload import Script
from lmcore.dataframes import Table
from lmcore.results.recomputed import Check, failed_checks
from lmcore.results.tables import ResultTable, Row
from lmcore.typed import fold

FOUND = "checks"
OUTCOMES = {True: "✓ comes out", False: "✗ does not", None: "not printed"}


class QuotedPayload(TypedDict):
    """A table of texts: its headings, and the cells of each row; the first cell is the name."""

    name: str
    caption: str
    columns: Sequence[str]
    below: Sequence[str]
    rows: Sequence[Sequence[str]]
    marks: Sequence[Sequence[str]]
    """The text below each cell but the first of a row; a cell with such a text is highlighted."""
    sorts: bool
    sorted: int
    """The column to sort by, from 1; negative: in descending order; 0: as printed."""


Column = Annotated[int, Field(ge=-100, le=100)]
"""A column, from 1; negative: in descending order; 0: as printed."""


class SortedTable(EventDict):
    """The column whose heading was pressed."""

    sort: Column


QUOTED = Script("quoted", QuotedPayload, event=SortedTable)


def draw_quoted(table: QuotedPayload, on_event: Callable[[Any], None] | None = None) -> None:
    """Draw a table of texts."""
    nothing = ui.LiveNumbers(f"results-{table['name']}", (), np.empty(0))
    ui.picture(QUOTED, nothing, table, on_event=on_event)


def quoted_table(table: ResultTable, *, order: int = 0, containing: str = "") -> QuotedPayload:
    """A table as it is printed, sorted by a column, with the rows that contain a text."""
    failed = failed_checks(table.name)
    rows = [row for row in table.rows if _contains(row, containing)]
    if order and abs(order) <= len(table.columns) + 1:
        rows = sort_rows(table, rows, order)
    return {
        "name": table.name,
        "caption": f"{table.title}, as printed",
        "columns": [table.heading, *(column.label for column in table.columns)],
        "below": ["", *(column.below for column in table.columns)],
        "rows": [[row.name, *row.cells] for row in rows],
        "marks": [_marks(table, row, failed) for row in rows],
        "sorts": True,
        "sorted": order,
    }


def _contains(row: Row, text: str) -> bool:
    wanted = fold(text).strip().casefold()
    texts = (row.name, row.about, row.family, *row.cells)
    return any(wanted in fold(each).casefold() for each in texts)


def again(check: Check) -> str:
    """The recomputed number, or the number as printed elsewhere."""
    return f"{'elsewhere' if check.elsewhere else 'recomputed'} {check.rounded}"


def sort_rows(table: ResultTable, rows: Sequence[Row], order: int) -> list[Row]:
    """Rows sorted by a column, from 1; negative: descending. Rows without a number come last."""
    place, down = abs(order) - 2, order < 0
    column = table.columns[place] if place >= 0 else None
    if column is None or not column.measures:
        return sorted(
            rows, key=lambda r: (r.cells[place] if column else r.name).casefold(), reverse=down
        )
    key = column.measures[0].key
    numbers = {row.name: table.decimal(row, key) for row in rows}
    known = [row for row in rows if numbers[row.name] is not None]
    missing = [row for row in rows if numbers[row.name] is None]
    return sorted(known, key=lambda row: float(numbers[row.name] or 0), reverse=down) + missing


def _marks(table: ResultTable, row: Row, failed: Mapping[tuple[str, str], Check]) -> list[str]:
    """The texts below the cells of a row."""
    found = []
    for column in table.columns:
        checks = [failed.get((row.name, measure.key)) for measure in column.measures]
        found.append("; ".join(again(check) for check in checks if check))
    return found


def check_table(checks: Table[Check], name: str) -> QuotedPayload:
    """A table of the printed numbers beside the recomputed ones."""
    return {
        "name": f"{FOUND}-{name}",
        "caption": "Printed numbers, and the same recomputed",
        "columns": ["row", "number", "printed", "arithmetic", "exactly", "rounded", "outcome"],
        "below": [""] * 7,
        "rows": [
            [
                check.row,
                check.quantity,
                check.printed,
                check.arithmetic,
                f"{float(check.value):.6g}",
                check.rounded,
                OUTCOMES[check.agrees],
            ]
            for check in checks
        ],
        "marks": [
            ["", "" if check.agrees is not False else again(check), "", "", "", ""]
            for check in checks
        ],
        "sorts": False,
        "sorted": 0,
    }
