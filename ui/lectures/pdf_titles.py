"""The titles of slides saved as a PDF: one per frame, without the lines that recur on them."""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ui.lectures.title_lines import Line, title_of

RUNNING = 0.5
"""The share of the frames on which a line must be in the same place to count as a running line."""
LEAST_RUNNING = 3
"""The least number of such frames."""
NUMBERS = re.compile(r"\d+")


def of_pdf(data: bytes, most: int) -> list[str]:
    """The title of each frame; empty for one without text.

    Pages that build up one frame, step by step, are one row.

    Raises:
        LookupError: if it is not a PDF that can be read.
        ValueError: if it has more than `most` pages.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data))
        if (count := len(reader.pages)) > most:
            raise ValueError(f"the file must have at most {most} slides; got {count}")
        pages = [_lines(page) for page in reader.pages]
        labels = reader.page_labels
    except PyPdfError as error:
        raise LookupError(str(error)) from None
    frames = _frames(pages, labels if len(set(labels)) < len(labels) else [])
    running = _running(frames)
    return [title_of([each for each in frame if _place(each) not in running]) for frame in frames]


def _lines(page: Any) -> list[Line]:
    """The lines of a page, in the order in which they are written."""
    top = float(page.mediabox.top)
    found: list[tuple[float, float, list[str]]] = []

    def visit(text: str, ctm: Any, matrix: Any, _: Any, height: float) -> None:
        if not text.strip():
            if found and text:
                found[-1][2].append(" ")
            return
        size = abs(height) * math.hypot(matrix[2], matrix[3]) * math.hypot(ctm[2], ctm[3])
        y = matrix[4] * ctm[1] + matrix[5] * ctm[3] + ctm[5]
        same = found and abs(found[-1][0] - y) < 0.5 * size and abs(found[-1][1] - size) < 0.5
        if same:
            found[-1][2].append(text)
        else:
            found.append((y, size, [text]))

    page.extract_text(visitor_text=visit)
    return [
        Line(" ".join("".join(parts).split()), round(size, 1), top - y) for y, size, parts in found
    ]


def _frames(pages: Sequence[list[Line]], labels: Sequence[str]) -> list[list[Line]]:
    """The last page of each frame; its pages share a label, or each adds lines to the last."""
    frames: list[list[Line]] = []
    for number, page in enumerate(pages):
        if number and (
            labels[number] == labels[number - 1] if labels else _goes_on(pages[number - 1], page)
        ):
            frames[-1] = page
        else:
            frames.append(page)
    return frames


def _goes_on(before: Sequence[Line], after: Sequence[Line]) -> bool:
    """Whether a page has every line of the one before in its place, and at least one more."""
    had = Counter((each.text, round(each.top)) for each in before)
    has = Counter((each.text, round(each.top)) for each in after)
    return bool(had) and had <= has and had != has


def _running(frames: Sequence[list[Line]]) -> set[tuple[str, int]]:
    """Running lines (headers, footers and navigation), by `_place`."""
    found = Counter(place for frame in frames for place in {_place(each) for each in frame})
    least = max(LEAST_RUNNING, RUNNING * len(frames))
    return {place for place, count in found.items() if count >= least}


def _place(line: Line) -> tuple[str, int]:
    """A line without its numbers, which count the slides, and its place on the slide."""
    return NUMBERS.sub("#", line.text), round(line.top / 4)
