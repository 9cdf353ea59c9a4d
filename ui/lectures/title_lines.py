"""Finds a slide's title, where nothing marks it: the lines with the largest letters, then the top.

A PowerPoint file and a PDF give the lines of a slide with the height of their letters and their
distance from the top, in any unit of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ALIKE = 0.95
"""Letters of at least this share of the largest height count as equally large."""
BELOW = 1.8
"""A line within this many heights below a line of the title continues it."""


class Line(NamedTuple):
    """A line of text on a slide."""

    text: str
    size: float
    """The height of its letters."""
    top: float
    """Its distance from the top of the slide."""


def title_of(lines: Sequence[Line]) -> str:
    """The title among the lines of a slide; empty if none has text.

    It includes the lines of the same size that follow directly, if the rest is smaller.
    """
    written = sorted((each for each in lines if each.text.strip()), key=lambda each: each.top)
    if not written:
        return ""
    largest = max(each.size for each in written)
    large = [each for each in written if each.size >= ALIKE * largest]
    if len(large) == len(written):
        return written[0].text
    title = large[:1]
    for each in large[1:]:
        if each.top - title[-1].top > BELOW * largest:
            break
        title.append(each)
    return " ".join(each.text for each in title)
