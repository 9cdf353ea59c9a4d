"""The step table as a picture: which matrices stand beside one another, and what each cell holds.

Numbers stand under names: s1.2 is a score, a scaled, m masked, w a weight, x, q, k, v and z entries
of those matrices; e2, g2 and u2.1 are exp, slope and weighted value of the row that is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore.attention.step_sweep import ScoreScaling
from lmcore.attention.step_table import AttentionInputs, StepTable
from lmcore.numbers import subscript
from lmcore.parsing import parse_integer

TableMode = Literal["query", "matrix"]
MODES = {"query": "One query", "matrix": "All queries"}
STAGES = ("x", "q", "k", "v", "score", "scaled", "masked", "exp", "weight", "weighted", "context")
OF_A_TOKEN = ("x", "k", "v", "weighted")
"""Of these the row is a token's; of the others, the query's."""
MOST_COLUMNS = 16
NARROW = 8
"""So many columns are always drawn."""


class Cell(NamedTuple):
    """One number: row and column count from 1; of the stages of one query, the row is the query."""

    stage: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class TableView:
    """How the table is looked at: the query, the opened cell, columns shown of a wide matrix."""

    mode: TableMode
    query: int
    cell: Cell
    columns: int


def table_view(mode: str, query: str, cell: str, columns: str, given: AttentionInputs) -> TableView:
    """The settings as they are read; what lies beyond a shorter text is its end.

    Raises:
        ValueError: naming what is not allowed.
    """
    if mode not in MODES:
        raise ValueError(f"the mode must be one of {', '.join(MODES)}; got {mode!r}")
    length = len(given.tokens)
    asked = parse_integer(query, "the query")
    wide = parse_integer(columns, "columns shown")
    if asked < 1:
        raise ValueError(f"the query must be 1 or more; got {asked}")
    if not 1 <= wide <= MOST_COLUMNS:
        raise ValueError(f"columns shown must be from 1 to {MOST_COLUMNS}; got {wide}")
    at = min(asked, length)
    opened = _cell(cell, given, wide)
    if opened.stage not in OF_A_TOKEN:
        opened = opened._replace(row=at)
    return TableView("query" if mode == "query" else "matrix", at, opened, wide)


def _cell(text: str, given: AttentionInputs, columns: int) -> Cell:
    stage, *places = text.split() or [""]
    if stage not in STAGES or len(places) != 2:
        raise ValueError(
            f"the cell must be one of {', '.join(STAGES)} with a row and a column, such as "
            f"score 1 2; got {text[:40]!r}"
        )
    row, column = (parse_integer(place, f"a place of the cell {stage}") for place in places)
    if min(row, column) < 1:
        raise ValueError(f"a place of the cell {stage} must be 1 or more; got {min(row, column)}")
    if stage == "x" and given.inputs is None:
        stage = "q"
    length = len(given.tokens)
    return Cell(stage, min(row, length), min(column, _width(stage, given, columns)))


def _width(stage: str, given: AttentionInputs, columns: int) -> int:
    wide = {"q": given.query, "k": given.key, "v": given.value}
    wide |= {"weighted": given.value, "context": given.value}
    if given.inputs is not None:
        wide["x"] = given.inputs
    return shown_columns(wide[stage], columns) if stage in wide else len(given.tokens)


def shown_columns(values: Tensor, columns: int) -> int:
    """How many columns of a matrix are drawn: all of a narrow one."""
    wide = int(values.shape[-1])
    return wide if wide <= NARROW else min(columns, wide)


class NamedNumbers(NamedTuple):
    """Names, and what they stand for at any number of positions."""

    names: tuple[str, ...]
    values: Float64[Tensor, "*position name"]


def numbers(
    given: AttentionInputs, table: StepTable, seen: TableView, setting: ScoreScaling
) -> NamedNumbers:
    """Every number of the picture, in one row a position."""
    at = seen.query - 1
    rows = [at] if seen.mode == "query" else list(range(len(given.tokens)))
    every = list(range(len(given.tokens)))
    narrow = shown_columns(given.value, seen.columns)
    value = given.value[:, :narrow]
    parts: list[tuple[str, list[int] | None, Tensor]] = [
        *(
            (letter, every, matrix[:, : shown_columns(matrix, seen.columns)])
            for letter, matrix in zip("xqkv", (given.inputs, given.query, given.key, given.value),
                                      strict=True)
            if matrix is not None
        ),
        ("s", rows, table.scores[rows]),
        ("a", rows, table.scaled[..., rows, :]),
        ("m", rows, table.masked[..., rows, :]),
        ("w", rows, table.weights[..., rows, :]),
        ("z", rows, table.context[..., rows, :narrow]),
        ("u", every, table.weights[..., at, :, None] * value),
        ("e", None, table.exponentials[..., at, None, :]),
        ("g", None, table.slopes[..., at, None, :]),
    ]  # fmt: skip
    names, columns = [], []
    position = table.scaled.shape[:-2]
    for letter, places, values in parts:
        for i, j in np.ndindex(*values.shape[-2:]):
            names.append(
                f"{letter}{j + 1}" if places is None else f"{letter}{places[i] + 1}.{j + 1}"
            )
        columns.append(values.flatten(-2).expand(*position, -1))
    for name, each in setting.by_name(table, at).items():
        names.append(name)
        columns.append(each.expand(position)[..., None])
    return NamedNumbers(tuple(names), torch.cat(columns, dim=-1))


def vector(letter: str, index: int) -> str:
    """q₁"""
    return f"{letter}{subscript(index)}"
