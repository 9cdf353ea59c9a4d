"""The leakage test: what its picture draws, and what is said about it."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from lessons.shared import theme
from lmcore.masking.leakage import DEPTH, Leakage, reach_distance
from lmcore.numbers import format_number

DARKEST = -4
"""log₁₀ of the change from which on a cell is darkest."""


def picture(
    found: Leakage, mask: Bool[Tensor, "time time"], tokens: Sequence[str], at: int, *, blank: bool
) -> dict[str, object]:
    """What `lessons/masking/leak.js` draws; `at` is the changed token, counted from 0."""
    fills, inks = theme.sequential_scale()
    return {
        "name": "leakage",
        "tokens": list(tokens),
        "depths": len(found.moved),
        "at": at,
        "blank": blank,
        "mask": mask.double().numpy(),
        "moved": found.moved.numpy(),
        "reach": found.reach.double().numpy(),
        "shade": shades(found.moved).numpy(),
        "fills": fills,
        "inks": inks,
        "alt": describe(found, tokens, at),
    }


def shades(moved: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """A change on the colour scale: the logarithm, from `DARKEST` at 0 to a change by all at 1."""
    return 1 - moved.clamp(10.0**DARKEST, 1).log10() / DARKEST


def describe(found: Leakage, tokens: Sequence[str], at: int) -> str:
    """Alt text: of the changed token, which outputs move after each layer."""
    said = []
    for depth, moved in enumerate(found.moved[:, :, at], start=1):
        places = [f"{i + 1} {tokens[i]}" for i in moved.nonzero()[:, 0].tolist()]
        said.append(f"after layer {depth}: {', '.join(places) if places else 'none'}")
    return f"Token {at + 1}, {tokens[at]}, is changed. Outputs that move {'; '.join(said)}."


def notice(found: Leakage, tokens: Sequence[str], at: int, *, blank: bool) -> list[str]:
    """Whether anything leaks backwards, how far a change comes, and whether the mask tells it."""
    depths = len(found.moved)
    way = reach_distance(found)
    said = []
    if not any(way.back):
        said.append(
            f"**Nothing before the changed token moves**, after 1 to {depths} layers: the outputs "
            "are equal to the last bit."
        )
    ways = [
        f"{_layer_by_layer(each)} places {direction}"
        for each, direction in ((way.back, "back"), (way.ahead, "ahead"))
        if any(each)
    ]
    if ways:
        said.append(f"A change comes at most {' and '.join(ways)}.")
    if blank:
        said.append(_own_word(found, tokens, at))
    cells = found.moved.numel()
    if found.agree:
        said.append(
            f"The paths of the mask foretell it: computed and measured agree in all **{cells}** "
            "cells."
        )
    else:
        wrong = int(((found.moved > 0) != found.reach).sum())
        said.append(f"Computed and measured disagree in **{wrong}** of {cells} cells.")
    return said


def _layer_by_layer(places: Sequence[int]) -> str:
    """One number, or the number after each layer where it changes."""
    if len(set(places)) == 1:
        return f"{places[0]}"
    *first, last = map(str, places)
    return f"{', '.join(first)} and {last}"


def _own_word(found: Leakage, tokens: Sequence[str], at: int) -> str:
    own = found.moved[:, at, at]
    if not own.any():
        return f"“{tokens[at]}” never comes to the place that must predict it."
    first = int(own.nonzero()[0, 0])
    return (
        f"No place may look at itself, and yet after {first + 1} layers “{tokens[at]}” has moved "
        f"the prediction of itself by **{format_number(float(own[first]))}**: it indirectly sees "
        "itself, in the others. So BERT covers the word with [MASK]."
    )


def caption(kind: str, *, square: bool) -> str:
    """Where the numbers are from."""
    asked = (
        f"The mask is the one chosen above ({kind})."
        if square
        else "Of cross-attention there is nothing to leak; the mask is that of the decoder's own "
        "text."
    )
    return (
        f"{asked} The number in a box: how far the output there moves, ‖change‖ / ‖output‖. "
        f"Measured on an untrained GPT of {DEPTH} layers, so that every path there is carries "
        "something; the changed token becomes a word that the text does not have."
    )


def receptive_field(reach: Bool[Tensor, "depth time time"]) -> int:
    """How many tokens can move the last output, through all layers."""
    return int(torch.sum(reach[-1, -1]))
