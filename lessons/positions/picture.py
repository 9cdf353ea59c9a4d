"""Positional encoding: the numbers and payload of its picture, its step table and sentences."""

from __future__ import annotations

from typing import TypedDict

import torch
from torch import Tensor

from lessons.shared import theme
from lessons.shared.payload import Line, NumberArray, Script
from lmcore.models.positions import (
    MOST,
    PLACES,
    PlaceComparison,
    PlacePair,
    compare_places,
    evenly_spaced_pairs,
    other_pairs_sum,
    sinusoids,
    wavelengths,
)
from lmcore.numbers import format_number

CLOCKS = 6
ROWS = 32
"""Pairs of rows that the heat map shows; a wider PE shows evenly spaced pairs."""
FIRST = 4
"""Numbers of PE that are written out."""
TERMS = 2
"""Pairs whose part of the dot product is written out."""
SLIDERS = (
    ("positions_place", "pos", "place pos", "Every clock turns; the dot product stays", "query"),
    ("positions_offset", "k", "offset k to the other place", "The dot product falls", "key"),
)
"""Setting, label, spoken label, help, role."""


def numbers(comparison: PlaceComparison, pair: int) -> dict[str, Tensor]:
    """Every number on screen under its name; leading axes are kept."""
    width = comparison.here.shape[-1]
    named = {
        "dot": comparison.dot,
        "squared": comparison.squared,
        "cosine": comparison.dot / comparison.squared,
    }
    for i in range(min(FIRST, width)):
        named |= {f"v{i}": comparison.here[..., i], f"u{i}": comparison.there[..., i]}
    for i in {*range(min(TERMS, width // 2)), *evenly_spaced_pairs(width, CLOCKS), pair}:
        named |= {
            f"angle{i}": comparison.angle[..., i],
            f"turn{i}": comparison.turn[..., i],
            f"sin{i}": comparison.here[..., 2 * i],
            f"cos{i}": comparison.here[..., 2 * i + 1],
            f"sinq{i}": comparison.there[..., 2 * i],
            f"cosq{i}": comparison.there[..., 2 * i + 1],
            f"term{i}": comparison.terms[..., i],
        }
    return named | {"rest": other_pairs_sum(comparison.terms, opened_pairs(width, pair))}


def opened_pairs(width: int, pair: int) -> tuple[int, ...]:
    """The pairs whose terms are named one by one: those with a clock, and the chosen one."""
    return tuple(sorted({*evenly_spaced_pairs(width, CLOCKS), pair}))


def current_numbers(spec: PlacePair, pair: int) -> dict[str, Tensor]:
    """The numbers of the two places."""
    place, offset = torch.tensor(spec.place), torch.tensor(spec.offset)
    values = numbers(compare_places(place, offset, spec.width), pair)
    return {
        "pos": place.double(),
        "k": offset.double(),
        "other": (place + offset).double(),
    } | values


def swept_numbers(spec: PlacePair, pair: int) -> dict[str, Tensor]:
    """The same numbers, with the axes (slider, position): every place, then every offset."""
    every = torch.arange(MOST + 1)
    places = torch.stack([every, torch.full_like(every, spec.place)])
    offsets = torch.stack([torch.full_like(every, spec.offset), every])
    values = numbers(compare_places(places, offsets, spec.width), pair)
    named = {"pos": places, "k": offsets, "other": places + offsets}
    return {name: values.double() for name, values in named.items()} | values


class Clock(TypedDict):
    """The pair that a clock shows, and in how many places it goes round."""

    i: int
    length: str


class PositionsPayload(TypedDict):
    """Clocks, the waves, and the dot product of each place with every other."""

    places: int
    most: int
    """The largest place that the sliders reach."""
    width: int
    rows: list[int]
    """The dimensions that are drawn."""
    values: NumberArray
    shown: str
    dots: NumberArray
    scale: list[str]
    clocks: list[Clock]
    pair: int
    sliders: list[str]
    lines: list[Line]
    alt: str


POSITIONS = Script("positions", PositionsPayload)


def picture(spec: PlacePair, pair: int) -> PositionsPayload:
    """The data of `lessons/positions/positions.js`, without the numbers that follow the sliders."""
    width = spec.width
    table = sinusoids(torch.arange(PLACES), width)
    pairs = evenly_spaced_pairs(width, ROWS)
    rows = [2 * i for i in pairs] + [2 * i + 1 for i in pairs]
    shown = "every dimension" if len(rows) == width else f"{len(rows)} of {width} dimensions"
    lengths = wavelengths(width)
    return {
        "places": PLACES,
        "most": MOST,
        "width": width,
        "rows": rows,
        "values": table[:, rows].numpy(),
        "shown": shown,
        "dots": (table[: MOST + 1] @ table.T).numpy(),
        "scale": theme.diverging_colours(),
        "clocks": [
            {"i": i, "length": format_number(float(lengths[i]))}
            for i in evenly_spaced_pairs(width, CLOCKS)
        ],
        "pair": pair,
        "sliders": [name for name, *_ in SLIDERS],
        "lines": lines(width),
        "alt": f"Sinusoids of {PLACES} places, {shown}, as a heat map; clocks of "
        f"{len(evenly_spaced_pairs(width, CLOCKS))} pairs at place {{pos}} and place {{other}}; "
        "and the dot product of place {pos} with every place, which is {squared} with itself and "
        "{dot} with place {other}.",
    }


def lines(width: int) -> list[Line]:
    """The two vectors, and their dot product."""
    more = ", …" if width > FIRST else ""
    count = min(FIRST, width)
    here, there = (
        ", ".join(f"{{{letter}{i}}}" for i in range(count)) + more for letter in ("v", "u")
    )
    first = " + ".join(f"{{term{i}:p}}" for i in range(min(TERMS, width // 2)))
    rest = f" + … ({width // 2} pairs)" if width // 2 > TERMS else ""
    return [
        {"role": "query", "text": f"PE({{pos}}) = [{here}]"},
        {"role": "key", "text": f"PE({{other}}) = [{there}]"},
        {"role": "score", "text": f"PE({{pos}})·PE({{other}}) = {first}{rest} = {{dot}}"},
        {"role": "activation", "text": "‖PE({pos})‖² = {squared} = d/2"},
    ]
