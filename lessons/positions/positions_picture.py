"""The main picture of the page: waves, the vectors read off them, and one word in two orders.

The names of its numbers: row r of the waves has the pair i{r} with period{r}; its values are sin{r}
and cos{r} at the word's position `pos`, and sinq{r} and cosq{r} at `other`, its position in the
second order. a{c} and b{c} are components of the word's output without positions, in the first
order and in the second; u{c} and v{c} are the same with positions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypedDict

import torch
from torch import Tensor
from torch.nn import functional
from typing_extensions import TypedDict as EventDict

from drawing.events import Place
from drawing.payload import NumberName, Script
from lmcore.attention.permutation import TOLERANCE
from lmcore.attention.two_orders import (
    MOST_START,
    MOST_WIDTH,
    PLACES,
    TwoOrders,
    compare_two_orders,
)
from lmcore.models.positions import PlaceComparison, compare_places, telling_pairs, wavelengths

ROWS = 4
CELLS = 16
"""Components of an output that are drawn."""
COUNT = MOST_START + 1
"""Positions of each slider."""
Numbers = dict[str, Tensor]


def numbers(spec: TwoOrders, pair: int, starts: Tensor, bases: Tensor) -> Numbers:
    """Every number of the picture at each start and base; `pair` is the pair of the formula."""
    places = starts + spec.word
    found = compare_places(places, torch.full_like(places, spec.offset), spec.width, bases)
    named = {
        "pos": places,
        "other": places + spec.offset,
        "k": torch.full_like(places, spec.offset),
        "d": torch.full_like(places, spec.width),
        "base": bases,
        "dot": found.dot,
        "squared": found.squared,
        "cosine": found.dot / found.squared,
    }
    named |= _rows(spec, bases, found.here, found.there)
    named |= _pair(found, places, bases, spec.width, min(pair, spec.width // 2 - 1))
    from_here = places[..., None].expand(*places.shape, PLACES)
    away = torch.arange(PLACES) - from_here
    dots = compare_places(from_here, away, spec.width, bases[..., None]).dot
    named |= {f"at{place}": dot for place, dot in enumerate(dots.unbind(-1))}
    named |= _outputs(spec, starts, bases)
    whole = {name: values.double() for name, values in named.items()}
    return {
        name: values if values.shape == places.shape else values.expand(places.shape)
        for name, values in whole.items()
    }


def _pair(
    found: PlaceComparison, places: Tensor, bases: Tensor, width: int, chosen: int
) -> Numbers:
    """The numbers of one pair of dimensions: its wavelength, its angles, and its term."""
    return {
        "pair": torch.full_like(places, chosen),
        "even": torch.full_like(places, 2 * chosen),
        "odd": torch.full_like(places, 2 * chosen + 1),
        "divisor": wavelengths(width, bases)[..., chosen] / (2 * torch.pi),
        "angle": found.angle[..., chosen],
        "turn": found.turn[..., chosen],
        "sin": found.here[..., 2 * chosen],
        "cos": found.here[..., 2 * chosen + 1],
        "sinq": found.there[..., 2 * chosen],
        "cosq": found.there[..., 2 * chosen + 1],
        "term": found.terms[..., chosen],
        "rest": found.dot - found.terms[..., chosen],
    }


def _rows(spec: TwoOrders, bases: Tensor, here: Tensor, there: Tensor) -> Numbers:
    """The pairs of dimensions that are drawn, and their values at both positions."""
    shown = [telling_pairs(spec.width, base) for base in bases.flatten().tolist()]
    count = len(shown[0])
    padded = [pairs + pairs[-1:] * (ROWS - count) for pairs in shown]
    pairs = torch.tensor(padded).reshape(*bases.shape, ROWS)
    lengths = wavelengths(spec.width, bases).gather(-1, pairs)
    named = {"@rows": torch.full_like(bases, count)}
    for r in range(ROWS):
        named |= {f"i{r}": pairs[..., r], f"period{r}": lengths[..., r]}
        for suffix, vector in (("", here), ("q", there)):
            for turn, name in enumerate(("sin", "cos")):
                at = 2 * pairs[..., r, None] + turn
                named[f"{name}{suffix}{r}"] = vector.gather(-1, at).squeeze(-1)
    return named


def _outputs(spec: TwoOrders, starts: Tensor, bases: Tensor) -> Numbers:
    """The word's output in both orders, and how far apart the two are."""
    found = compare_two_orders(spec, starts, bases)
    count = min(CELLS, spec.width)
    plain = found.plain[spec.word]
    named = {
        "@cells": torch.full_like(bases, count),
        "plain": _without_rounding(plain),
        "rounding": plain,
        "gap": _without_rounding(found.placed[..., spec.word]),
    }
    for letter, values in zip("abuv", found, strict=False):
        shown = functional.pad(values[..., spec.word, :count], (0, CELLS - count))
        named |= {f"{letter}{c}": component for c, component in enumerate(shown.unbind(-1))}
    return named


def _without_rounding(distance: Tensor) -> Tensor:
    return torch.where(distance < TOLERANCE, 0.0, distance)


def current_numbers(spec: TwoOrders, pair: int) -> Numbers:
    """The numbers now, each a scalar."""
    found = numbers(
        spec, pair, torch.tensor([spec.start]), torch.tensor([spec.base], dtype=torch.float64)
    )
    return {name: values[0] for name, values in found.items()}


def slider_positions(spec: TwoOrders) -> dict[str, Tensor]:
    """The positions of the sliders pos, d and base; the current d and base replace the nearest."""
    steps = [*range(4, 33, 2), *range(36, 65, 4), *range(72, 129, 8), *range(144, 257, 16)]
    widths = torch.tensor([*steps, 384, MOST_WIDTH], dtype=torch.float64)
    bases = torch.tensor(
        [float(f"{10 ** (1 + i / 10):.3g}") for i in range(COUNT)], dtype=torch.float64
    )
    widths[(widths - spec.width).abs().argmin()] = spec.width
    bases[(bases.log() - math.log(spec.base)).abs().argmin()] = spec.base
    return {"pos": torch.arange(COUNT).double() + spec.word, "d": widths, "base": bases}


@lru_cache(maxsize=64)
def swept_numbers(spec: TwoOrders, pair: int) -> Numbers:
    """The same numbers with the axes (slider, position): pos, d and base."""
    at = slider_positions(spec)
    starts = torch.arange(COUNT)
    bases = torch.full((COUNT,), spec.base, dtype=torch.float64)
    by_start = numbers(spec, pair, starts, bases)
    by_base = numbers(spec, pair, torch.full_like(starts, spec.start), at["base"])
    widths = [replace(spec, width=int(width)) for width in at["d"].tolist()]
    by_width = torch.stack(
        [torch.stack([*current_numbers(each, pair).values()]) for each in widths]
    )
    return {
        name: torch.stack([by_start[name], each, by_base[name]])
        for name, each in zip(by_start, by_width.unbind(-1), strict=True)
    }


class PositionsPayload(TypedDict):
    """What `lessons/positions/positions.js` draws besides the numbers."""

    words: Sequence[str]
    order: Sequence[int]
    """The old place of each word of the second order."""
    word: int
    """The place of the word that is followed, from 0."""
    places: int
    reach: float
    """The largest component of an output, at any position of a slider."""
    marked: NumberName
    """The number that the sentence names."""
    causal: bool
    pair: int


class WordOrPair(EventDict, total=False):
    """A word, or a pair of dimensions, that was pressed."""

    word: Place
    pair: Place


BOTH = ("pos", "other", "k", "d", "base", "dot", "squared", "cosine", "at#")
OF_ROW = ("@rows", "i#", "period#", "sin#", "cos#", "sinq#", "cosq#")
OF_PAIR = ("pair", "even", "odd", "divisor", "angle", "turn", "term", "rest")
READ = ("sin", "cos", "sinq", "cosq")
OUTPUTS = ("@cells", "plain", "rounding", "gap", "a#", "b#", "u#", "v#")
POSITIONS = Script(
    "positions", PositionsPayload, (*BOTH, *OF_ROW, *OF_PAIR, *READ, *OUTPUTS), WordOrPair
)


def picture(spec: TwoOrders, pair: int) -> PositionsPayload:
    """The payload of `lessons/positions/positions.js` without the live numbers."""
    swept = swept_numbers(spec, pair)
    reach = max(float(swept[f"{letter}{c}"].abs().max()) for letter in "abuv" for c in range(CELLS))
    return {
        "words": spec.words.words,
        "order": spec.words.order,
        "word": spec.word,
        "places": PLACES,
        "reach": reach,
        "marked": "gap",
        "causal": spec.words.causal,
        "pair": min(pair, spec.width // 2 - 1),
    }
