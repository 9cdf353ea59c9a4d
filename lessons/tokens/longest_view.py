"""The stage of the longest match: every lookup of a word, for every number of merges."""

from __future__ import annotations

from typing import TypedDict

import streamlit as st
import torch

import ui
from drawing.events import Place
from drawing.payload import Script
from lessons.tokens import merges_view, tokens_text
from lessons.tokens.tokens_questions import longest_questions
from lessons.tokens.tokens_state import LESSON, SETTINGS, TokensState
from lmcore import parsing
from lmcore.tokenization import own_text, pieces, split
from lmcore.tokenization.pieces import MatchTrace
from ui import guide

MOST_LETTERS = 30
"""Maximum length of a word whose lookups are drawn, in letters."""


class LongestPayload(TypedDict):
    """The lookups of a word, after some numbers of merges."""

    word: list[str]
    matches: list[tuple[list[tuple[int, int, int]], list[str]]]
    """The lookups (first letter, letter after the last, id; −1: no piece) and the pieces, for each
    different result; the number @say is an index into this list."""
    at: int
    """The number of lookups that are shown."""


LONGEST = Script(
    "longest",
    LongestPayload,
    ("tokens_n", "types", "tries", "pieces", "@say", "@formula"),
    Place,
)
"""Its event is the number of lookups that are shown."""


def show(rows: ui.Rows, scene: TokensState) -> None:
    """Draw the lookups of the typed word, and its controls."""
    with rows.errors:
        word = ui.validated_or_previous("tokens_word", read_word, lambda: "flightless")
        at = ui.validated_or_previous("tokens_try", read_attempt, lambda: 0)
    found = pieces.longest_matches(word, scene.trace)
    live = slider_numbers(scene, found)
    match = [each for step, each in found.items() if step <= scene.merges][-1]
    with rows.rail:
        hidden = ui.predict_first(longest_questions(match))
        merges_view.controls(scene, live, "tokens_word")
        with ui.more(rows):
            merges_view.more_controls(scene)
            st.caption(
                "BERT looks for the longest match first: it keeps the pieces, not the merges."
            )
    with rows.picture:
        beat = guide.beat(LESSON)
        asked = "tries" in {*hidden, *(beat.hide if beat else ())}
        texts = ui.stage_texts(
            LESSON,
            sentences=[tokens_text.match_sentence(each, hidden=asked) for each in found.values()],
            formula=[] if asked else [tokens_text.match_formula(each) for each in found.values()],
            alt="Lookups of a word in the vocabulary of {types} types: {tries}; it becomes "
            "{pieces} pieces.",
            hidden=hidden,
        )
        drawn = match_picture(found, scene, min(at, len(match.attempts)))
        ui.main_picture(LONGEST, live, drawn, texts, on_event=store_attempt)


def store_attempt(shown: Place) -> None:
    """Store how many lookups are shown."""
    ui.set_controls({"tokens_try": str(shown)})


def slider_numbers(scene: TokensState, found: dict[int, MatchTrace]) -> ui.LiveNumbers:
    """The size of the vocabulary, the lookups and the pieces, after each number of merges."""
    steps = len(scene.trace.candidates)
    which = torch.zeros(steps, dtype=torch.float64)
    for place, step in enumerate(found):
        which[step:] = place
    matches = [*found.values()]
    tries = torch.tensor([len(each.attempts) for each in matches], dtype=torch.float64)
    count = torch.tensor([len(each.pieces) for each in matches], dtype=torch.float64)
    swept = {
        "tokens_n": torch.arange(steps, dtype=torch.float64),
        "types": torch.from_numpy(scene.trace.types).double(),
        "tries": tries[which.long()],
        "pieces": count[which.long()],
        "@say": which,
        "@formula": which,
    }
    now = {name: values[scene.merges] for name, values in swept.items()}
    every = {name: values[None] for name, values in swept.items()}
    return ui.live_numbers("longest", now, [merges_view.merges_slider(scene)], every)


def match_picture(found: dict[int, MatchTrace], scene: TokensState, at: int) -> LongestPayload:
    """The payload of `lessons/tokens/longest.js`; `at` is the number of lookups shown."""
    ids = scene.trace.vocabulary(len(scene.trace.merges))
    matches = [*found.values()]
    return {
        "word": [*matches[0].word],
        "matches": [
            (
                [(a.start, a.end, ids[a.piece] if a.known else -1) for a in each.attempts],
                list(each.pieces),
            )
            for each in matches
        ],
        "at": at,
    }


def in_order(scene: TokensState) -> None:
    """Show the word after each merge of BPE that applies to it."""
    SETTINGS.draw("tokens_word")
    word = ui.validated_or_previous("tokens_word", read_word, lambda: "flightless")
    cut = [
        each for each in pieces.segmentations([word], scene.trace) if each.merges <= scene.merges
    ]
    ui.table(
        ["pieces", "after merge", "tokens"],
        [(" ".join(each.words[0]), each.merges, len(each.words[0])) for each in cut],
        name="tokens-order",
        caption=f"“{word}”, merge by merge",
    )
    st.caption(
        "BPE applies the merges that it learned, in their order. WordPiece looks for the longest "
        "match first: choose it to see every lookup."
    )


def read_word() -> str:
    """The typed word.

    Raises:
        ValueError: if it is not one word, or is longer than can be drawn.
    """
    typed = split.split_words(own_text.read_text(st.session_state["tokens_word"]))
    if len(typed) != 1:
        raise ValueError(
            f"the word must be one word, without spaces or punctuation; got {len(typed)}"
        )
    if (size := len(typed[0].text)) > MOST_LETTERS:
        raise ValueError(f"the word must have at most {MOST_LETTERS} letters here; got {size}")
    return typed[0].text


def read_attempt() -> int:
    """The number of lookups shown.

    Raises:
        ValueError: if it is not a whole number from 0.
    """
    at = parsing.parse_integer(st.session_state["tokens_try"], "the attempt")
    if at < 0:
        raise ValueError(f"the attempt must be 0 or more; got {at}")
    return at
