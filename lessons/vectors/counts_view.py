"""The view “Counts”: the counts of pairs, PPMI, its best rank-d approximation, and the vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from jaxtyping import Float64
from torch import Tensor
from typing_extensions import TypedDict

import ui
from drawing import theme
from drawing.events import Name
from drawing.payload import NumberArray, Script
from lessons.vectors.vectors_state import SETTINGS, Counted, VectorsState, counted_text, put_words
from lmcore.embeddings.static.counts import (
    CooccurrenceCounts,
    MutualInformation,
    cell_places,
    mutual_information,
)
from lmcore.embeddings.static.svd import TruncatedSVD, truncated_svd
from lmcore.embeddings.static.vectors import word_index
from lmcore.numbers import format_number
from ui import compute

MOST_SHOWN = 12
OPENED = 6
"""The number of sentences that an open cell shows."""
SHOWN_DIMENSIONS = 6


class WordMatrixPayload(TypedDict):
    """A matrix of words by words, or by dimensions, and the cell that is open."""

    rows: Sequence[str]
    columns: Sequence[str]
    numbers: NumberArray
    fills: list[str]
    inks: list[str]
    row: int
    column: int
    kind: str
    caption: str


class PressedCell(TypedDict):
    """The words of a cell's row and column."""

    row: Name
    column: Name


WORD_MATRIX = Script("wordmatrix", WordMatrixPayload, ("cell",), PressedCell)


class Table(NamedTuple):
    """Which words are shown, and which cell is open."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: tuple[str, str]


def read_table(counts: CooccurrenceCounts) -> Table:
    """The rows, the columns and the open cell of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    rows = _listed(counts, "wv_rows", "the rows")
    columns = _listed(counts, "wv_columns", "the columns")
    cell = SETTINGS.several("wv_cell")
    if len(cell) != 2:
        raise ValueError(f"the cell must be a row and a column, two words; got {len(cell)}")
    for word in cell:
        word_index(counts.words, word)
    return Table(rows, columns, (cell[0], cell[1]))


def _listed(counts: CooccurrenceCounts, setting: str, place: str) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(each.lower() for each in SETTINGS.several(setting)))
    if not 1 <= len(words) <= MOST_SHOWN:
        raise ValueError(f"{place} must be 1 to {MOST_SHOWN} words; got {len(words)}")
    for word in words:
        word_index(counts.words, word)
    return words


def usual_table(counts: CooccurrenceCounts) -> Table:
    """A table of the most frequent words, for a text that lacks the controls' words."""
    words = counts.words[: min(8, len(counts.words))]
    return Table(words, words, (words[0], words[-1]))


class Matrices(NamedTuple):
    """PPMI and its decomposition."""

    information: MutualInformation
    svd: TruncatedSVD


def matrices(now: VectorsState) -> Matrices:
    """PPMI of the counts and its truncated SVD, computed once for all visitors."""
    config = now.config
    decompose = partial(
        _matrices, now.text, now.own, config.window, config.smoothing, config.dimensions
    )
    return compute.shared_result("word matrices", decompose, most=4, says="Decomposing")


def _matrices(text: str, own: str, window: int, smoothing: float, dimensions: int) -> Matrices:
    counts = counted_text(text, own, window).counts
    information = mutual_information(counts.counts, smoothing)
    d = min(dimensions, len(counts.words))
    return Matrices(information, truncated_svd(information.ppmi, d))


def counts_view(now: VectorsState) -> None:
    """Draw the matrix, and open one of its cells."""
    counted = counted_text(now.text, now.own, now.config.window)
    counts = counted.counts
    usual = usual_table(counts)
    put_words("wv_rows", counts.words, usual.rows)
    put_words("wv_columns", counts.words, usual.columns)
    put_words("wv_cell", counts.words, usual.cell)
    table = ui.validated_or_previous(
        f"word_matrix_{now.text}", lambda: read_table(counts), lambda: usual
    )
    found = matrices(now)
    left, right = st.columns([3, 2])
    with left:
        SETTINGS.draw("wv_matrix")
        kind = SETTINGS.choice("wv_matrix")
        st.markdown(_finding(kind, counts, found))
        data = matrix_data(kind, counts, found, table)
        live = ui.LiveNumbers("word_matrix", ("cell",), np.zeros(1))
        ui.picture(WORD_MATRIX, live, data, on_event=store_cell)
        SETTINGS.draw("wv_rows", "wv_columns")
    with right:
        open_cell(counted, found, table.cell)


def store_cell(event: PressedCell) -> None:
    """Store the cell that was pressed."""
    if not event["column"].isdecimal():
        ui.set_controls({"wv_cell": f"{event['row']}, {event['column']}"})


def _finding(kind: str, counts: CooccurrenceCounts, found: Matrices) -> str:
    svd = found.svd
    words = len(counts.words)
    return {
        "counts": f"**X**, {words} × {words} words: how often the column’s word stands within "
        f"±{counts.pairs.window} of the row’s. Frequent words fill it.",
        "PPMI": "**PPMI**: how much more often than by chance, "
        "$\\max(0, \\log\\frac{p(w, c)}{p(w)\\,p_\\alpha(c)})$. "
        "Frequent words no longer stand out.",
        "rank": f"$U_d \\Sigma_d V_d^\\top$, d = {svd.dimensions}: the nearest matrix of rank "
        f"{svd.dimensions} keeps **{svd.explained:.1%}** of ‖PPMI‖².",
        "vectors": "$U_d \\Sigma_d^{1/2}$: each row is a word’s vector; the first "
        f"{min(SHOWN_DIMENSIONS, svd.dimensions)} of {svd.dimensions} numbers. Rows that are alike "
        "are words that are alike.",
    }[kind]


def matrix_data(
    kind: str, counts: CooccurrenceCounts, found: Matrices, table: Table
) -> WordMatrixPayload:
    """The data of `lessons/vectors/wordmatrix.js`."""
    rows = [word_index(counts.words, word) for word in table.rows]
    columns = [word_index(counts.words, word) for word in table.columns]
    svd = found.svd
    if kind == "vectors":
        shown = min(SHOWN_DIMENSIONS, svd.dimensions)
        cells, names = svd.vectors[rows, :shown], tuple(str(i + 1) for i in range(shown))
    else:
        whole = {"counts": counts.counts, "PPMI": found.information.ppmi}.get(kind)
        whole = svd.reconstruction if whole is None else whole
        cells, names = whole[rows][:, columns], table.columns
    fills, inks = cell_colours(cells, signed=kind in ("rank", "vectors"))
    row, column = table.cell
    return {
        "rows": table.rows,
        "columns": names,
        "numbers": cells.numpy(),
        "fills": fills,
        "inks": inks,
        "row": table.rows.index(row) if row in table.rows else -1,
        "column": names.index(column) if column in names else -1,
        "kind": {"counts": "X", "PPMI": "PPMI", "rank": "rank d"}.get(kind, "vector"),
        "caption": f"{kind}: rows {', '.join(table.rows)}; columns {', '.join(names)}",
    }


def cell_colours(
    cells: Float64[Tensor, "row column"], *, signed: bool
) -> tuple[list[str], list[str]]:
    """The colour of each cell relative to the largest, and a legible text colour on it."""
    fills, inks = theme.diverging_scale() if signed else theme.sequential_scale()
    most = float(cells.abs().max()) or 1.0
    last = len(fills) - 1
    shares = (cells / most).flatten().tolist()
    places = [round((share + 1) / 2 * last) if signed else round(share * last) for share in shares]
    return [fills[i] for i in places], [inks[i] for i in places]


def open_cell(counted: Counted, found: Matrices, cell: tuple[str, str]) -> None:
    """Show how one cell is computed, and the sentences in which it was counted."""
    counts, information = counted.counts, found.information
    word, context = cell
    i, j = word_index(counts.words, word), word_index(counts.words, context)
    x, total = int(counts.counts[i, j]), int(counts.counts.sum())
    st.markdown(f"**{word}, {context}**: counted **{x}** times, of {total:,} pairs.")
    if x:
        joint, expected = float(information.joint[i, j]), float(information.expected[i, j])
        pmi = float(information.pmi[i, j])
        st.latex(
            rf"\log\frac{{p(w,c)}}{{p(w)\,p_\alpha(c)}} = \log\frac{{{_tex(joint)}}}"
            rf"{{{_tex(float(information.word[i]))}\cdot{_tex(float(information.context[j]))}}}"
        )
        st.latex(rf"= \log {_tex(joint / expected)} = {_tex(pmi)}")
    else:
        st.markdown("A pair that was never counted has PPMI 0.")
    rebuilt = format_number(float(found.svd.reconstruction[i, j]))
    st.markdown(
        f"PPMI **{format_number(float(information.ppmi[i, j]))}**; by rank "
        f"{found.svd.dimensions}: **{rebuilt}**."
    )
    for line in _sentences_of_cell(counted, word, context):
        st.markdown(line)
    if x > OPENED:
        st.caption(f"The first {OPENED} of {x}; the number is that of the sentence.")


def _sentences_of_cell(counted: Counted, word: str, context: str) -> Iterator[str]:
    """The first sentences in which a pair was counted, numbered, both of its words bold."""
    found = cell_places(counted.counts, word, context)
    columns = (found.sentences, found.positions, found.context_positions)
    places = zip(*(each[:OPENED].tolist() for each in columns), strict=True)
    for sentence, *pair in places:
        words = (ui.escape_markdown(each) for each in counted.sentences[sentence])
        marked = (f"**{each}**" if k in pair else each for k, each in enumerate(words))
        yield f"{sentence + 1}. " + " ".join(marked)


def _tex(value: float) -> str:
    text = format_number(value).replace("−", "-")
    mantissa, times, power = text.partition("×10")
    if not times:
        return text
    digits = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return rf"{mantissa}\cdot 10^{{{digits}}}"
