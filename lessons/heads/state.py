"""The settings of the page on heads, read and validated, and the trace of its text."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

import ui
from lessons.heads import picture
from lessons.heads.picture import HeadsPayload, HeadsSelection
from lmcore.attention import heads
from lmcore.attention.heads import Head, HeadsTrace
from lmcore.pretrained.reading import TokenizingModel
from ui import compute, pretrained
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text

LESSON = ui.lesson("heads")
NO_ENCODER = (
    "The real English encoder is not installed here; `make run` fetches it once. This page shows "
    "a smaller model, whose attention differs from BERT’s."
)
SIDES = ("all", "AA", "AB", "BA", "BB")
"""Which sentence of a pair looks at which."""
METHODS = {
    "mute": "Mute: its output becomes 0",
    "average": "Average: its output is the same at every place",
    "patch": "Patch: its output comes from the other text",
}
SETTINGS = SettingsTable(
    LESSON,
    {
        "heads_text": Text("Text", "Press Enter, and every head reads it"),
        "heads_other": Text(
            "Another text, to compare with", "Change one word: where do the weights change?"
        ),
        "heads_pair": Text(
            "A sentence B after the text, for an encoder that reads pairs",
            "Above the picture you can then choose which sentence looks at which",
        ),
        "heads_model": Choice(pretrained.known_models, "Model", may_be_empty=True),
        "heads_other_model": Choice(
            lambda: {"": "the same", **pretrained.known_models()}, "The other text is read by"
        ),
        "heads_between": Choice(SIDES),
        "heads_threshold": Between(0, 1),
        "heads_find": Choice(picture.PATTERNS, "Find heads that"),
        "heads_cut": Choice(METHODS, "To each head in turn"),
        "heads_special": Switch(),
        "heads_faint": Switch(),
        "heads_watch": Text("Token to watch", "Empty: the token that the model predicts here"),
        "heads_together": Text("Heads together", "As 3.1, 4.2; empty: the open head alone"),
        "heads_see": Bound(),
    },
)
MOST_TOKENS = 128
"""Tokens of a text that are shown."""


class HeadsRequest(NamedTuple):
    """A text, or a pair of sentences, and the model that reads it."""

    model: str
    text: str
    pair: str


class HeadsResult(NamedTuple):
    """The trace of a text, its payload for the picture, and the seconds that the trace took."""

    trace: HeadsTrace
    picture: HeadsPayload
    seconds: float


def available_models() -> dict[str, str]:
    """The models whose heads the page can show; reports why there is none, or no real encoder."""
    try:
        models = pretrained.available_models()
    except ValueError as error:
        ui.show_error(error)
        return {}
    if not models:
        st.info("No model is installed here whose heads this page could show.")
    elif pretrained.WHEEL not in models:
        st.info(NO_ENCODER)
    return models


def read_request(models: dict[str, str]) -> HeadsRequest:
    """The model and the text of the controls.

    Raises:
        ValueError: if the model cannot read the text.
    """
    state = st.session_state
    model = state["heads_model"] if state["heads_model"] in models else next(iter(models))
    request = HeadsRequest(model, state["heads_text"], state["heads_pair"].strip())
    read_heads(request)
    return request


def default_request(models: dict[str, str]) -> HeadsRequest:
    """The page's default state."""
    return HeadsRequest(next(iter(models)), LESSON.defaults["heads_text"], "")


def read_heads(request: HeadsRequest) -> HeadsResult:
    """Every head of the model over the text; computed once for all visitors."""
    reader = pretrained.load(request.model)
    trace = partial(_trace_text, reader, request.text, request.pair)
    return compute.shared_result("heads", request, trace, most=16, says="Reading the text")


def _trace_text(reader: TokenizingModel, text: str, pair: str) -> HeadsResult:
    start = time.perf_counter()
    trace = heads.trace_heads(reader.network, reader.read(text, pair, MOST_TOKENS))
    seconds = time.perf_counter() - start
    return HeadsResult(trace, picture.picture(trace, reader.name), seconds)


def read_selection(request: HeadsRequest, trace: HeadsTrace) -> HeadsSelection:
    """Which head is open, which tokens are followed, and the filters.

    Raises:
        ValueError: if the text has no such token, or the model no such head.
    """
    state = st.session_state
    tokens = trace.text.tokens
    query, key = (heads.find_place(tokens, state[f"heads_{name}"]) for name in ("query", "key"))
    head = (
        Head.parse(state["heads_head"], trace.shape)
        if state["heads_head"]
        else default_head(request, trace, query, key)
    )
    threshold = SETTINGS.number("heads_threshold")
    is_pair = bool(trace.text.segments.any())
    between = SETTINGS.choice("heads_between") if is_pair else "all"
    special, faint = SETTINGS.switch("heads_special"), SETTINGS.switch("heads_faint")
    return HeadsSelection(head, query, key, special, threshold, between, faint)


def fitting_selection(
    selection: HeadsSelection, request: HeadsRequest, trace: HeadsTrace
) -> HeadsSelection:
    """The selection, or the default one where this text or model has no such head or token."""
    last = max(selection.query or 0, selection.key or 0)
    if selection.head < trace.shape and last < len(trace.text.tokens):
        return selection
    return HeadsSelection(default_head(request, trace, None, None))


def store_selection(event: dict[str, Any]) -> None:
    """Store the head that was opened, the tokens that are followed, and the filters."""
    before: HeadsSelection = st.session_state["heads-at"]
    head = Head(int(event["layer"]), int(event["head"]))
    values = {
        "heads_query": "" if event["query"] < 0 else str(event["query"]),
        "heads_key": "" if event["key"] < 0 else str(event["key"]),
        "heads_special": str(event["special"]).lower(),
        "heads_faint": str(event["faint"]).lower(),
        "heads_threshold": f"{event['threshold']:g}",
        "heads_between": str(event["between"]),
    }
    # A token that is still followed keeps the word it was named by: other texts have it too.
    for name, place in (("query", before.query), ("key", before.key)):
        if event[name] == (-1 if place is None else place):
            values.pop(f"heads_{name}")
    # A head that was found for two tokens stays open when other tokens are followed.
    if head != before.head or {"heads_query", "heads_key"} & values.keys():
        values["heads_head"] = str(head)
    ui.set_controls(values)


def default_head(
    request: HeadsRequest, trace: HeadsTrace, query: int | None, key: int | None
) -> Head:
    """The head that opens where nobody chose one.

    It is the head whose weight from query to key differs most in the other text; without such a
    pair, the head with the largest weight between two words.
    """
    if query is not None and key is not None:
        numbers = trace.weights[..., query, key]
        other = other_text_heads(request)
        pair = pair_in_other_text(trace, other, query, key)
        if other is not None and pair is not None:
            numbers = heads.weight_shifts(trace, other, (query, key), pair).abs()
        return heads.rank_heads(numbers)[0][0]
    return heads.rank_heads(heads.largest_word_weights(trace))[0][0]


def weight_in_other_text(
    request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection
) -> float | None:
    """The open head's weight between the two followed tokens in the other text.

    None if the other text is the same, or has not both tokens.
    """
    query, key = selection.query, selection.key
    if query is None or key is None or st.session_state["heads_other"] == request.text:
        return None
    other = other_text_heads(request)
    pair = pair_in_other_text(trace, other, query, key)
    return None if other is None or pair is None else float(other.weights[selection.head][pair])


def pair_in_other_text(
    trace: HeadsTrace, other: HeadsTrace | None, query: int, key: int
) -> tuple[int, int] | None:
    """The places of the two followed tokens in the other text.

    None if it lacks one of them, or if its model has another number of heads.
    """
    if other is None or other.shape != trace.shape:
        return None
    tokens, others = trace.text.tokens, other.text.tokens
    i, j = (heads.matching_place(place, tokens, others) for place in (query, key))
    return None if i is None or j is None else (i, j)


def other_text_heads(request: HeadsRequest, model: str = "") -> HeadsTrace | None:
    """The trace of the other text, by the same model or another; None if it cannot be read."""
    text = st.session_state["heads_other"]
    if not text.strip():
        return None
    try:
        return read_heads(HeadsRequest(model or request.model, text, "")).trace
    except ValueError:
        return None
