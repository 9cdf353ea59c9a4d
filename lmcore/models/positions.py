"""Sinusoidal positional encoding: waves of many wavelengths, added to the embeddings.

    PE(pos, 2i)   = sin(pos / 10000^(2i/d))
    PE(pos, 2i+1) = cos(pos / 10000^(2i/d))

PE(a)·PE(b) = Σ_i cos((a − b) / 10000^(2i/d)) depends on a − b alone.

Source: Vaswani et al. 2017, section 3.5; lecture "Positional Encoding" (CSE538).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

BASE = 10_000.0
Base = float | Float[Tensor, "*#shape"]
"""10000 in the paper. In a tensor, each base has its own waves."""


def wavelengths(width: int, base: Base = BASE) -> Float[Tensor, "*shape pair"]:
    """2π · base^(2i/d): the period, in positions, of dimensions 2i and 2i+1.

    Raises:
        ValueError: if the width is not an even number above 0.
    """
    if width < 2 or width % 2:
        raise ValueError(f"the width must be an even number, 2 or more; got {width}")
    exponents = torch.arange(0, width, 2, dtype=torch.float64) / width
    return 2 * math.pi * torch.as_tensor(base, dtype=torch.float64)[..., None] ** exponents


def frequencies(width: int, base: Base = BASE) -> Float[Tensor, "*shape pair"]:
    """1 / base^(2i/d), in radians per position.

    Raises:
        ValueError: as `wavelengths`.
    """
    return 2 * math.pi / wavelengths(width, base)


def sinusoids(
    places: Int[Tensor, "*shape"], width: int, base: Base = BASE
) -> Float[Tensor, "*shape width"]:
    """PE of each place, in float64: a sine and a cosine of each wavelength, side by side.

    Raises:
        ValueError: as `wavelengths`.
    """
    # Whole numbers times a float would be float32, and an angle wrong in its seventh digit.
    angle = places[..., None] * frequencies(width, base).to(places.device)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2)


class PlaceComparison(NamedTuple):
    """Two places, in the order it is computed; `angle` and `turn` are in radians."""

    angle: Float[Tensor, "*shape pair"]
    """pos / base^(2i/d)"""
    turn: Float[Tensor, "*shape pair"]
    """The rotation of the pair at the other position: offset / base^(2i/d)"""
    here: Float[Tensor, "*shape width"]
    there: Float[Tensor, "*shape width"]
    terms: Float[Tensor, "*shape pair"]
    """What each pair adds to the dot product: sin·sin + cos·cos, which is the cosine of `turn`."""
    dot: Float[Tensor, "*shape"]
    """PE(pos) · PE(pos + offset)"""
    squared: Float[Tensor, "*shape"]
    """‖PE(pos)‖²"""

    def to_frame(self) -> DataFrame:
        """One row per number: quantity, those of the axes that it has, value."""
        return dataframes.numbers(self)


def compare_places(
    places: Int[Tensor, "*shape"], offsets: Int[Tensor, "*shape"], width: int, base: Base = BASE
) -> PlaceComparison:
    """PE at each place and at its offset, and their dot product pair by pair.

    Raises:
        ValueError: as `wavelengths`.
    """
    speed = frequencies(width, base)
    here, there = sinusoids(places, width, base), sinusoids(places + offsets, width, base)
    terms = (here * there).reshape(*here.shape[:-1], -1, 2).sum(-1)
    return PlaceComparison(
        places[..., None] * speed,
        offsets[..., None] * speed,
        here,
        there,
        terms,
        dot=(here * there).sum(-1),
        squared=here.square().sum(-1),
    )


def evenly_spaced_pairs(width: int, most: int) -> tuple[int, ...]:
    """At most `most` pairs of dimensions, evenly spaced from the fastest to the slowest."""
    count = min(most, width // 2)
    return tuple(round(i * (width // 2 - 1) / max(count - 1, 1)) for i in range(count))


def telling_pairs(width: int, base: float = BASE) -> tuple[int, ...]:
    """At most four pairs of dimensions: the fastest and the slowest, and two between them.

    These two have periods of about 20 and 63 positions, if there are such.
    """
    last = width // 2 - 1
    tenfold = width / 2 * math.log(10) / math.log(base)
    found = {0, last, *(min(round(share * tenfold), last) for share in (0.5, 1))}
    spare = (i for i in range(last) if i not in found)
    while len(found) < min(4, last + 1):
        found.add(next(spare))
    return tuple(sorted(found))


class EncodingFacts(NamedTuple):
    """Values of the lecture's formula."""

    first: Float[Tensor, "place width"]
    """PE(0) … PE(3) at d = 4"""
    squared: Float[Tensor, " place"]
    """‖PE‖² of the first ten thousand places, at d = 512"""
    near: float
    """PE(5)·PE(8)"""
    far: float
    """PE(50)·PE(53)"""
    wavelengths: Float[Tensor, " pair"]


def encoding_facts(width: int = 512) -> EncodingFacts:
    """The four values of the formula; all but the first are at d = `width`."""
    both = compare_places(torch.tensor([5, 50]), torch.tensor([3, 3]), width)
    squared = sinusoids(torch.arange(int(BASE)), width).square().sum(-1)
    first = sinusoids(torch.arange(4), 4)
    return EncodingFacts(first, squared, float(both.dot[0]), float(both.dot[1]), wavelengths(width))
