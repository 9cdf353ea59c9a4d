"""The random walk: the numbers that follow the needle, and the data of its picture."""

from __future__ import annotations

import math
from typing import Literal, TypedDict

import torch
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing.events import Name
from drawing.live import LiveNumbers, Slider, live_numbers
from drawing.payload import NumberName, Script
from lessons.generation.generation_picture import label
from lessons.generation.needle_lines import DrawnLine, Walk
from lmcore.decoding.writer import Writer

Shown = Literal["line", "draw", "text"]
"""A key of `generation_state.WALK_SHOWN`."""
MOST_LINES = 8
"""The most lines of a text that are drawn."""


class WalkPart(TypedDict):
    """A word's part of a line."""

    word: str
    low: float
    high: float


class WalkLine(TypedDict):
    """A step of the text: what is written before it, its line, and the part that was drawn."""

    before: list[str]
    parts: list[WalkPart]
    drawn: int
    u: NumberName
    p: NumberName


class WalkPayload(TypedDict):
    """What is shown, and the lines of the text."""

    shown: Shown
    prompt: str
    words: list[str]
    """The words on which the needle can fall; a number chooses among them."""
    partOf: list[int]
    """The part of each, or −1 where its part is not drawn."""
    lines: list[WalkLine]
    widest: int
    """The part of the first line that greedy search takes."""
    others: int
    """How many words of the first line have no part of their own."""


class WalkPress(EventDict):
    """What was pressed: the needle that hangs over the line."""

    show: Name


WALK = Script(
    "needle",
    WalkPayload,
    ("u", "@word", "p", "low", "high", "top", "rest", "part #", "u #", "p #", "text"),
    WalkPress,
)


def words_under_needle(found: Walk) -> list[int]:
    """The tokens on which the needle falls at some position, in the order of the ids."""
    return sorted({*found.tokens.tolist(), found.lines[0].drawn.token})


def numbers(found: Walk) -> LiveNumbers:
    """The numbers of the picture now, and at every position of the needle.

    p is that of the word under the needle, from low to high; top that of the widest part, rest
    that of all words without a part; u # and p # are those of each step, text their product.
    """
    first = found.lines[0]
    order = {token: n for n, token in enumerate(words_under_needle(found))}
    drawn = first.drawn
    now = {
        "u": first.u,
        "@word": float(order[drawn.token]),
        "p": drawn.high - drawn.low,
        "low": drawn.low,
        "high": drawn.high,
        **_still(found),
    }
    moved = {
        "u": found.at,
        "@word": torch.tensor([float(order[token]) for token in found.tokens.tolist()]),
        "p": found.high - found.low,
        "low": found.low,
        "high": found.high,
    }
    swept = {name: moved.get(name, torch.tensor(value)).double() for name, value in now.items()}
    needle = Slider(
        "u",
        "needle u",
        "needle u",
        first.u,
        found.at.numpy(),
        "Where the random number falls, from 0 to 1",
    )
    return live_numbers(
        "walk",
        {name: torch.tensor(value, dtype=torch.float64) for name, value in now.items()},
        [needle],
        {name: _row(each, len(found.at)) for name, each in swept.items()},
    )


def _still(found: Walk) -> dict[str, float]:
    first = found.lines[0]
    each = [high - low for _, low, high in first.parts]
    steps = [line.drawn.high - line.drawn.low for line in found.lines]
    return {
        "top": first.widest.high - first.widest.low,
        "rest": max(1 - math.fsum(each), 0.0),
        **{f"part {n}": p for n, p in enumerate(each)},
        **{f"u {n}": line.u for n, line in enumerate(found.lines[:MOST_LINES])},
        **{f"p {n}": p for n, p in enumerate(steps[:MOST_LINES])},
        "text": math.prod(steps),
    }


def _row(values: Tensor, positions: int) -> Tensor:
    return values.expand(positions)[None]


def picture(found: Walk, writer: Writer, prompt: str, shown: Shown) -> WalkPayload:
    """The data of `lessons/generation/needle.js` without the numbers."""
    first = found.lines[0]
    tokens = [part.token for part in first.parts]
    under = words_under_needle(found)
    written = [label(writer, line.drawn.token) for line in found.lines]
    return {
        "shown": shown,
        "prompt": prompt,
        "words": [label(writer, token) for token in under],
        "partOf": [tokens.index(token) if token in tokens else -1 for token in under],
        "lines": [
            _walk_line(writer, line, written[:n], n)
            for n, line in enumerate(found.lines[:MOST_LINES])
        ],
        "widest": tokens.index(first.widest.token),
        "others": writer.types - len(tokens),
    }


def _walk_line(writer: Writer, line: DrawnLine, before: list[str], n: int) -> WalkLine:
    return {
        "before": before,
        "parts": [
            {"word": label(writer, token), "low": low, "high": high}
            for token, low, high in line.parts
        ],
        "drawn": line.parts.index(line.drawn),
        "u": f"u {n}",
        "p": f"p {n}",
    }
