"""The texts that the page on heads looks into: what every head of a model sees of each."""

from __future__ import annotations

import time
from functools import partial
from typing import NamedTuple

import streamlit as st

from lessons.heads import picture as figures
from lessons.heads.picture import HeadsSelection
from lmcore.attention import heads
from lmcore.attention.heads import Head, HeadsTrace
from lmcore.pretrained.reading import TokenizingModel
from ui import pretrained
from ui.compute import shared_results

MOST_TOKENS = 128
"""Tokens of a text that are shown."""


class HeadsRequest(NamedTuple):
    """A text, or a pair, and the model that reads it."""

    model: str
    text: str
    pair: str


class HeadsResult(NamedTuple):
    """What a model saw, with its data for the picture, made once; and how long it took, seconds."""

    seen: HeadsTrace
    picture: dict[str, object]
    seconds: float


def read_heads(asked: HeadsRequest) -> HeadsResult:
    """Every head of the model over the text; seen once for everybody."""
    reader = pretrained.load(asked.model)
    look = partial(_look, reader, asked.text, asked.pair)
    return shared_results.shared_result("heads", asked, look, most=16, says="Reading the text")


def _look(reader: TokenizingModel, text: str, pair: str) -> HeadsResult:
    start = time.perf_counter()
    seen = heads.trace_heads(reader.network, reader.read(text, pair, MOST_TOKENS))
    took = time.perf_counter() - start
    return HeadsResult(seen, figures.picture(seen, reader.name), took)


def default_head(asked: HeadsRequest, seen: HeadsTrace, query: int | None, key: int | None) -> Head:
    """The head to open where nobody chose one: whose weight from query to key differs most in the
    other text; without such a pair, the one with the largest weight between two words."""
    if query is not None and key is not None:
        numbers = seen.weights[..., query, key]
        other = other_text_heads(asked)
        pair = pair_in_other_text(seen, other, query, key)
        if other is not None and pair is not None:
            numbers = heads.weight_shifts(seen, other, (query, key), pair).abs()
        return heads.rank_heads(numbers)[0][0]
    return heads.rank_heads(heads.largest_word_weights(seen))[0][0]


def weight_in_other_text(asked: HeadsRequest, seen: HeadsTrace, at: HeadsSelection) -> float | None:
    """The open head's weight between the two followed tokens in the other text, if they are there
    and it is another one."""
    if at.query is None or at.key is None or st.session_state["heads_other"] == asked.text:
        return None
    other = other_text_heads(asked)
    pair = pair_in_other_text(seen, other, at.query, at.key)
    return None if other is None or pair is None else float(other.weights[at.head][pair])


def pair_in_other_text(
    seen: HeadsTrace, other: HeadsTrace | None, query: int, key: int
) -> tuple[int, int] | None:
    """Where the two tokens stand in the other text, if both do and its heads are as many."""
    if other is None or other.shape != seen.shape:
        return None
    tokens, there = seen.text.tokens, other.text.tokens
    i, j = (heads.matching_place(place, tokens, there) for place in (query, key))
    return None if i is None or j is None else (i, j)


def other_text_heads(asked: HeadsRequest, model: str = "") -> HeadsTrace | None:
    """The other text, as the same model sees it, or another; None if it cannot be read."""
    text = st.session_state["heads_other"]
    if not text.strip():
        return None
    try:
        return read_heads(HeadsRequest(model or asked.model, text, "")).seen
    except ValueError:
        return None
