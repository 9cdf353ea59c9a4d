"""Live numbers: every number on a page, now and at every position of its sliders.

The numbers come from one batched lmcore call; `ui/browser/sliders.js` looks the rows up.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
import numpy.typing as npt

from drawing.payload import Script
from lmcore.numbers import format_number, operand

if TYPE_CHECKING:
    from torch import Tensor

FloatArray = npt.NDArray[np.float64]
SLOT = re.compile(r"(?<!\\)\{([^{}:<]+)(<)?(:p)?\}")
MARKS = re.compile(r"([\\*=\[\]|{}])")


@dataclass(frozen=True, slots=True)
class Slider:
    """One number that a slider sets."""

    name: str
    label: str
    spoken: str
    value: float
    positions: FloatArray
    help: str
    role: str = "input"
    heading: str = ""


class Shown(TypedDict):
    """What a picture needs to draw live numbers and to follow their frames."""

    group: str
    names: Sequence[str]
    now: FloatArray


class StageTexts(TypedDict):
    """The texts around the main picture of a page; they are templates of drawing/rich_text.js."""

    sentences: Sequence[str]
    """The finding in one sentence; the number called @say, if any, chooses among several."""
    moved: str
    """The sentence while a slider is dragged: {moved} is its number, {label} its name."""
    formula: Sequence[Sequence[str]]
    """The parts of the formula, in a row; the number called @formula chooses among several."""
    alt: str
    kind: str
    """Where the numbers come from."""
    light: Sequence[str]
    """The parts of the picture that a beat speaks of; empty: all."""
    hidden: Sequence[str]
    """The numbers that are to be predicted."""
    glossary: Mapping[str, str]
    """The meaning of each term that a sentence marks, by its spelling there."""


class MovedSlider(TypedDict):
    """A slider and, from its sweep, the numbers that it changes."""

    name: str
    label: str
    spoken: str
    value: float
    positions: FloatArray
    help: str
    role: str
    heading: str
    columns: list[int]
    """The indices of those numbers among all names."""
    table: FloatArray
    """One row per position, one column for each of `columns`."""


class SlidersPayload(Shown):
    """Sliders that play the sweep of live numbers."""

    sliders: list[MovedSlider]


SLIDERS = Script("sliders", SlidersPayload)


@dataclass(frozen=True, slots=True)
class LiveNumbers:
    """Named numbers with their sweep.

    `now[i]` is the number called `names[i]`; `table[s][p, i]` is the same number with slider s
    at its position p.
    """

    group: str
    names: tuple[str, ...]
    now: FloatArray
    sliders: tuple[Slider, ...] = ()
    table: Sequence[FloatArray] | FloatArray = ()

    def __post_init__(self) -> None:
        expected = [(len(slider.positions), len(self.names)) for slider in self.sliders]
        given = [rows.shape for rows in self.table]
        if given != expected:
            raise ValueError(f"table must have, for each slider, the shape {expected}; got {given}")
        if self.now.shape != (len(self.names),):
            raise ValueError(f"now must have {len(self.names)} numbers; got {self.now.shape}")

    def __getitem__(self, name: str) -> float:
        return float(self.now[self.names.index(name)])

    def fill(self, template: str) -> str:
        """`template` with {name} replaced by its number, {name:p} in parentheses if negative.

        {name<}, the number before a slider was dragged, is replaced by the current number.
        """
        values = dict(zip(self.names, self.now.tolist(), strict=True))
        return SLOT.sub(lambda m: (operand if m[3] else format_number)(values[m[1]]), template)

    def frame_data(self) -> Shown:
        """The data a picture needs to draw these numbers and to follow their frames."""
        return {"group": self.group, "names": self.names, "now": self.now}

    def slider_data(self) -> SlidersPayload:
        """The data of the sliders: for each slider, only the numbers it changes."""
        sliders = list[MovedSlider]()
        for slider, rows in zip(self.sliders, self.table, strict=True):
            changed = np.flatnonzero(((rows != self.now) & ~np.isnan(rows)).any(axis=0))
            sliders.append(
                {
                    "name": slider.name,
                    "label": slider.label,
                    "spoken": slider.spoken,
                    "value": slider.value,
                    "positions": slider.positions,
                    "help": slider.help,
                    "role": slider.role,
                    "heading": slider.heading,
                    "columns": changed.tolist(),
                    "table": rows[:, changed],
                }
            )
        return {**self.frame_data(), "sliders": sliders}


def quoted(text: str) -> str:
    """`text` escaped for a sentence or formula: its marks and braces are printed as they are."""
    return MARKS.sub(r"\\\1", text)


def live_numbers(
    group: str,
    now: Mapping[str, Tensor],
    sliders: Sequence[Slider],
    swept: Mapping[str, Tensor],
) -> LiveNumbers:
    """Name the tensors of a trace and of its sweep.

    `now` holds scalars, `swept` the same names with the leading axes (slider, position).
    """
    return LiveNumbers(
        group,
        tuple(now),
        np.array([tensor.item() for tensor in now.values()]),
        tuple(sliders),
        np.stack([swept[name].numpy() for name in now], axis=-1) if sliders else (),
    )


def slider_positions(
    value: float, *, reach: float = 4.0, limit: float = math.inf, count: int = 81
) -> FloatArray:
    """Slider positions: an even grid around 0 in which `value` replaces the nearest one.

    The grid spans ±`reach`, doubled until `value` is well inside, and never leaves ±`limit`.
    """
    while abs(value) > 0.95 * reach:
        reach *= 2
    reach = min(reach, limit)
    half = count // 2
    positions = np.round(reach * np.arange(-half, half + 1) / half, 10)
    positions[np.abs(positions - value).argmin()] = value
    return positions


def pack(data: Mapping[str, object]) -> bytes:
    """Pack data for a script: JSON, and after it the arrays as bytes.

    An array of numbers is {"at": [start, count]} in the JSON and float64 in the bytes; bytes are
    {"bytes": [start, count]} and stay as they are. A dataclass is an object with its fields.
    `unpack` in drawing/packing.js reads the result.

    Bytes and not a dictionary: at every rerun, Streamlit would check whether a value of the
    dictionary is a data frame, and numbers as text are three times as long.
    """
    parts: list[bytes] = []
    filled = 0

    def placed(value: object) -> dict[str, Any]:
        nonlocal filled
        if is_dataclass(value):
            return {each.name: getattr(value, each.name) for each in fields(value)}
        raw = isinstance(value, bytes)
        part = value if isinstance(value, bytes) else _doubles(value)
        parts.append(part + bytes(-len(part) % 8))
        start, filled = filled, filled + len(parts[-1])
        return {"bytes": [start, len(part)]} if raw else {"at": [start // 8, len(part) // 8]}

    text = json.dumps(data, default=placed, allow_nan=False).encode()
    text += b" " * (-(len(text) + 4) % 8)
    return b"".join([len(text).to_bytes(4, "little"), text, *parts])


def _doubles(value: object) -> bytes:
    return np.ascontiguousarray(value, dtype="<f8").tobytes()
