"""Events that components report; their shape is checked before a page receives them.

A visitor can send a message of any content. An event that does not have the type which its handler
declares is dropped and counted, and the page stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache, partial
from inspect import signature, unwrap
from types import CodeType
from typing import Annotated, Any, get_type_hints

from prometheus_client import Counter
from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict  # required by pydantic before Python 3.12

LONGEST = 100_000
"""The most characters of an event as JSON."""
Place = Annotated[int, Field(ge=0, le=10**6)]
"""A place in a list, or a count."""
PlaceOrNone = Annotated[int, Field(ge=-1, le=10**6)]
"""A place in a list; -1 means none."""
Real = Annotated[float, Field(ge=-1e12, le=1e12)]
"""A finite number."""
Name = Annotated[str, Field(max_length=200)]
"""The name of something on screen, or a typed number."""
Typed = Annotated[str, Field(max_length=10_000)]
"""The content of a multi-line field."""
_KINDS: dict[CodeType, Any] = {}
"""The type of the event of each handler, by its code."""
REFUSED = Counter(
    "lmlive_refused_events", "Events of components that fit no place of the page", registry=None
)


class Moved(TypedDict):
    """A slider that was released, and its number as text."""

    name: Name
    typed: Name


def guarded(handle: Callable[[Any], None]) -> Callable[[object], None]:
    """`handle`, called only with events of the type of its parameter.

    An event of that type that does not fit the current page, such as a word past the last, is
    dropped as well: a ValueError or LookupError of `handle` is caught here.
    """
    kind = event_type(handle)  # a handler without a type is a bug in the page: raised at once

    def received(value: object) -> None:
        try:
            handle(read_event(kind, value))
        except (ValueError, LookupError, ArithmeticError, RecursionError):
            REFUSED.inc()

    return received


def read_event(kind: Any, value: object) -> Any:
    """An event as a value of type `kind`; keys that a typed dictionary lacks are dropped.

    Raises:
        ValueError: if it is of another type, holds NaN or infinity, or is longer than `LONGEST`.
    """
    text = json.dumps(value, allow_nan=False)
    if len(text) > LONGEST:
        raise ValueError(f"an event must have at most {LONGEST:,} characters; got {len(text):,}")
    return _adapter(kind).validate_json(text, strict=True)


def event_type(handle: Callable[[Any], None]) -> Any:
    """The type of the event that a handler takes: that of its last parameter.

    Raises:
        TypeError: if it has no type.
    """
    function = unwrap(handle.func if isinstance(handle, partial) else handle)
    code: CodeType = function.__code__
    if code not in _KINDS:
        name = list(signature(function).parameters)[-1]
        kind = get_type_hints(function, include_extras=True).get(name, Any)
        if kind in (Any, object):
            raise TypeError(f"{function.__qualname__}: the event must have a type")
        _KINDS[code] = kind
    return _KINDS[code]


@lru_cache(maxsize=128)
def _adapter(kind: Any) -> Any:
    return TypeAdapter(kind)
