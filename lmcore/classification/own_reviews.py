"""One's own labelled reviews, from a table with a review and its label in each row.

    text,label
    "a great film, and funny",1
    nothing but noise,negative

All forms that spreadsheets write are read (`lmcore/spreadsheet.py`): another delimiter, a header,
the label first, a column of row numbers. The text is never stored on disk.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from lmcore import spreadsheet
from lmcore.checks import check_between
from lmcore.classification.lexicons import tokenize_review
from lmcore.classification.reviews import HELD_OUT, LabelledReviews, hold_out
from lmcore.spreadsheet import Row, without_index
from lmcore.tokenization.own_text import read_text

FEWEST_ROWS, MOST_ROWS = 2, 2000
MOST_BYTES = 100_000
NAMES = {"text", "review", "sentence", "comment", "label", "sentiment", "class", "polarity"}
"""Names of columns, in the singular, by which a header is recognised."""
LABELS = {"0": 0, "1": 1, "negative": 0, "positive": 1, "neg": 0, "pos": 1}


def parse_reviews(data: bytes | str, seed: int = 0) -> LabelledReviews:
    """The labelled reviews of a table, with 30 % of each label held out at random.

    Blank lines and the names of columns are skipped. A line number in an error is that of the line
    where a row begins.

    Raises:
        ValueError: if the table has more than `MOST_BYTES` bytes or is not text, a row is not a
            text and a label, there are not `FEWEST_ROWS` to `MOST_ROWS` rows, or a label is missing
            from all of them.
    """
    check_size(len(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")))
    texts: list[str] = []
    marks: list[int] = []
    typed = read_text(data if isinstance(data, str) else spreadsheet.decode(data))
    for row in _reviews(without_index(spreadsheet.read_rows(typed), 2)):
        if len(texts) == MOST_ROWS:
            raise ValueError(
                f"the reviews must be at most {MOST_ROWS:,}; line {row.line} is one more"
            )
        text, label = _labelled_text(*row)
        texts.append(text)
        marks.append(label)
    check_between("the number of reviews", len(texts), FEWEST_ROWS, MOST_ROWS)
    if len(set(marks)) == 1:
        raise ValueError(f"the labels must include both 0 and 1; got only {marks[0]}")
    labels = torch.tensor(marks)
    return LabelledReviews(tuple(texts), labels, hold_out(labels, HELD_OUT, seed))


def check_size(size: int) -> None:
    """Raises ValueError if a table of `size` bytes is too large to be read."""
    if size > MOST_BYTES:
        raise ValueError(f"the reviews must have at most {MOST_BYTES:,} bytes; got {size:,}")


def _reviews(rows: Sequence[Row]) -> list[Row]:
    """The rows below a header, each with the label behind the text."""
    pairs = [row.cells for row in rows if len(row.cells) == 2]
    below = pairs[1:] if len(pairs) > 2 else pairs
    turned = bool(below) and all(_is_label(a) and not _is_label(b) for a, b in below)
    rows = [row._replace(cells=row.cells[::-1]) if turned else row for row in rows]
    names = {cell.lower().removesuffix("s") for cell in rows[0].cells} if rows else set()
    return rows[bool(names & NAMES) and not names & LABELS.keys() :]


def _is_label(cell: str) -> bool:
    return cell.lower() in LABELS


def _labelled_text(number: int, row: Sequence[str]) -> tuple[str, int]:
    """The text and the label of a row."""
    if len(row) != 2:
        raise ValueError(
            f"line {number} must be a text and a label, separated by one comma, semicolon or tab; "
            f"got {len(row)} {'part' if len(row) == 1 else 'parts'}: "
            "put a text with commas in double quotes"
        )
    text, label = row
    if label.lower() not in LABELS:
        raise ValueError(
            f"the label in line {number} must be one of {', '.join(LABELS)}; got {label!r:.40}"
        )
    try:
        tokenize_review(text)
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None
    return text, LABELS[label.lower()]
