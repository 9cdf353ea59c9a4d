"""A mask chosen by the user, for a text of any length: its kind, and the number it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import torch
from jaxtyping import Bool
from torch import Tensor

from lmcore import parsing
from lmcore.checks import check_one_of
from lmcore.models import masks

MaskKind = Literal["causal", "bidirectional", "prefix", "sliding", "permutation", "painted"]
MASK_KINDS = get_args(MaskKind)
LONGEST = 12
"""The longest text, in positions: each is a row and a column of the picture."""


@dataclass(frozen=True, slots=True)
class MaskChoice:
    """A kind of mask and its numbers, which are clipped for a shorter text."""

    kind: str = "causal"
    known: int = 3
    """Positions of the prefix"""
    window: int = 3
    """Visible positions, the query's own included"""
    ahead: bool = False
    """Whether the window also extends forward"""
    order: tuple[int, ...] = ()
    """Positions, from 1, in prediction order; those left out follow in text order"""
    content: bool = True
    """Whether a permutation's content stream is meant, which sees its own position"""
    painted: str = ""
    """A mask as `masks.parse_mask` reads it; the causal mask, where nothing has been painted"""

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_one_of("the kind of mask", self.kind, MASK_KINDS)
        _from_to("the prefix", self.known, 0)
        _from_to("the window", self.window, 1)
        for n, place in enumerate(self.order, start=1):
            _from_to(f"place {n} of the order", place, 1)
            if place in self.order[: n - 1]:
                raise ValueError(f"an order must name each place once; got {place} twice")
        if self.kind == "painted" and self.painted:
            longest = max(masks.parse_mask(self.painted).shape)
            if longest > LONGEST:
                raise ValueError(
                    f"a painted mask must be of at most {LONGEST} places; got {longest}"
                )

    @property
    def number(self) -> str | None:
        """The field that a slider changes, if the kind has one."""
        return {"prefix": "known", "sliding": "window"}.get(self.kind)


class MaskSweep(NamedTuple):
    """A mask at every value of its number."""

    values: tuple[int, ...]
    """One value, 0, where the kind has no number"""
    at: int
    """The index of the chosen value"""
    masks: Bool[Tensor, "value query key"]


def build_mask(choice: MaskChoice, length: int) -> Bool[Tensor, "query key"]:
    """The mask of a text of that length."""
    match choice.kind:
        case "prefix":
            return masks.prefix(length, min(choice.known, length))
        case "sliding":
            return masks.sliding(length, min(choice.window, length), ahead=choice.ahead)
        case "permutation":
            return masks.permutation(complete_order(choice.order, length), content=choice.content)
        case "painted" if choice.painted:
            return fit_painted_mask(masks.parse_mask(choice.painted), length)
        case "bidirectional":
            return masks.bidirectional(length)
    return masks.causal(length)


def sweep_mask(choice: MaskChoice, length: int) -> MaskSweep:
    """The mask at every value of its number: a prefix of 0 … `length`, a window of 1 … `length`."""
    if choice.number is None:
        return MaskSweep((0,), 0, build_mask(choice, length)[None])
    values = tuple(range(choice.kind == "sliding", length + 1))
    now = min(getattr(choice, choice.number), length)
    made = [build_mask(_with(choice, value), length) for value in values]
    return MaskSweep(values, values.index(now), torch.stack(made))


def _with(choice: MaskChoice, value: int) -> MaskChoice:
    return replace(choice, known=value, window=max(value, 1))


def complete_order(order: tuple[int, ...], length: int) -> list[int]:
    """The positions of a text, from 0, in prediction order; those left out come last."""
    named = [place - 1 for place in order if place <= length]
    return named + [place for place in range(length) if place not in named]


def fit_painted_mask(painted: Bool[Tensor, "row column"], length: int) -> Bool[Tensor, "query key"]:
    """A painted mask clipped to a shorter text; in a longer one further positions are causal."""
    mask = masks.causal(length)
    rows, columns = (min(length, size) for size in painted.shape)
    mask[:rows, :columns] = painted[:rows, :columns]
    return mask


def parse_order(text: str) -> tuple[int, ...]:
    """Parse typed positions.

    Raises:
        ValueError: if one is not a whole number.
    """
    if not text.strip():
        return ()
    listed = parsing.parse_numbers(text, "the order")
    return tuple(
        parsing.parse_integer(f"{n:g}", f"place {i} of the order") for i, n in enumerate(listed, 1)
    )


def _from_to(name: str, value: int, low: int) -> None:
    if not low <= value <= LONGEST:
        raise ValueError(f"{name} must be from {low} to {LONGEST}; got {value}")
