"""The blocks of the step table: matrices of named cells that `attention.js` lays out and fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

from torch import Tensor

from lessons.attention.picture import TableView, shown_columns, vector
from lessons.shared import theme
from lmcore.attention.step_table import AttentionConfig, AttentionInputs, StepTable

MASKED = {"none": "none", "causal": "j ≤ i", "before": "j < i", "padding": "[PAD]"}
"""The masks, as short as a column's head."""
CellRows = list[list[list[str]]]
"""Of each cell its number's name, what a press opens, and "hidden" if the mask hides it."""


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """A matrix: its title and shape, its rows, and a row above (the query) or below (the sum)."""

    key: str
    title: str
    sub: str
    """Its shape, or what is done; with numbers that follow the sliders."""
    role: str
    rows: CellRows
    heads: list[str] = field(default_factory=list)
    top: CellRows = field(default_factory=list)
    foot: CellRows = field(default_factory=list)
    kind: str = "signed"
    """How it is coloured: "signed" or "probability"."""
    reach: float = 1.0
    bar: bool = False
    moves: bool = False
    """Whether its numbers follow the sliders."""


class _Source:
    """What every block is made from."""

    def __init__(
        self, given: AttentionInputs, how: AttentionConfig, table: StepTable, seen: TableView
    ) -> None:
        self.given, self.how, self.table, self.seen = given, how, table, seen
        self.length = len(given.tokens)
        mask = how.seen(self.length)
        self.hidden = [[False] * self.length] * self.length if mask is None else (~mask).tolist()

    def wide(self, values: Tensor) -> int:
        return shown_columns(values, self.seen.columns)

    def part(self, values: Tensor) -> str:
        """The shape, and how much of it is drawn."""
        rows, columns = values.shape
        narrow = self.wide(values)
        return f"{rows} × {columns}" + (f", first {narrow}" if narrow < columns else "")


def picture(
    given: AttentionInputs, how: AttentionConfig, table: StepTable, seen: TableView
) -> dict[str, object]:
    """What `lessons/attention/attention.js` draws besides the numbers."""
    source = _Source(given, how, table, seen)
    blocks = _of_one_query(source) if seen.mode == "query" else _of_all(source)
    return {
        "mode": seen.mode,
        "tokens": list(given.tokens),
        "query": seen.query,
        "cell": " ".join(map(str, seen.cell)),
        "blocks": [asdict(block) for block in blocks],
        "signed": theme.diverging_scale(),
        "probability": theme.sequential_scale(),
    }


def _of_one_query(source: _Source) -> list[MatrixBlock]:
    given, i = source.given, source.seen.query
    projected = " = X W^K" if given.inputs is not None else ""
    blocks = []
    if given.inputs is not None:
        x = _matrix(source, "x", "X", given.inputs, "input")
        blocks.append(replace(x, top=x.rows[i - 1 : i]))
    k = _matrix(source, "k", f"K{projected}", given.key, "key")
    v = _matrix(source, "v", f"V{projected.replace('K', 'V')}", given.value, "value")
    wide = source.wide(given.value)
    return [
        *blocks,
        replace(k, top=_cells("q", "q", [i], source.wide(given.query))),
        _column(source, i, "score", "q · k", "s"),
        _column(source, i, "scaled", "÷ √d_k", "a", _scaled(source.how)),
        _column(source, i, "masked", "mask", "m", MASKED[source.how.mask]),
        replace(_column(source, i, "exp", "exp", "e", "m − max"), foot=[[["sum", "", ""]]]),
        replace(
            _column(source, i, "weight", "α", "w", "softmax"), foot=[[["total", "", ""]]], bar=True
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
        [[name, opens, "hidden" if hidden else ""] for name, opens, _ in row]
        for row, hidden in zip(rows, blind, strict=True)
    ]


def _of_all(source: _Source) -> list[MatrixBlock]:
    given = source.given
    projected = given.inputs is not None
    blocks = [] if given.inputs is None else [_matrix(source, "x", "X", given.inputs, "input")]
    for letter, values, role in (
        ("q", given.query, "query"),
        ("k", given.key, "key"),
        ("v", given.value, "value"),
    ):
        title = f"{letter.upper()} = X W^{letter.upper()}" if projected else letter.upper()
        blocks.append(_matrix(source, letter, title, values, role))
    z = _matrix(source, "context", "Z = α V", given.value, "activation")
    rows = _cells("z", "context", range(1, source.length + 1), len(z.heads))
    return [
        *blocks,
        _square(source, "score", "Q Kᵀ", "s"),
        _square(source, "scaled", "÷ √d_k", "a", _scaled(source.how)),
        _square(source, "masked", "mask", "m", MASKED[source.how.mask]),
        _square(source, "weight", "α", "w", "softmax of each row"),
        replace(z, rows=rows, moves=True),
    ]


def _scaled(how: AttentionConfig) -> str:
    """What a score is divided by, as a template."""
    root = "÷ {root}" if how.scaled else "off"
    return root + ("" if how.temperature == 1 else " ÷ {tau}")


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
        [[f"{letter}{i}.{c}", f"{stage} {i} {c}", ""] for c in range(1, columns + 1)] for i in rows
    ]


def _column(
    source: _Source, i: int, key: str, title: str, letter: str, sub: str = ""
) -> MatrixBlock:
    """One number a key, all of query i."""
    place = "" if key == "exp" else f"{i}."
    rows = [
        [[f"{letter}{place}{j}", f"{key} {i} {j}", _blind(source, key, i, j)]]
        for j in range(1, source.length + 1)
    ]
    return _stage(source, key, title, sub, rows)


def _square(source: _Source, key: str, title: str, letter: str, sub: str = "") -> MatrixBlock:
    """Every query with every key."""
    every = range(1, source.length + 1)
    rows = [
        [[f"{letter}{i}.{j}", f"{key} {i} {j}", _blind(source, key, i, j)] for j in every]
        for i in every
    ]
    made = _stage(source, key, title, sub or f"{source.length} × {source.length}", rows)
    return replace(made, heads=[vector("k", j) for j in every])


def _stage(source: _Source, key: str, title: str, sub: str, rows: CellRows) -> MatrixBlock:
    """Coloured by probability, or by value, symmetric about 0."""
    if key in ("exp", "weight"):
        return MatrixBlock(key, title, sub, "activation", rows, kind="probability", moves=True)
    moves = key != "score"
    reach = _reach(source.table.scaled if moves else source.table.scores)
    return MatrixBlock(key, title, sub, "score", rows, reach=reach, moves=moves)


def _blind(source: _Source, key: str, i: int, j: int) -> str:
    """What is hidden from the mask on, if query i may not look at key j."""
    after = key in ("masked", "exp", "weight")
    return "hidden" if after and source.hidden[i - 1][j - 1] else ""


def _reach(values: Tensor) -> float:
    return float(values.abs().max()) or 1.0
