"""The settings of the towers, and the two encoders that they describe."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from drawing.events import Moved
from lessons.transformer.towers.stacks_text import KINDS
from lmcore import parsing
from lmcore.transformer.parameters import Sizes
from lmcore.transformer.published import PUBLISHED
from ui.settings import Choice, Setting, Text
from ui.widgets import set_controls, show_error_later

ALONE = "alone"
BESIDE = {
    ALONE: "nothing",
    "bert_large": "BERT large",
    "xlm_roberta": "XLM-RoBERTa large",
    "albert_base": "ALBERT base",
}
"""What may stand beside BERT base."""
SHORT = {
    "bert_base": "BASE",
    "bert_large": "LARGE",
    "xlm_roberta": "XLM-R",
    "albert_base": "ALBERT",
}
SHARED = {"shared": "one set for all floors", "own": "each floor its own"}
"""Whose weights the floors of an ALBERT have."""
HEAD = 64
"""The width of a head in all of these models."""


class Size(NamedTuple):
    """A size that is dragged, with its bounds."""

    field: str
    spoken: str
    least: int
    most: int


DRAGGED: dict[str, Size] = {
    "N": Size("layers", "the number of floors N", 2, 36),
    "d": Size("width", "the width d", 4 * HEAD, 25 * HEAD),
    "V": Size("vocabulary", "the vocabulary V", 1000, 300_000),
    "e": Size("narrow", "the width of E e", HEAD, 25 * HEAD),
}
"""The slider of each size; its setting is `tower_` and the slider's name in lower case.

Only an ALBERT has e."""


def forget_sizes() -> None:
    """Discard the sizes that were dragged, for another model."""
    set_controls({setting(name): "" for name in DRAGGED} | {"tower_shared": "shared"})


def setting(name: str) -> str:
    """The setting in which a slider keeps its size."""
    return f"tower_{name.lower()}"


TOWER_SETTINGS: dict[str, Setting] = {
    "tower_beside": Choice(BESIDE, "Beside BERT base", then=forget_sizes),
    "tower_shared": Choice(SHARED, "Weights of ALBERT’s floors"),
    **{setting(name): Text(each.spoken, longest=12) for name, each in DRAGGED.items()},
    "stack_n": Text("Encoders, and decoders", longest=4),
    "stack_kind": Choice(KINDS, "Add up the weights of"),
}


class Tower(NamedTuple):
    """An encoder on the stage."""

    name: str
    sizes: Sizes
    printed: str
    """The number of parameters that its paper prints; empty once its sizes are dragged."""
    own: Sizes
    """Its sizes before they were dragged."""

    @property
    def changed(self) -> bool:
        """Whether its sizes were dragged."""
        return self.sizes != self.own


def read_towers() -> tuple[Tower, ...]:
    """BERT base, and what stands beside it; the dragged sizes are those of the last one.

    Raises:
        ValueError: naming the size that is no number or out of bounds.
    """
    beside = str(st.session_state["tower_beside"])
    names = ("bert_base",) if beside not in SHORT else ("bert_base", beside)
    first, last = published(names[0]), published(names[-1])
    given: dict[str, Any] = {
        each.field: read_size(name, str(st.session_state[setting(name)]))
        for name, each in dragged_sizes(last.sizes).items()
        if st.session_state[setting(name)]
    }
    if last.sizes.shared and st.session_state["tower_shared"] == "own":
        given["shared"] = False
    changed = last._replace(sizes=resized(last.sizes, given)) if given else last
    if changed.changed:
        changed = changed._replace(name=f"{last.name}, changed", printed="")
    return (first, changed) if len(names) > 1 else (changed,)


def dragged_sizes(sizes: Sizes) -> dict[str, Size]:
    """The sizes that a model has, by the names of their sliders."""
    return {name: each for name, each in DRAGGED.items() if getattr(sizes, each.field) is not None}


def published(name: str) -> Tower:
    """A published encoder under its short name."""
    known = PUBLISHED[name]
    return Tower(SHORT[name], known.sizes, known.printed, known.sizes)


def default_towers() -> tuple[Tower, ...]:
    """BERT base alone."""
    return (published("bert_base"),)


def read_size(name: str, typed: str) -> int:
    """A dragged or typed size.

    Raises:
        ValueError: if it is no number, or out of bounds.
    """
    _, spoken, least, most = DRAGGED[name]
    value = parsing.parse_integer(typed, spoken)
    if not least <= value <= most:
        raise ValueError(f"{spoken} must be from {least:,} to {most:,}; got {value:,}")
    if name == "d" and value % HEAD:
        raise ValueError(f"{spoken} must be a multiple of {HEAD}, the width of a head; got {value}")
    return value


def resized(sizes: Sizes, given: dict[str, Any]) -> Sizes:
    """The sizes with others; a head stays 64 wide, and the MLP four times as wide as d."""
    changed = dict(given)
    if "width" in given:
        changed |= {"heads": given["width"] // HEAD, "hidden": 4 * given["width"]}
    return replace(sizes, **changed)


def store_size(moved: Moved) -> None:
    """Store a released size, or the one typed beside it."""
    name = moved["name"]
    try:
        set_controls({setting(name): str(read_size(name, str(moved["typed"])))})
    except ValueError as error:
        show_error_later(error)
