"""Checks of values, with errors that name the place, what is allowed and what was given."""

from __future__ import annotations

from collections.abc import Collection
from operator import index

from lmcore.typed import fold_numbers


def check_one_of(name: str, value: str, allowed: Collection[str]) -> None:
    """Raises ValueError if `value` is not one of `allowed`; `name` says which value it is."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {value!r:.80}")


def one_of(name: str, value: str, allowed: Collection[str]) -> str:
    """The element of `allowed` that `value` names; case and the kind of dash are ignored.

    Raises:
        ValueError: if it names none of them; `name` says which value it is.
    """
    if isinstance(value, str) and value not in allowed:
        meant = [each for each in allowed if _folded(each) == _folded(value)]
        value = meant[0] if len(meant) == 1 else value
    check_one_of(name, value, allowed)
    return value


def _folded(text: str) -> str:
    return fold_numbers(text).casefold()


def check_whole(name: str, value: object) -> None:
    """Raises ValueError if `value` is not a whole number; `name` says which value it is."""
    try:
        index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{name} must be a whole number; got {value!r:.80}") from None


def check_between(name: str, value: int, low: int, high: int) -> None:
    """Raises ValueError if `value` is not a whole number from `low` to `high`."""
    check_whole(name, value)
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}; got {value}")


def check_kind(name: str, value: object, kind: type, how: str = "") -> None:
    """Raises ValueError if `value` is not of type `kind`; `how` says how one is made."""
    if not isinstance(value, kind):
        a = "an" if kind.__name__.startswith(("A", "E", "I", "O", "NG")) else "a"
        made = f", {how}" if how else ""
        raise ValueError(f"{name} must be {a} {kind.__name__}{made}; got {value!r:.60}")


def check_row(name: str, values: object, example: str) -> None:
    """Raises ValueError if `values` is not a sequence such as a list; text is not accepted."""
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise ValueError(f"{name} must be in a list, such as {example}; got {values!r:.60}")
