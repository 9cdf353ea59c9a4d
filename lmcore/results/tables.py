"""The tables of published results that the decks show: what is printed, its source, its numbers.

A cell keeps its print, such as `92.22±0.10`, `84.6/83.4`, `2.3·10¹⁹` or `–`; its numbers are read
from that. A column whose cells have two numbers has two parts, each a measure of its own.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lmcore import dataframes
from lmcore.checks import check_one_of

if TYPE_CHECKING:
    from pandas import DataFrame

FOLDER = Path(__file__).parent / "tables"
NAMES = (
    "wmt",
    "glue",
    "elmo",
    "bert_sizes",
    "bert_tasks",
    "roberta",
    "albert",
    "co2",
    "wmt_short",
    "bert_abstract",
    "clip",
    "gpt2_sizes",
    "model_sizes",
)
"""The tables, in the order in which a menu offers them."""
NOTHING, SAME_AS_LEFT = "–", "←"
"""Cells without a number of their own: none is printed; the one to the left spans both columns."""
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
PRINTED = re.compile(r"(\d[\d,]*(?:\.\d+)?)(?:·10([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?(?:±[\d.]+)? ?(GB|K|M|x|%)?")
FACTORS = {"K": 3, "M": 6}

Better = Literal["high", "low"]


@dataclass(frozen=True, slots=True)
class Measure:
    """What one number of every row measures; `better` is the end that is better or cheaper.

    With `log` the numbers span powers of ten, so that their axis is logarithmic. `noun` is what
    there is more or less of.
    """

    key: str
    label: str
    unit: str
    better: Better
    log: bool = False
    noun: str = ""

    @property
    def axis(self) -> str:
        """Its name with its unit."""
        first = self.unit.split(",")[0].lower()
        return self.label if first in self.label.lower() else f"{self.label}, {self.unit}"

    @property
    def is_share(self) -> bool:
        """Whether it is a score in per cent, so that 100 − score is the share of errors."""
        return self.unit.endswith("%") and self.unit != "%"


@dataclass(frozen=True, slots=True)
class Column:
    """A column as it is printed: its heading, what is below it, and the measures in its cells.

    A column of words has no measure.
    """

    label: str
    below: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its name, a shorter one for small pictures, its family, and its printed cells.

    `month` is when a system was first public, as 2018-10, or empty; `about` explains the row.
    """

    name: str
    short: str
    cells: tuple[str, ...]
    family: str = ""
    month: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ResultTable:
    """A table with its source and its notes.

    `scores` names the measures that may be compared with one another: those of the tasks, or where
    each row is a task, those of the systems.
    """

    name: str
    title: str
    source: str
    slide: str
    date: str
    heading: str
    notes: tuple[str, ...]
    columns: tuple[Column, ...]
    derived: Mapping[Measure, tuple[str, ...]]
    """Measures that are not in the table: the product of some that are."""
    rows: tuple[Row, ...]
    scores: tuple[str, ...]
    rows_are_tasks: bool

    @property
    def measures(self) -> dict[str, Measure]:
        """Every measure by its key, the derived ones last."""
        printed = [measure for column in self.columns for measure in column.measures]
        return {measure.key: measure for measure in (*printed, *self.derived)}

    def row(self, name: str) -> Row:
        """The row of that name.

        Raises:
            ValueError: if there is none.
        """
        check_one_of("the row", name, [row.name for row in self.rows])
        return next(row for row in self.rows if row.name == name)

    def printed(self, row: Row, key: str) -> str:
        """A number as it is printed; a derived one as the product of the printed ones.

        One that spans two columns is printed in the left one.

        Raises:
            ValueError: if there is no such measure.
        """
        check_one_of("the measure", key, self.measures)
        for measure, factors in self.derived.items():
            if measure.key == key:
                return " × ".join(self.printed(row, factor) for factor in factors)
        place, part, many = self._place(key)
        cell = row.cells[place]
        if cell == SAME_AS_LEFT:
            return row.cells[place - 1]
        return cell.split("/")[part].strip() if many and cell != NOTHING else cell

    def decimal(self, row: Row, key: str) -> Decimal | None:
        """The number exactly as printed, or None where none is printed.

        Raises:
            ValueError: as `printed`.
        """
        for measure, factors in self.derived.items():
            if measure.key == key:
                found = [self.decimal(row, factor) for factor in factors]
                known = [each for each in found if each is not None]
                return math.prod(known, start=Decimal(1)) if len(known) == len(found) else None
        return read_number(self.printed(row, key))

    def values(self, key: str) -> list[float]:
        """A measure of every row; nan where none is printed.

        Raises:
            ValueError: as `printed`.
        """
        found = [self.decimal(row, key) for row in self.rows]
        return [math.nan if each is None else float(each) for each in found]

    def to_frame(self) -> DataFrame:
        """One row per row of the table: its name, its words, and its numbers with their units."""
        columns: dict[str, Any] = {self.heading: [row.name for row in self.rows]}
        for place, column in enumerate(self.columns):
            if not column.measures:
                columns[column.label] = [row.cells[place] for row in self.rows]
        for measure in self.measures.values():
            columns[measure.axis] = self.values(measure.key)
        return dataframes.frame(columns)

    def printed_frame(self) -> DataFrame:
        """The table as it is printed, cell by cell."""
        columns = {self.heading: [row.name for row in self.rows]}
        for place, column in enumerate(self.columns):
            columns[column.label] = [row.cells[place] for row in self.rows]
        return dataframes.frame(columns)

    def _place(self, key: str) -> tuple[int, int, bool]:
        """The column of a measure, its part there, and whether the cells have several."""
        return next(
            (place, part, len(column.measures) > 1)
            for place, column in enumerate(self.columns)
            for part, measure in enumerate(column.measures)
            if measure.key == key
        )


def read_number(text: str) -> Decimal | None:
    """The number of a printed cell, exactly; None if none is printed. What follows ± is left out.

    Raises:
        ValueError: if it is not a number as the tables print them.
    """
    if text == NOTHING:
        return None
    found = PRINTED.fullmatch(text)
    if found is None:
        raise ValueError(f"a cell must be a number such as 92.22±0.10 or 2.3·10¹⁹; got {text!r}")
    mantissa, power, suffix = found.groups()
    raised = int(power.translate(RAISED)) if power else 0
    return Decimal(mantissa.replace(",", "")).scaleb(raised + FACTORS.get(suffix, 0))


def load_results(name: str) -> ResultTable:
    """The table of that name, one of `NAMES`.

    Raises:
        ValueError: if there is none of that name.
    """
    check_one_of("the table", name, NAMES)
    return _read_table(name)


@lru_cache(maxsize=len(NAMES))
def _read_table(name: str) -> ResultTable:
    return parse_table(name, (FOLDER / f"{name}.toml").read_text("utf-8"))


def parse_table(name: str, text: str) -> ResultTable:
    """A table from its file.

    Raises:
        ValueError: if a row has not one cell for each column, or a cell is not a number.
    """
    found = tomllib.loads(text)
    columns = tuple(_column(each) for each in found["column"])
    derived = {_measure(each): tuple(each["product"]) for each in found.get("derived", [])}
    rows = tuple(_row(each, len(columns)) for each in found["row"])
    plain = {key: found[key] for key in ("title", "source", "slide", "date", "heading")}
    table = ResultTable(
        name,
        **plain,
        notes=tuple(found["notes"]),
        columns=columns,
        derived=derived,
        rows=rows,
        scores=tuple(found["scores"]),
        rows_are_tasks=found.get("tasks_are") == "rows",
    )
    for key in table.measures:
        table.values(key)
    return table


def _column(given: Mapping[str, Any]) -> Column:
    if given.get("words"):
        return Column(given["label"], "", ())
    parts = given.get("parts", [{}])
    measures = tuple(_measure({**given, **part}) for part in parts)
    return Column(given["label"], given.get("below", ""), measures)


def _measure(given: Mapping[str, Any]) -> Measure:
    key, label = given["key"], given["label"]
    log, noun = given.get("log", False), given.get("noun", label)
    return Measure(key, label, given["unit"], given["better"], log, noun)


def _row(given: Mapping[str, Any], columns: int) -> Row:
    cells = tuple(given["cells"])
    if len(cells) != columns:
        raise ValueError(f"a row must have {columns} cells; got {len(cells)} for {given['name']!r}")
    short = given.get("short", given["name"])
    more = {key: given.get(key, "") for key in ("family", "month", "about")}
    return Row(given["name"], short, cells, **more)
