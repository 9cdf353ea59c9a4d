"""The leakage test: the payload of its picture, and its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from lessons.shared import theme
from lessons.shared.payload import NumberArray, Script
from lmcore.masking.leakage import DEPTH, Leakage, reach_distance
from lmcore.numbers import format_number

DARKEST = -4
"""log₁₀ of the change at and above which a cell is darkest."""


class LeakPayload(TypedDict):
    """How far each output moves after each layer, for every changed token."""

    name: str
    tokens: list[str]
    depths: int
    at: int
    blank: bool
    mask: NumberArray
    moved: NumberArray
    reach: NumberArray
    """1 where the mask has a path."""
    shade: NumberArray
    fills: list[str]
    inks: list[str]
    alt: str


LEAK = Script("leak", LeakPayload)


def picture(
    leakage: Leakage,
    mask: Bool[Tensor, "time time"],
    tokens: Sequence[str],
    at: int,
    *,
    blank: bool,
) -> LeakPayload:
    """The data that `lessons/masking/leak.js` draws; `at` is the changed token, counted from 0."""
    fills, inks = theme.sequential_scale()
    return {
        "name": "leakage",
        "tokens": list(tokens),
        "depths": len(leakage.moved),
        "at": at,
        "blank": blank,
        "mask": mask.double().numpy(),
        "moved": leakage.moved.numpy(),
        "reach": leakage.reach.double().numpy(),
        "shade": shades(leakage.moved).numpy(),
        "fills": fills,
        "inks": inks,
        "alt": describe(leakage, tokens, at),
    }


def shades(moved: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """A change on the logarithmic colour scale: 10^`DARKEST` is 0, a change by 100 % is 1."""
    return 1 - moved.clamp(10.0**DARKEST, 1).log10() / DARKEST


def describe(leakage: Leakage, tokens: Sequence[str], at: int) -> str:
    """Alt text: which outputs move after each layer when the token is changed."""
    parts = []
    for depth, moved in enumerate(leakage.moved[:, :, at], start=1):
        places = [f"{i + 1} {tokens[i]}" for i in moved.nonzero()[:, 0].tolist()]
        parts.append(f"after layer {depth}: {', '.join(places) if places else 'none'}")
    return f"Token {at + 1}, {tokens[at]}, is changed. Outputs that move {'; '.join(parts)}."


def notice(leakage: Leakage, tokens: Sequence[str], at: int, *, blank: bool) -> list[str]:
    """Whether anything leaks backwards, how far a change reaches, whether the mask predicts it."""
    depths = len(leakage.moved)
    distance = reach_distance(leakage)
    sentences = []
    if not any(distance.back):
        sentences.append(
            f"**Nothing before the changed token moves**, after 1 to {depths} layers: the outputs "
            "are equal to the last bit."
        )
    ways = [
        f"{_layer_by_layer(each)} places {direction}"
        for each, direction in ((distance.back, "back"), (distance.ahead, "ahead"))
        if any(each)
    ]
    if ways:
        sentences.append(f"A change reaches at most {' and '.join(ways)}.")
    if blank:
        sentences.append(_own_word(leakage, tokens, at))
    cells = leakage.moved.numel()
    if leakage.agree:
        sentences.append(
            "The paths through the mask predict this: prediction and measurement agree in all "
            f"**{cells}** cells."
        )
    else:
        wrong = int(((leakage.moved > 0) != leakage.reach).sum())
        sentences.append(f"Prediction and measurement disagree in **{wrong}** of {cells} cells.")
    return sentences


def _layer_by_layer(places: Sequence[int]) -> str:
    """One number if it is the same after every layer, else the number after each."""
    if len(set(places)) == 1:
        return f"{places[0]}"
    *first, last = map(str, places)
    return f"{', '.join(first)} and {last}"


def _own_word(leakage: Leakage, tokens: Sequence[str], at: int) -> str:
    own = leakage.moved[:, at, at]
    if not own.any():
        return f"“{tokens[at]}” never reaches the place that must predict it."
    first = int(own.nonzero()[0, 0])
    return (
        f"No place may look at itself, and yet after {first + 1} layers “{tokens[at]}” has moved "
        f"the prediction of itself by **{format_number(float(own[first]))}**: it sees itself "
        "indirectly, through the others. So BERT covers the word with [MASK]."
    )


def caption(kind: str, *, square: bool) -> str:
    """How the numbers were measured."""
    mask_words = (
        f"The mask is the one chosen above ({kind})."
        if square
        else "Cross-attention cannot leak; this is the mask of the decoder's own text."
    )
    return (
        f"{mask_words} The number in a box: how far the output moves, ‖change‖ / ‖output‖. "
        f"Measured on an untrained GPT of {DEPTH} layers, so that every path transmits a change; "
        f"the changed token is replaced by a word that is not in the text."
    )


def receptive_field(reach: Bool[Tensor, "depth time time"]) -> int:
    """How many tokens can move the last output, through all layers."""
    return int(torch.sum(reach[-1, -1]))
