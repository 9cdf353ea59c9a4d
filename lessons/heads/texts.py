"""The texts that the page on heads looks into: what every head of a model sees of each."""

from __future__ import annotations

import time
from functools import partial
from typing import NamedTuple

import streamlit as st

from lessons.heads import picture as figures
from lessons.heads.picture import At
from lmcore.attention import heads
from lmcore.attention.heads import Head, Seen
from lmcore.pretrained.reading import Reader
from ui import pretrained
from ui.compute import shared_results

MOST = 128
"""Tokens of a text that are shown."""


class Asked(NamedTuple):
    """A text, or a pair, and the model that reads it."""

    model: str
    text: str
    pair: str


class Shown(NamedTuple):
    """What a model saw, with its data for the picture, made once; and how long it took, seconds."""

    seen: Seen
    picture: dict[str, object]
    seconds: float


def look(asked: Asked) -> Shown:
    """Every head of the model over the text; seen once for everybody."""
    reader = pretrained.load(asked.model)
    look = partial(_look, reader, asked.text, asked.pair)
    return shared_results.kept("heads", asked, look, most=16, says="Reading the text")


def _look(reader: Reader, text: str, pair: str) -> Shown:
    start = time.perf_counter()
    seen = heads.look(reader.network, reader.read(text, pair, MOST))
    took = time.perf_counter() - start
    return Shown(seen, figures.picture(seen, reader.name), took)


def found(asked: Asked, seen: Seen, query: int | None, key: int | None) -> Head:
    """The head to open where nobody chose one: whose weight from query to key differs most in the
    other text; without such a pair, the one with the largest weight between two words."""
    if query is not None and key is not None:
        numbers = seen.weights[..., query, key]
        other = other_seen(asked)
        pair = pair_there(seen, other, query, key)
        if other is not None and pair is not None:
            numbers = heads.shifts(seen, other, (query, key), pair).abs()
        return heads.ranked(numbers)[0][0]
    return heads.ranked(heads.between_words(seen))[0][0]


def weight_there(asked: Asked, seen: Seen, at: At) -> float | None:
    """The open head's weight between the two followed tokens in the other text, if they are there
    and it is another one."""
    if at.query is None or at.key is None or st.session_state["heads_other"] == asked.text:
        return None
    other = other_seen(asked)
    pair = pair_there(seen, other, at.query, at.key)
    return None if other is None or pair is None else float(other.weights[at.head][pair])


def pair_there(seen: Seen, other: Seen | None, query: int, key: int) -> tuple[int, int] | None:
    """Where the two tokens stand in the other text, if both do and its heads are as many."""
    if other is None or other.shape != seen.shape:
        return None
    tokens, there = seen.text.tokens, other.text.tokens
    i, j = (heads.same_place(place, tokens, there) for place in (query, key))
    return None if i is None or j is None else (i, j)


def other_seen(asked: Asked, model: str = "") -> Seen | None:
    """The other text, as the same model sees it, or another; None if it cannot be read."""
    text = st.session_state["heads_other"]
    if not text.strip():
        return None
    try:
        return look(Asked(model or asked.model, text, "")).seen
    except ValueError:
        return None
