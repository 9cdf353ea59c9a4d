"""The limits of each setting of a run, and the errors for values outside them."""

from __future__ import annotations

import math

LIMITS: dict[str, tuple[float, float]] = {
    "embedding": (2, 512),
    "hidden": (2, 1024),
    "layers": (1, 8),
    "heads": (1, 16),
    "context": (1, 16),
    "documents": (0, 200_000),
    "learning_rate": (1e-6, 1e3),
    "batch": (1, 256),
    "length": (2, 512),
    "clip": (0, 1e3),
    "dropout": (0, 0.9),
    "steps": (1, 100_000),
    "seed": (0, 2**31 - 1),
    "low": (0, 1),
    "high": (0, 1),
    "pairs": (0, 1),
}
REAL_SETTINGS = ("learning_rate", "clip", "dropout", "low", "high", "pairs")


def check_within(name: str, value: object) -> None:
    """Raises ValueError if a setting is not a number, or not within its `LIMITS`."""
    low, high = LIMITS[name]
    whole = name not in REAL_SETTINGS
    wrong_kind = isinstance(value, bool) or (whole and not isinstance(value, int))
    if wrong_kind or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{setting_name(name)} must be a {'whole ' * whole}number; got {value!r}")
    if not low <= value <= high:
        raise ValueError(
            f"{setting_name(name)} must be from {format_setting(low)} to {format_setting(high)}; "
            f"got {format_setting(value)}"
        )


def format_setting(value: float | int) -> str:
    """A number without an exponent if it has at most nine decimals."""
    text = f"{value:,.9f}".rstrip("0").rstrip(".")
    return text if len(text) < 20 and float(text.replace(",", "")) == value else f"{value:g}"


def setting_name(name: str) -> str:
    """The name of a setting in messages."""
    return {
        "learning_rate": "the learning rate η",
        "embedding": "the embedding size",
        "hidden": "the hidden size",
        "layers": "the number of layers",
        "documents": "the number of documents",
        "dropout": "the dropout",
        "seed": "the seed",
        "heads": "the number of heads",
        "context": "the context length",
        "steps": "the number of steps",
        "batch": "the batch size",
        "length": "the length read at a time",
        "clip": "the gradient clip",
        "low": "the low share of masked words",
        "high": "the high share of masked words",
        "pairs": "the share of pairs",
    }.get(name, name)


def check_bool(name: str, value: object) -> None:
    """Raises ValueError if a switch is neither true nor false."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be true or false; got {value!r}")
