"""Packs attention weights for the browser: 12 bits each, two weights in three bytes.

A code stands for a rounded weight: 3 decimals from 0.1 on, below that 3 significant digits down to
0.0001, then 2 down to 0.00001. Smaller weights share one code; 0 has its own. Codes increase with
the weights, so the largest code belongs to the largest weight.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from jaxtyping import Float32
from torch import Tensor

Codes = npt.NDArray[np.uint16]
RULES = ((Fraction(1, 10**6), 2), *((Fraction(1, 10**power), 3) for power in (6, 5, 4, 3)))
"""For each decade from 0.00001 on: its step, and the significant digits kept."""
ZERO, SMALLER = 0, 1
SMALLEST = "0.00001"
CUT = 12
"""Low bits of a float32 that the first guess ignores."""


class _Table(NamedTuple):
    thresholds: npt.NDArray[np.float32]
    """The smallest float32 that has each code."""
    guess: npt.NDArray[np.uint16]
    """The code of the smallest float32 with given leading bits."""


def pack(weights: Float32[Tensor, "*shape"]) -> bytes:
    """Every weight as a code, two codes in three bytes: aa ab bb.

    Raises:
        ValueError: if a weight is not from 0 to 1.
    """
    codes = encode(weights).reshape(-1)
    if codes.size % 2:
        codes = np.append(codes, np.uint16(ZERO))
    first, second = codes[0::2], codes[1::2]
    packed = np.empty((first.size, 3), dtype=np.uint8)
    packed[:, 0] = first >> 4
    packed[:, 1] = (first & 15) << 4 | second >> 8
    packed[:, 2] = second & 255
    return packed.tobytes()


def encode(weights: Float32[Tensor, "*shape"]) -> Codes:
    """The code of each weight; ties are rounded up, as everywhere in the application.

    Raises:
        ValueError: if a weight is not from 0 to 1.
    """
    given = np.ascontiguousarray(weights.detach().cpu().numpy())
    # A softmax may end a rounding error above 1.
    if given.size and not (given.min() >= 0 and given.max() <= 1 + 1e-5):
        wrong = given[~((given >= 0) & (given <= 1 + 1e-5))]
        raise ValueError(f"a weight must be from 0 to 1; got {wrong.flat[0]:g}")
    table = _table()
    codes = table.guess[np.minimum(given.view(np.uint32) >> CUT, table.guess.size - 1)]
    # No two thresholds share their leading bits: the guess is at most one too small.
    more: Codes = codes + (given >= table.thresholds[codes + 1])
    return more


def unpack(packed: bytes, count: int) -> Codes:
    """The first `count` codes: the inverse of `pack`, which the browser implements too."""
    triples = np.frombuffer(packed, dtype=np.uint8).reshape(-1, 3).astype(np.uint16)
    pairs = [triples[:, 0] << 4 | triples[:, 1] >> 4, (triples[:, 1] & 15) << 8 | triples[:, 2]]
    return np.stack(pairs, axis=1).reshape(-1)[:count]


def code_text(code: int) -> str:
    """The weight that a code stands for, as it is displayed.

    Raises:
        ValueError: if there is no such code.
    """
    known = len(code_values())
    if not 0 <= code < known:
        raise ValueError(f"a code must be from 0 to {known - 1}; got {code}")
    if code in (ZERO, SMALLER):
        return "0" if code == ZERO else f"< {SMALLEST}"
    value = code_values()[code]
    step = next(step for step, digits in reversed(RULES) if value >= step * 10 ** (digits - 1))
    return f"{float(value):.{len(str(step.denominator)) - 1}f}"


@lru_cache(maxsize=1)
def code_values() -> tuple[Fraction, ...]:
    """The number that each code stands for; that of `SMALLER` is only known to be above 0."""
    counted = [step * k for step, digits in RULES for k in range(10 ** (digits - 1), 10**digits)]
    return (Fraction(0), Fraction(0), *counted, Fraction(1))


@lru_cache(maxsize=1)
def _table() -> _Table:
    known = code_values()
    halves = [(low + high) / 2 for low, high in pairwise(known[2:])]
    exact = [Fraction(1, 10**5), *halves]
    tiniest = np.nextafter(np.float32(0), np.float32(1))
    thresholds = np.array(
        [0, tiniest, *(_at_least(each) for each in exact), np.inf], dtype=np.float32
    )
    leading = np.arange((int(np.float32(1).view(np.uint32)) >> CUT) + 2, dtype=np.uint32) << CUT
    starts = leading.view(np.float32)
    guess = np.searchsorted(thresholds[:-1], starts, side="right") - 1
    return _Table(thresholds, guess.astype(np.uint16))


def _at_least(exact: Fraction) -> np.float32:
    """The smallest float32 that is not below `exact`."""
    near = np.float32(float(exact))
    while Fraction(float(near)) >= exact:
        near = np.nextafter(near, np.float32(0))
    return np.float32(np.nextafter(near, np.float32(1)))
