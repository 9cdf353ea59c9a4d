"""Checks of values, with errors that name the place, what is allowed and what was given."""

from __future__ import annotations

from collections.abc import Collection


def check_one_of(name: str, value: str, allowed: Collection[str]) -> None:
    """Raises ValueError if `value` is not one of `allowed`; `name` says which value it is."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {value!r:.80}")


def check_between(name: str, value: int, low: int, high: int) -> None:
    """Raises ValueError if `value` is not from `low` to `high`; `name` says which value it is."""
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}; got {value}")
