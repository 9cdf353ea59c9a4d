"""The settings of the page on heads, read and validated, and the trace of its text."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved, Name
from lessons.heads import heads_picture, heads_row
from lessons.heads.heads_picture import HeadOrPair, HeadsSelection, WeightsPayload
from lessons.heads.heads_row import OtherText, QueryRow
from lmcore import parsing
from lmcore.attention import heads
from lmcore.attention.heads import Head, HeadsTrace
from ui import compute, pretrained
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value

LESSON = ui.lesson("heads")
KNOWN_TEXTS = {"heads_text": LESSON.defaults["heads_text"], "heads_pair": ""}
"""Texts that every model can read."""
NO_ENCODER = (
    "The real English encoder is not installed here; `make run` fetches it once. This page shows "
    "a smaller model, whose attention differs from BERT’s."
)
SIDES = {"all": "all", "AA": "A → A", "AB": "A → B", "BA": "B → A", "BB": "B → B"}
"""Which sentence of a pair attends to which."""
OPENED = {
    "change": "most change",
    "previous": "token before",
    "following": "token after",
    "separator": "[SEP]",
}
"""The head that opens if none was pressed: the one that shows a pattern most."""
THRESHOLDS = np.linspace(0, 0.95, 96)
METHODS = {
    "mute": "Mute: its output becomes 0",
    "average": "Average: its output is the same at every place",
    "patch": "Patch: its output comes from the other text",
}


def possible_methods() -> dict[str, str]:
    """The ways to change a head; patching needs another text."""
    other = str(st.session_state.get("heads_other", "")).strip()
    return METHODS if other else {name: METHODS[name] for name in METHODS if name != "patch"}


def drop_patch() -> None:
    """Reset the method if it is patching and there is no other text. For callbacks."""
    if st.session_state["heads_cut"] not in possible_methods():
        ui.set_controls({"heads_cut": "mute"})


def fit_text() -> None:
    """Replace a text that the model cannot read by one that it can. For callbacks."""
    pretrained.fit_texts(SETTINGS.choice("heads_model"), KNOWN_TEXTS)


SETTINGS = SettingsTable(
    LESSON,
    {
        "heads_text": Text("Text", "Press Enter, and every head reads it"),
        "heads_other": Text(
            "Compared with", "Change one word: where do the weights change?", then=drop_patch
        ),
        "heads_pair": Text(
            "A sentence B after the text, for an encoder that reads pairs",
            "You can then choose which sentence attends to which",
        ),
        "heads_model": Choice(
            pretrained.known_models,
            "Model",
            may_be_empty=True,
            then=fit_text,
        ),
        "heads_other_model": Choice(
            lambda: {"": "the same", **pretrained.known_models()}, "The other text is read by"
        ),
        "heads_between": Choice(SIDES, "Which sentence attends to which"),
        "heads_threshold": Between(0, 1),
        "heads_find": Choice(heads_picture.PATTERNS, "Find heads that"),
        "heads_cut": Choice(
            possible_methods,
            "To each head in turn",
            help="To patch a head, type a text under “Compared with”",
        ),
        "heads_open": Choice(OPENED),
        "heads_special": Switch("Hide special tokens"),
        "heads_faint": Switch("Bring out faint weights"),
        "heads_number": Text("Number of the output", "Empty: the one furthest from 0"),
        "heads_off": Text("Heads that are cut", "As 1 3; empty: none"),
        "heads_watch": Text("Token to watch", "Empty: the token that the model predicts here"),
        "heads_together": Text("Heads together", "As 3.1, 4.2; empty: the open head alone"),
        "see": Bound(),
    },
)
MOST_TOKENS = 128
"""The most tokens of a text that are shown."""


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


class HeadsRequest(NamedTuple):
    """A text, or a pair of sentences, and the model that reads it."""

    model: str
    text: str
    pair: str


class HeadsResult(NamedTuple):
    """The trace of a text, its packed weights, and the seconds that the trace took."""

    trace: HeadsTrace
    weights: WeightsPayload
    name: str
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
    pretrained.load(request.model)  # has its own progress message, before that of the text
    trace = partial(_trace_text, request)
    return compute.shared_result("heads", trace, most=16, says="Reading the text")


def _trace_text(request: HeadsRequest) -> HeadsResult:
    reader = pretrained.load(request.model)
    start = time.perf_counter()
    trace = heads.trace_heads(reader.network, reader.read(request.text, request.pair, MOST_TOKENS))
    seconds = time.perf_counter() - start
    return HeadsResult(trace, heads_picture.packed_weights(trace), reader.name, seconds)


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
    """The selection, or the default one if this text or model has no such head or token."""
    last = max(selection.query or 0, selection.key or 0)
    if selection.head < trace.shape and last < len(trace.text.tokens):
        return selection
    return HeadsSelection(default_head(request, trace, None, None))


def open_head(address: Name) -> None:
    """Open a head by its address. For callbacks."""
    ui.set_controls({"heads_head": address})


def on_press(of: str, selection: HeadsSelection, shown: QueryRow) -> Callable[[HeadOrPair], None]:
    """The callback that stores what is pressed in the picture of the weights `of`.

    Presses are debounced. If another text was chosen in between, the press refers to the heads and
    places of the old text, and is ignored.
    """
    chosen = _reading()

    def pressed(event: HeadOrPair) -> None:
        if event["of"] == of and _reading() == chosen:
            _store_press(selection, shown, event)

    return pressed


def _reading() -> tuple[str, ...]:
    """The present settings of the model and the texts, whether valid or not."""
    return tuple(map(SETTINGS.text, ("heads_model", "heads_text", "heads_pair")))


def _store_press(selection: HeadsSelection, shown: QueryRow, event: HeadOrPair) -> None:
    """Store the head that was opened, or the tokens that are followed.

    The query stays when a head is opened, even if it was not chosen by the user.
    """
    values = {}
    if "layer" in event:
        values["heads_head"] = str(Head(event["layer"], event["head"]))
        if selection.query is None:
            values["heads_query"] = str(shown.place)
    for name in ("query", "key"):
        if name in event:
            values[f"heads_{name}"] = "" if event[name] < 0 else str(event[name])
    # A head that was opened for two tokens stays open when other tokens are followed.
    if "layer" not in event and "at" in event:
        values["heads_head"] = str(Head(*event["at"]))
    ui.set_controls(values)


def query_place(trace: HeadsTrace, selection: HeadsSelection) -> int:
    """The query whose row is drawn: the followed one, or the one with the head's largest weight."""
    if selection.query is not None:
        return selection.query
    return int(trace.weights[selection.head].max(-1).values.argmax())


def read_row(
    request: HeadsRequest, trace: HeadsTrace, selection: HeadsSelection
) -> tuple[QueryRow, OtherText | None]:
    """The numbers of the query in every head, and its row in the other text, if it has one."""
    place, key, there = query_place(trace, selection), selection.key, None
    same = st.session_state["heads_other"] == request.text
    other = None if same or key is None else other_text_heads(request)
    if other is not None and key is not None and pair_in_other_text(trace, other, place, key):
        tokens, others = trace.text.tokens, other.text.tokens
        at = heads.matching_place(place, tokens, others)
        if at is not None:
            found = heads.matching_row(other.weights[:, :, at], tokens, others)
            there = OtherText(found, others)
    return heads_row.query_row(trace, place, key, there, selection.threshold), there


def live_numbers(trace: HeadsTrace, selection: HeadsSelection, shown: QueryRow) -> ui.LiveNumbers:
    """The numbers of the open head, and at every position of the threshold."""
    now = shown.table[selection.head.layer * trace.shape[1] + selection.head.head]
    positions = np.unique(np.append(THRESHOLDS, selection.threshold))
    slider = ui.Slider(
        "threshold",
        "α ≥",
        "hide weights under",
        selection.threshold,
        positions,
        help="Drag right: only the largest weights stay. How few does a head need?",
        role="activation",
        heading="Hide weights under",
    )
    swept = np.repeat(now[None], len(positions), axis=0)
    swept[:, shown.names.index("threshold")] = positions
    left = heads.count_at_each(trace.weights[selection.head], torch.from_numpy(positions))
    swept[:, shown.names.index("left")] = left
    return ui.LiveNumbers(heads_picture.GROUP, shown.names, now, (slider,), swept[None])


def store_threshold(release: Moved) -> None:
    """Store the threshold that was set with the slider or typed. For callbacks."""
    try:
        threshold = parsing.parse_number(str(release["typed"]), "the threshold")
        if not 0 <= threshold <= 1:
            raise ValueError(f"the threshold must be from 0 to 1; got {threshold:g}")
        ui.set_controls({"heads_threshold": f"{threshold:.6g}"})
    except ValueError as error:
        ui.show_error_later(error)


def store_text(text: str) -> None:
    """Store a text in which a word was replaced. For callbacks."""
    ui.set_controls({"heads_text": text})


def english_offer(models: Mapping[str, str]) -> tuple[str, Callable[[], None]] | None:
    """The label and callback of a button that switches to a model of English; None without one."""
    if pretrained.WHEEL not in models:
        return None
    label = f"Read it with {models[pretrained.WHEEL]}"
    return label, lambda: ui.set_controls({"heads_model": pretrained.WHEEL})


def head_pills() -> None:
    """Draw the patterns that select a head; none is marked if a head was pressed."""
    now = None if st.session_state["heads_head"] else SETTINGS.choice("heads_open")
    key = ui.fresh_key("heads_open-shown", now)

    def choose() -> None:
        if (chosen := ui.changed_value("heads_open-shown", key)) is not None:
            ui.set_controls({"heads_open": chosen, "heads_head": ""})

    st.pills(
        "Open the head with",
        list(OPENED),
        format_func=OPENED.__getitem__,
        key=key,
        on_change=choose,
        wrap=True,
        help="Most change: between the two texts. The others: most weight on that token",
    )


def controls(request: HeadsRequest, trace: HeadsTrace) -> None:
    """Draw the controls of the two texts, of the head to open, and of the filters."""
    SETTINGS.draw("heads_text", "heads_other")
    if request.model in pretrained.OUR_MODELS:
        ui.microworld_popover()
    head_pills()
    if bool(trace.text.segments.any()):
        SETTINGS.draw("heads_between")
    SETTINGS.draw("heads_special")


def more_controls(models: dict[str, str]) -> None:
    """Draw the controls under More: faint weights, a second sentence, and the model."""
    SETTINGS.draw("heads_faint", "heads_pair")
    if len(models) > 1:
        SETTINGS.draw("heads_model")


def notes(request: HeadsRequest, result: HeadsResult, models: dict[str, str]) -> list[str]:
    """Sentences on the model, on what was cut off, and on what weights do not show."""
    found = [heads_picture.STANDING_NOTE]
    if pretrained.WHEEL not in models:
        found.append(NO_ENCODER)
    if request.model != pretrained.WHEEL:
        found.append(f"Model: {models[request.model]}.")
    if result.trace.text.cut:
        found.append(f"The text is longer; only its first {MOST_TOKENS} tokens are shown.")
    if SETTINGS.switch("heads_special") and bool(result.trace.text.special.any()):
        found.append(
            "Special tokens are hidden and the weights are not rescaled: rows no longer sum to 1."
        )
    return found


def default_head(
    request: HeadsRequest, trace: HeadsTrace, query: int | None, key: int | None
) -> Head:
    """The head that opens if the user has not chosen one.

    It is the head that shows the chosen pattern most. For “most change” it is the head whose
    weight from query to key differs most in the other text; without such a pair, the head with the
    largest weight between two words.
    """
    pattern = SETTINGS.choice("heads_open")
    if pattern != "change":
        found = heads.head_statistics(trace.weights, trace.text)
        return heads.rank_heads(getattr(found, pattern))[0][0]
    if query is not None and key is not None:
        numbers = trace.weights[..., query, key]
        other = other_text_heads(request)
        pair = pair_in_other_text(trace, other, query, key)
        if other is not None and pair is not None:
            numbers = heads.weight_shifts(trace, other, (query, key), pair).abs()
        return heads.rank_heads(numbers)[0][0]
    return heads.rank_heads(heads.largest_word_weights(trace))[0][0]


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
