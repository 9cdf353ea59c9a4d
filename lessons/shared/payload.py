"""What the server sends to a script: the script's name, and the type of its data.

`make payloads` writes these types as TypeScript, so that a script and the picture
that feeds it are checked against one another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeAlias, TypedDict, TypeVar

import numpy.typing as npt

Payload = TypeVar("Payload", bound=Mapping[str, object])
NumberArray: TypeAlias = npt.NDArray[Any]
"""Numbers of any kind and shape; a script reads them in a row, as doubles."""


class Script(NamedTuple, Generic[Payload]):
    """A script that draws, by the name of its file, and the type of what it draws from."""

    name: str
    payload: type[Payload]


class Kept(bytes):
    """Bytes of a main picture that most moves leave as they are.

    They travel in an element of their own, which the server only names as long as it is the same.
    """

    @cached_property
    def key(self) -> str:
        """A name that no other bytes have."""
        return hashlib.blake2b(self, digest_size=16).hexdigest()


class Line(TypedDict):
    """A line of a computation, and the role that colours it."""

    role: str
    text: str


class Chip(TypedDict):
    """A token: its text, its look, and the label under it."""

    text: str
    kind: str
    below: str


class ChipRow(TypedDict):
    """A heading, a sentence, and chips."""

    title: str
    said: str
    chips: list[Chip]


class ChipsPayload(TypedDict):
    """Rows of chips; `pick` names the number that selects the visible rows, if there is one."""

    views: Sequence[Sequence[ChipRow]]
    pick: str


class LossesPayload(TypedDict):
    """The terms of a loss, one row per word."""

    tokens: Sequence[str]
    maskable: Sequence[float] | NumberArray
    """Above 0 where a word may be chosen."""
    outcomes: Sequence[str]
    standing: list[str]
    """What stands in a word's place, by hand."""
    drawn: list[str]
    """What was drawn for a word's place."""
    has_model: bool


CHIPS = Script("chips", ChipsPayload)
LOSSES = Script("losses", LossesPayload)
