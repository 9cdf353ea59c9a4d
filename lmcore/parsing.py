"""Parses typed or pasted numbers; errors name the position."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore.spreadsheet import read_rows, without_index
from lmcore.typed import fold_number, fold_numbers, is_ambiguous, split_numbers

MAX_CHARACTERS = 4_000
"""The most characters of an input, as it is also part of the page address."""
MOST_ROWS = 500
EXCERPT_LENGTH = 24


def parse_number(text: str, place: str) -> float:
    """One finite number.

    Raises:
        ValueError: naming `place`, if `text` is empty, not a number, NaN or infinite, or may be
            thousands as well as a decimal.
    """
    typed = fold_number(text)
    if is_ambiguous(typed):
        whole, decimal = typed.replace(",", ""), typed.replace(",", ".")
        raise ValueError(
            f"{place} must be written without a comma, {whole} or {decimal}; got {_short(text)}"
        )
    try:
        value = float(typed)
    except ValueError:
        raise ValueError(f"{place} must be a number such as 0.4; got {_short(text)}") from None
    if not math.isfinite(value):
        raise ValueError(f"{place} must be a finite number; got {_short(text)}")
    return value


def parse_integer(text: str, place: str) -> int:
    """One whole number; commas between its thousands may stay.

    Raises:
        ValueError: naming `place`, if `text` is not one, or longer than nine digits.
    """
    typed = fold_number(text)
    try:
        value = parse_number(typed.replace(",", "") if is_ambiguous(typed) else typed, place)
    except ValueError:
        value = math.nan
    if not value.is_integer():
        raise ValueError(f"{place} must be a whole number such as 100; got {_short(text)}")
    if abs(value) >= 1e9:
        raise ValueError(f"{place} must have at most nine digits; got {_short(text)}")
    return int(value)


def parse_numbers(text: str, place: str) -> tuple[float, ...]:
    """A list of numbers separated by commas, semicolons or blanks; brackets around it may stay.

    Decimal commas are read as `typed.split_numbers` says.

    Raises:
        ValueError: naming `place` and which number of the list it was.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"{place} must be at most {MAX_CHARACTERS:,} characters; got {len(text):,}"
        )
    parts = split_numbers(text)
    if not parts:
        raise ValueError(f"{place} must hold at least one number such as 0.3, 0.2; got nothing")
    return tuple(
        parse_number(part, f"number {i} of {place}") for i, part in enumerate(parts, start=1)
    )


def parse_rows(text: str, width: int) -> Float[Tensor, "row input"]:
    """A pasted table: one row a line, `width` numbers a row, an optional line of names on top.

    All forms that spreadsheets write are read (`lmcore/spreadsheet.py`), row numbers included.

    Raises:
        ValueError: naming the line and column, if it is empty, too long, or ragged.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"the table must be at most {MAX_CHARACTERS:,} characters; got {len(text):,}"
        )
    rows = without_index(read_rows(fold_numbers(text)), width)
    if rows and not any(_is_number(cell) for cell in rows[0].cells):
        rows = rows[1:]
    if not rows:
        raise ValueError("the table must hold at least one row of numbers; got none")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"the table must have at most {MOST_ROWS:,} rows; got {len(rows):,}")
    for line, cells in rows:
        if len(cells) != width:
            raise ValueError(f"line {line} must have {width} numbers; got {len(cells)}")
    values = [
        [parse_number(cell, f"line {line}, column {j}") for j, cell in enumerate(cells, start=1)]
        for line, cells in rows
    ]
    return torch.tensor(values, dtype=torch.float64)


def _is_number(text: str) -> bool:
    try:
        float(fold_number(text))
    except ValueError:
        return False
    return True


def _short(text: str) -> str:
    typed = text.strip()
    if typed and not any(letter.isprintable() for letter in typed):
        return "characters that cannot be seen"
    return (
        repr(typed if len(typed) <= EXCERPT_LENGTH else typed[:EXCERPT_LENGTH] + "…")
        if typed
        else "nothing"
    )
