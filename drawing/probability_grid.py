"""A grid of probabilities: one row per model or quantity, a colour and a number in each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from drawing.payload import Script
from drawing.theme import probability_colours
from lmcore.numbers import format_number

IMPOSSIBLE = "✕ 0"
LABELS = {
    "unigram": "Unigram",
    "bigram": "Bigram",
    "trigram": "Trigram",
    "trigram-add": "Trigram, add-1",
    "trigram-kn": "Trigram, Kneser–Ney",
    "fivegram-kn": "5-gram, Kneser–Ney",
    "feedforward": "Feedforward",
    "rnn": "RNN",
    "gru": "GRU",
    "lstm": "LSTM",
}


def cell(p: float) -> tuple[str, str, str]:
    """A probability as text, with the colour of its cell and the ink on it.

    An impossible word has neither colour nor ink: its cell shows the sign only.
    """
    if p == 0:
        return IMPOSSIBLE, "", ""
    return format_number(p), *probability_colours(
        min(p, 1.0)
    )  # rounding may leave a softmax a little above 1


class GridEnd(TypedDict):
    """A number at the end of each row, and its name."""

    name: str
    texts: list[str]


class Grid(TypedDict):
    """Rows of probabilities: the text, the colour and the ink of each cell, row by row."""

    columns: list[str]
    labels: list[str]
    texts: list[str]
    fills: list[str]
    inks: list[str]
    here: tuple[int, int] | None
    """Row and column of the selected cell."""
    ends: list[GridEnd]


class DescribedGrid(Grid):
    """A grid, with its text alternative."""

    alt: str


class NamedGrid(DescribedGrid):
    """A grid with the name of its file."""

    name: str


CELLS = Script("cells", NamedGrid)


def grid(
    columns: Sequence[str],
    rows: Mapping[str, Sequence[float]],
    *,
    here: tuple[int, int] | None = None,
    ends: Mapping[str, Sequence[float]] | None = None,
) -> Grid:
    """The data of the script `cells`: one row per model, p per column, then the totals."""
    drawn = [cell(p) for row in rows.values() for p in row]
    return {
        "columns": list(columns),
        "labels": list(rows),
        "texts": [text for text, _, _ in drawn],
        "fills": [fill for _, fill, _ in drawn],
        "inks": [ink for _, _, ink in drawn],
        "here": here,
        "ends": [
            {"name": name, "texts": [format_number(value) for value in values]}
            for name, values in (ends or {}).items()
        ],
    }
