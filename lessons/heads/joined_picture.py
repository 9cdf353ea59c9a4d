"""The picture of the heads of one block, joined: their weights, their answers, W^O and the output.

Among its numbers a2.3 is the weight of head 2 on token 3, z2.3 number 3 of its answer, o3 number 3
of the output, and part2 what head 2 adds to the number of the output that is framed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import PlaceOrNone
from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lmcore.attention.heads import HeadsTrace
from lmcore.attention.joined_heads import JoinedHeads

MOST_HEADS, MOST_TOKENS = 6, 18
"""The most heads beside one another, and tokens below one another, that have room."""
SHADES = 255
"""The levels in which the entries of W^O are sent, about the middle one."""
LARGEST_SHADE = 0.98
"""Entries of W^O beyond this quantile have the darkest colour."""


class JoinedPayload(TypedDict):
    """What `lessons/heads/joined.js` draws other than the numbers."""

    tokens: Sequence[str]
    query: int
    """The token whose output is drawn, from 0."""
    most: Sequence[int]
    """For each head the token that it reads most, from 0."""
    cut: Sequence[int]
    """The heads that are cut, from 0."""
    wide: int
    """How many numbers the answer of a head has."""
    matrix: bytes
    """W^O row by row, each entry as a level from 0 to 255; 0 is at 127.5."""
    reach: tuple[float, float]
    """The largest answer and the largest output of all heads; colours are symmetric about 0."""
    signed: Sequence[str]
    """Colours from −1 to 1."""


class JoinedMoves(EventDict, total=False):
    """The token that asks, or the head that is cut or restored; from 0."""

    query: PlaceOrNone
    head: PlaceOrNone


JOINED = Script(
    "joined",
    JoinedPayload,
    ("a#.#", "z#.#", "o#", "part#", "number", "bias", "sum", "whole", "read"),
    JoinedMoves,
)
"""`read` is not a number: a question hides what the heads read under this name."""


def too_large(trace: HeadsTrace) -> str:
    """Why the heads cannot be drawn side by side; empty if they can."""
    if trace.shape[1] > MOST_HEADS:
        return f"this model has {trace.shape[1]} heads a layer; choose our small encoder"
    if len(trace.text.tokens) > MOST_TOKENS:
        return f"only for up to {MOST_TOKENS} tokens"
    return ""


def live_numbers(whole: JoinedHeads, number: int, cut: frozenset[int]) -> LiveNumbers:
    """Every number of the picture, and the parts of each number of the output, from 1."""
    joined = whole.without(cut)
    heads, wide = joined.answers.shape
    fixed = {
        f"a{h + 1}.{j + 1}": joined.weights[h, j] for h, j in np.ndindex(*joined.weights.shape)
    }
    fixed |= {f"z{h + 1}.{c + 1}": joined.answers[h, c] for h, c in np.ndindex(heads, wide)}
    fixed |= {f"o{n + 1}": each for n, each in enumerate(joined.output)}
    many = len(joined.bias)
    every = {name: np.full(many, float(each)) for name, each in fixed.items()}
    every |= {f"part{h + 1}": joined.parts[h].numpy() for h in range(heads)}
    every |= {"number": np.arange(1.0, many + 1), "bias": joined.bias.numpy()}
    every |= {"sum": joined.output.numpy(), "whole": whole.output.numpy()}
    table = np.stack(list(every.values()), axis=-1)
    slider = Slider(
        "number",
        "number",
        "number of the output",
        float(number),
        every["number"],
        help="Drag along the output: of what is this number made?",
        role="weight",
    )
    return LiveNumbers("joined", tuple(every), table[number - 1], (slider,), [table])


def picture(
    whole: JoinedHeads, trace: HeadsTrace, place: int, cut: frozenset[int]
) -> JoinedPayload:
    """The data of `joined.js` other than the numbers."""
    matrix = whole.matrix.numpy()
    largest = float(np.quantile(np.abs(matrix), LARGEST_SHADE)) or 1.0
    levels = np.clip((matrix / largest + 1) / 2, 0, 1) * SHADES
    return {
        "tokens": list(trace.text.tokens),
        "query": place,
        "most": whole.weights.argmax(dim=1).tolist(),
        "cut": sorted(cut),
        "wide": int(whole.answers.shape[1]),
        "matrix": levels.round().astype(np.uint8).tobytes(),
        "reach": (_reach(whole.answers), _reach(whole.output)),
        "signed": theme.diverging_colours(),
    }


def _reach(values: Tensor) -> float:
    return float(values.abs().max()) or 1.0
