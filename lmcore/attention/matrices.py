"""Parsing and formatting matrices: one row per line, or rows separated by semicolons."""

from __future__ import annotations

import re

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore.parsing import MAX_CHARACTERS, parse_number
from lmcore.typed import fold_numbers, split_numbers

MOST_ROWS = 16
MOST_COLUMNS = 16
LARGEST = 1e6
"""The largest entry allowed, so that no product of three of them overflows a float."""


def parse_matrix(
    text: str,
    name: str,
    *,
    rows: tuple[int, str] | None = None,
    columns: tuple[int, str] | None = None,
) -> Float64[Tensor, "row column"]:
    """Parse a matrix; `rows` and `columns` say how many it must have, and why.

    Raises:
        ValueError: naming the matrix, the row and the column, what is allowed and what was found.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"{name} must be at most {MAX_CHARACTERS:,} characters; got {len(text):,}")
    lines = [line.strip(" \t,[]()") for line in re.split(r"[;\n]", fold_numbers(text))]
    width = columns[0] if columns else None
    parsed = [_row(line, name, i, width) for i, line in enumerate(filter(None, lines), start=1)]
    _size(f"{name} must have", "row", len(parsed), rows, MOST_ROWS)
    for i, row in enumerate(parsed, start=1):
        if len(row) != len(parsed[0]):
            raise ValueError(
                f"row {i} of {name} must have {count_phrase(len(parsed[0]), 'number')}, as row 1 "
                f"has; got {len(row)}"
            )
    _size(f"row 1 of {name} must have", "number", len(parsed[0]), columns, MOST_COLUMNS)
    return torch.tensor(parsed, dtype=torch.float64)


def format_matrix(values: Float64[Tensor, "row column"]) -> str:
    """The text that `parse_matrix` reads the same numbers from, to 12 significant digits."""
    return "; ".join(" ".join(f"{value:.12g}" for value in row) for row in values.tolist())


def resize_rows(text: str, name: str, count: int) -> str:
    """The text of a matrix with `count` rows: the last ones are left out, or new ones added.

    A new row is the row above it with its numbers moved one place to the right, the last to the
    front: it differs from the row above, and is the same each time.

    Raises:
        ValueError: as `parse_matrix`.
    """
    rows = list(parse_matrix(text, name))[:count]
    while len(rows) < count:
        rows.append(rows[-1].roll(1))
    return format_matrix(torch.stack(rows))


def count_phrase(many: int, noun: str) -> str:
    """A count with its noun: 1 row, 2 rows."""
    return f"{many} {noun}{'' if many == 1 else 's'}"


def _row(line: str, name: str, i: int, width: int | None) -> list[float]:
    row = []
    for j, part in enumerate(split_numbers(line, width), start=1):
        place = f"row {i}, column {j} of {name}"
        value = parse_number(part, place)
        if abs(value) > LARGEST:
            raise ValueError(f"{place} must be from −{LARGEST:,.0f} to {LARGEST:,.0f}; got {part}")
        row.append(value)
    return row


def _size(place: str, noun: str, got: int, wanted: tuple[int, str] | None, most: int) -> None:
    if wanted is not None and got != wanted[0]:
        raise ValueError(f"{place} {count_phrase(wanted[0], noun)}, {wanted[1]}; got {got}")
    if not 1 <= got <= most:
        raise ValueError(f"{place} from 1 to {most} {noun}s; got {got}")
