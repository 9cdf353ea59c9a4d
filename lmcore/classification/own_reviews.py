"""One's own labelled reviews, from CSV text with a review and its label per line.

    text,label
    "a great film, and funny",1
    nothing but noise,negative

The first line may be that header. The text is never stored on disk.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import torch

from lmcore.checks import check_between
from lmcore.classification.lexicons import tokenize_review
from lmcore.classification.reviews import HELD_OUT, LabelledReviews, hold_out
from lmcore.tokenization.own_text import read_text

FEWEST_ROWS, MOST_ROWS = 2, 2000
MOST_BYTES = 100_000
HEADER = ["text", "label"]
LABELS = {"0": 0, "1": 1, "negative": 0, "positive": 1}


def parse_reviews(data: bytes | str, seed: int = 0) -> LabelledReviews:
    """The labelled reviews of a CSV text, with 30 % of each label held out at random.

    Blank lines are skipped. A line number in an error is that of the line where a row begins.

    Raises:
        ValueError: if the text has more than `MOST_BYTES` bytes or is not plain UTF-8, a row is not
            a text and a label, there are not `FEWEST_ROWS` to `MOST_ROWS` rows, or a label is
            missing from all of them.
    """
    size = len(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise ValueError(f"the reviews must have at most {MOST_BYTES:,} bytes; got {size:,}")
    texts: list[str] = []
    marks: list[int] = []
    for number, row in _rows(read_text(data)):
        if len(texts) == MOST_ROWS:
            raise ValueError(
                f"the reviews must be at most {MOST_ROWS:,}; line {number} is one more"
            )
        text, label = _labelled_text(number, row)
        texts.append(text)
        marks.append(label)
    check_between("the number of reviews", len(texts), FEWEST_ROWS, MOST_ROWS)
    if len(set(marks)) == 1:
        raise ValueError(f"the labels must include both 0 and 1; got only {marks[0]}")
    labels = torch.tensor(marks)
    return LabelledReviews(tuple(texts), labels, hold_out(labels, HELD_OUT, seed))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Every row that is not blank, nor the header, with the number of its first line."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    first = True
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ValueError(
                f"line {number} must be a text and a label, with quotes in pairs; got {error}"
            ) from None
        row = [cell.strip() for cell in row]
        if any(row) and not (first and [cell.lower() for cell in row] == HEADER):
            yield number, row
        first = first and not any(row)


def _labelled_text(number: int, row: list[str]) -> tuple[str, int]:
    """The text and the label of a row."""
    if len(row) != 2:
        raise ValueError(
            f"line {number} must be a text and a label, separated by one comma; "
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
