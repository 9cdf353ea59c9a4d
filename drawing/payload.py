"""Types of what the server sends to a script and receives, and the names of live numbers.

`make payloads` writes all of this as TypeScript, so that a script and the picture
that feeds it are checked against each other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypedDict, TypeVar

import numpy.typing as npt

Payload = TypeVar("Payload", bound=Mapping[str, object])
NumberArray: TypeAlias = npt.NDArray[Any]
"""Numbers of any kind and shape; a script reads them flattened, as doubles."""
NumberName: TypeAlias = Annotated[str, "the name of a number"]
"""A name in a script's data by which the script looks up a live number."""


class Script(NamedTuple, Generic[Payload]):
    """A script that draws: the name of its file, and the type of its payload."""

    name: str
    payload: type[Payload]
    numbers: tuple[str, ...] = ()
    """The names of a main picture's numbers, as patterns: # is a whole number, * any text."""
    event: Any = None
    """The type of the event that it reports; None if that is not declared."""


@lru_cache(maxsize=256)
def check_names(script: str, patterns: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Check the names of a picture's numbers against what its script declares, if it does.

    Raises:
        ValueError: if a name fits no pattern.
    """
    escaped = (
        re.escape(pattern).replace(r"\#", r"\d+").replace(r"\*", ".*") for pattern in patterns
    )
    fits = re.compile("|".join(escaped), re.DOTALL).fullmatch
    if patterns and (strange := [name for name in names if not fits(name)]):
        raise ValueError(
            f"the numbers of the picture {script} must be named {', '.join(patterns)}; "
            f"got {', '.join(strange[:5])}"
        )


class Kept(bytes):
    """A large, rarely changing part of a picture's data.

    It is sent in an element of its own; while it stays the same, only its key is sent.
    """

    @cached_property
    def key(self) -> str:
        """A hash of the bytes."""
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
    """What the visitor has put in place of each word."""
    drawn: list[str]
    """What was drawn in place of each word."""
    has_model: bool


CHIPS = Script("chips", ChipsPayload)
LOSSES = Script("losses", LossesPayload)
