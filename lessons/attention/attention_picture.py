"""The step table as a picture: its numbers, and the blocks that `attention.js` lays out.

Each number has a name: s1.2 is a score, a scaled, m masked, w a weight, x, q, k, v and z entries
of those matrices; e2, g2 and u2.1 are exp, slope and weighted value in the row of the chosen query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypedDict

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Name, Place
from drawing.payload import Line, NumberName, Script
from lmcore.attention.step_sweep import ScoreScaling
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, StepTable
from lmcore.checks import check_one_of
from lmcore.numbers import subscript
from lmcore.parsing import parse_integer

TableMode = Literal["query", "matrix"]
MODES = {"query": "One query", "matrix": "All queries"}
STAGES = ("x", "q", "k", "v", "score", "scaled", "masked", "exp", "weight", "weighted", "context")
OF_A_TOKEN = ("x", "k", "v", "weighted")
"""Stages whose rows are tokens; the rows of the others are queries."""
MOST_COLUMNS = 16
NARROW = 8
"""A matrix with at most this many columns is drawn whole."""


class Cell(NamedTuple):
    """One number; row and column count from 1. In the stages of one query, the row is the query."""

    stage: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class TableView:
    """The view of the table: the query, the opened cell, the columns drawn of a wide matrix."""

    mode: TableMode
    query: int
    cell: Cell
    columns: int


def table_view(
    mode: str, query: str, cell: str, columns: str, inputs: AttentionInputs
) -> TableView:
    """The view that the settings describe; a query or a cell past the end becomes the last one.

    Raises:
        ValueError: naming what is not allowed.
    """
    check_one_of("the mode", mode, MODES)
    length = len(inputs.tokens)
    chosen = parse_integer(query, "the query")
    wide = parse_integer(columns, "columns shown")
    if chosen < 1:
        raise ValueError(f"the query must be 1 or more; got {chosen}")
    if not 1 <= wide <= MOST_COLUMNS:
        raise ValueError(f"columns shown must be from 1 to {MOST_COLUMNS}; got {wide}")
    row = min(chosen, length)
    open_cell = _cell(cell, inputs, wide)
    if open_cell.stage not in OF_A_TOKEN:
        open_cell = open_cell._replace(row=row)
    return TableView("query" if mode == "query" else "matrix", row, open_cell, wide)


def _cell(text: str, inputs: AttentionInputs, columns: int) -> Cell:
    stage, *places = text.split() or [""]
    if stage not in STAGES or len(places) != 2:
        raise ValueError(
            f"the cell must be one of {', '.join(STAGES)} with a row and a column, such as "
            f"score 1 2; got {text[:40]!r}"
        )
    row, column = (parse_integer(place, f"a place of the cell {stage}") for place in places)
    if min(row, column) < 1:
        raise ValueError(f"a place of the cell {stage} must be 1 or more; got {min(row, column)}")
    if stage == "x" and inputs.inputs is None:
        stage = "q"
    length = len(inputs.tokens)
    return Cell(stage, min(row, length), min(column, _width(stage, inputs, columns)))


def _width(stage: str, inputs: AttentionInputs, columns: int) -> int:
    wide = {"q": inputs.query, "k": inputs.key, "v": inputs.value}
    wide |= {"weighted": inputs.value, "context": inputs.value}
    if inputs.inputs is not None:
        wide["x"] = inputs.inputs
    return shown_columns(wide[stage], columns) if stage in wide else len(inputs.tokens)


def shown_columns(values: Tensor, columns: int) -> int:
    """How many columns of a matrix are drawn; a narrow one is drawn whole."""
    wide = int(values.shape[-1])
    return wide if wide <= NARROW else min(columns, wide)


IN_TABLE = (*(f"{letter}#.#" for letter in "xqkvsamwzu"), "e#", "g#")
"""The names of `numbers`, without those of `ScoreScaling.by_name`."""


class NamedNumbers(NamedTuple):
    """Names, and their values at any number of slider positions."""

    names: tuple[str, ...]
    values: Float64[Tensor, "*position name"]


def numbers(
    inputs: AttentionInputs, table: StepTable, view: TableView, setting: ScoreScaling
) -> NamedNumbers:
    """Every number of the picture, one row per slider position."""
    at = view.query - 1
    rows = [at] if view.mode == "query" else list(range(len(inputs.tokens)))
    every = list(range(len(inputs.tokens)))
    narrow = shown_columns(inputs.value, view.columns)
    value = inputs.value[:, :narrow]
    matrices = (inputs.inputs, inputs.query, inputs.key, inputs.value)
    parts: list[tuple[str, list[int] | None, Tensor]] = [
        *(
            (letter, every, matrix[:, : shown_columns(matrix, view.columns)])
            for letter, matrix in zip("xqkv", matrices, strict=True)
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
    """The name of a vector: q₁."""
    return f"{letter}{subscript(index)}"


MASKED = {"none": "none", "causal": "j ≤ i", "before": "j < i", "padding": "[PAD]"}
"""Short names of the masks, for the title of a column."""
CellRows = list[list[tuple[NumberName, str, str]]]
"""Per cell: the name of its number, what a press opens, and "hidden" if the mask hides it."""
ColourKind = Literal["signed", "probability"]


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """A matrix: its title and shape, its rows, and a row above (the query) or below (the sum)."""

    key: str
    title: str
    sub: str
    """Its shape, or the operation; its numbers may follow the sliders."""
    role: str
    rows: CellRows
    heads: list[str] = field(default_factory=list)
    top: CellRows = field(default_factory=list)
    foot: CellRows = field(default_factory=list)
    kind: ColourKind = "signed"
    """Its colour scale."""
    reach: float = 1.0
    bar: bool = False
    moves: bool = False
    """Whether its numbers follow the sliders."""


class AttentionDrawing(TypedDict):
    """The step table without its texts."""

    mode: TableMode
    tokens: list[str]
    query: int
    cell: str
    blocks: list[MatrixBlock]
    signed: tuple[list[str], list[str]]
    """Colours, and the text colours that are legible on them."""
    probability: tuple[list[str], list[str]]


class AttentionPayload(AttentionDrawing):
    """The step table, and the opened cell multiplied out."""

    lines: list[Line]
    alt: str


class AskedOrOpened(EventDict, total=False):
    """The query that was pressed, or the cell, as "stage row column"."""

    query: Place
    cell: Name


ATTENTION = Script("attention", AttentionPayload, event=AskedOrOpened)


class _Source:
    """The inputs of every block, and which cells the mask hides."""

    def __init__(
        self, inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
    ) -> None:
        self.inputs, self.config, self.table, self.view = inputs, config, table, view
        self.length = len(inputs.tokens)
        mask = config.seen(self.length)
        self.hidden = [[False] * self.length] * self.length if mask is None else (~mask).tolist()

    def wide(self, values: Tensor) -> int:
        return shown_columns(values, self.view.columns)

    def part(self, values: Tensor) -> str:
        """The shape of a matrix, and how many of its columns are drawn."""
        rows, columns = values.shape
        narrow = self.wide(values)
        return f"{rows} × {columns}" + (f", first {narrow}" if narrow < columns else "")


def picture(
    inputs: AttentionInputs, config: AttentionConfig, table: StepTable, view: TableView
) -> AttentionDrawing:
    """The data of `lessons/attention/attention.js` other than the numbers."""
    source = _Source(inputs, config, table, view)
    blocks = _of_one_query(source) if view.mode == "query" else _of_all(source)
    return {
        "mode": view.mode,
        "tokens": list(inputs.tokens),
        "query": view.query,
        "cell": " ".join(map(str, view.cell)),
        "blocks": blocks,
        "signed": theme.diverging_scale(),
        "probability": theme.sequential_scale(),
    }


def _of_one_query(source: _Source) -> list[MatrixBlock]:
    inputs, i = source.inputs, source.view.query
    projected = " = X W^K" if inputs.inputs is not None else ""
    blocks = []
    if inputs.inputs is not None:
        x = _matrix(source, "x", "X", inputs.inputs, "input")
        blocks.append(replace(x, top=x.rows[i - 1 : i]))
    k = _matrix(source, "k", f"K{projected}", inputs.key, "key")
    v = _matrix(source, "v", f"V{projected.replace('K', 'V')}", inputs.value, "value")
    wide = source.wide(inputs.value)
    return [
        *blocks,
        replace(k, top=_cells("q", "q", [i], source.wide(inputs.query))),
        _column(source, i, "score", "q · k", "s"),
        _column(source, i, "scaled", "÷ √d_k", "a", _scaled(source.config)),
        _column(source, i, "masked", "mask", "m", MASKED[source.config.mask]),
        replace(_column(source, i, "exp", "exp", "e", "m − max"), foot=[[("sum", "", "")]]),
        replace(
            _column(source, i, "weight", "α", "w", "softmax"), foot=[[("total", "", "")]], bar=True
        ),
        v,
        MatrixBlock(
            *("u", "α · v", v.sub, "value", _weighted(source, i, wide)),
            heads=v.heads,
            foot=_cells("z", "context", [i], wide),
            reach=v.reach,
            moves=True,
        ),
    ]


def _weighted(source: _Source, i: int, columns: int) -> CellRows:
    rows = _cells("u", "weighted", range(1, source.length + 1), columns)
    blind = source.hidden[i - 1]
    return [
        [(name, opens, "hidden" if hidden else "") for name, opens, _ in row]
        for row, hidden in zip(rows, blind, strict=True)
    ]


def _of_all(source: _Source) -> list[MatrixBlock]:
    inputs = source.inputs
    projected = inputs.inputs is not None
    blocks = [] if inputs.inputs is None else [_matrix(source, "x", "X", inputs.inputs, "input")]
    for letter, values, role in (
        ("q", inputs.query, "query"),
        ("k", inputs.key, "key"),
        ("v", inputs.value, "value"),
    ):
        title = f"{letter.upper()} = X W^{letter.upper()}" if projected else letter.upper()
        blocks.append(_matrix(source, letter, title, values, role))
    z = _matrix(source, "context", "Z = α V", inputs.value, "activation")
    rows = _cells("z", "context", range(1, source.length + 1), len(z.heads))
    return [
        *blocks,
        _square(source, "score", "Q Kᵀ", "s"),
        _square(source, "scaled", "÷ √d_k", "a", _scaled(source.config)),
        _square(source, "masked", "mask", "m", MASKED[source.config.mask]),
        _square(source, "weight", "α", "w", "softmax of each row"),
        replace(z, rows=rows, moves=True),
    ]


def _scaled(config: AttentionConfig) -> str:
    """The divisor of a score, as a template."""
    root = "÷ {root}" if config.scaled else "off"
    return root + ("" if config.temperature == 1 else " ÷ {tau}")


def _matrix(source: _Source, letter: str, title: str, values: Tensor, role: str) -> MatrixBlock:
    wide = source.wide(values)
    rows = _cells(letter[0], letter, range(1, source.length + 1), wide)
    return MatrixBlock(
        *(letter, title, source.part(values), role, rows),
        heads=[str(c) for c in range(1, wide + 1)],
        reach=_reach(values[:, :wide]),
    )


def _cells(letter: str, stage: str, rows: Sequence[int], columns: int) -> CellRows:
    return [
        [(f"{letter}{i}.{c}", f"{stage} {i} {c}", "") for c in range(1, columns + 1)] for i in rows
    ]


def _column(
    source: _Source, i: int, key: str, title: str, letter: str, sub: str = ""
) -> MatrixBlock:
    """The numbers of query i, one per key."""
    place = "" if key == "exp" else f"{i}."
    rows = [
        [(f"{letter}{place}{j}", f"{key} {i} {j}", _blind(source, key, i, j))]
        for j in range(1, source.length + 1)
    ]
    return _stage(source, key, title, sub, rows)


def _square(source: _Source, key: str, title: str, letter: str, sub: str = "") -> MatrixBlock:
    """The numbers of every query with every key."""
    every = range(1, source.length + 1)
    rows = [
        [(f"{letter}{i}.{j}", f"{key} {i} {j}", _blind(source, key, i, j)) for j in every]
        for i in every
    ]
    made = _stage(source, key, title, sub or f"{source.length} × {source.length}", rows)
    return replace(made, heads=[vector("k", j) for j in every])


def _stage(source: _Source, key: str, title: str, sub: str, rows: CellRows) -> MatrixBlock:
    """A block of one stage: coloured as probabilities, or symmetrically about 0."""
    if key in ("exp", "weight"):
        return MatrixBlock(key, title, sub, "activation", rows, kind="probability", moves=True)
    moves = key != "score"
    reach = _reach(source.table.scaled if moves else source.table.scores)
    return MatrixBlock(key, title, sub, "score", rows, reach=reach, moves=moves)


def _blind(source: _Source, key: str, i: int, j: int) -> str:
    """The word "hidden" in the stages from the mask on, if query i may not look at key j."""
    after = key in ("masked", "exp", "weight")
    return "hidden" if after and source.hidden[i - 1][j - 1] else ""


def _reach(values: Tensor) -> float:
    return float(values.abs().max()) or 1.0
