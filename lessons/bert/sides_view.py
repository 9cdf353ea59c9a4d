"""The picture of both sides: a gap with more and more of the words after it, and what fills it."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved, Name
from drawing.payload import Script
from lessons.bert import bert_state, bert_text, sides_text
from lessons.bert.bert_picture import FillerPayload, number_name
from lessons.bert.bert_questions import sides_questions
from lessons.bert.bert_state import AFTER, LESSON, SETTINGS, FillInState
from lessons.bert.fill_in_view import TALL, Parts, hidden_by_beat
from lessons.bert.sides_text import SidesWords
from lmcore.masked_lm import both_sides, cloze
from lmcore.masked_lm.both_sides import SidesTrace

TOP = 5
"""Words of either list."""


class SidesPayload(TypedDict):
    """A text with one gap, and two lists of words that may fill it."""

    words: list[str]
    special: list[int]
    """Tokens that begin and end every text; they are not drawn."""
    place: int
    pressable: list[int]
    after: int
    """How many tokens can be read after the gap."""
    left: list[FillerPayload]
    """Bars if the text ends at the gap."""
    right: list[FillerPayload]
    """Bars with the tokens that are read after it."""
    titles: list[str]
    """The heading of the bars on the right, by the number of tokens read."""
    own: str
    asked: bool
    """Whether the bars on the right are to be predicted."""
    blocks: int
    model: str


OF_TEXT = ("fill_right", "from left", "from right", "elsewhere", "a#", "@say", "@formula", AFTER)
SIDES = Script("sides", SidesPayload, (*OF_TEXT, "left# *", "q# *"), Name)
"""Its event is the place of a word that was pressed; `AFTER` is what a question hides."""


def show(rows: ui.Rows) -> Parts:
    """Draw the gap and its two lists on the stage, and the controls beside it."""
    with rows.errors:
        scene = ui.validated_or_previous("fill", bert_state.read_state, bert_state.default_state)
    place = gap_of(scene)
    trace = both_sides.read_sides(scene.network, scene.text, place)
    with rows.errors:
        read = ui.validated_or_previous("sides", lambda: tokens_read(trace), lambda: trace.after)
    words = words_of(scene, trace)
    live = slider_numbers(scene, trace, words, min(read, trace.after))
    with rows.rail:
        hidden = ui.predict_first(sides_questions(trace, words))
        asked = AFTER in (*hidden, *hidden_by_beat())
        if live.sliders:
            ui.sliders(live, on_settled=store_read)
        if not ui.presenting():
            SETTINGS.draw("fill_text", height=TALL)
        if len(bert_state.available_models()) > 1:
            SETTINGS.draw("fill_model")
        with ui.more(rows):
            if ui.presenting():
                SETTINGS.draw("fill_text", height=TALL)
            st.caption(sides_text.NOTE)
    with rows.picture:
        draw(scene, trace, words, live, (*hidden, AFTER) if asked else hidden)
    return {"Sides code": lambda: source(scene, place)}


def draw(
    scene: FillInState,
    trace: SidesTrace,
    words: SidesWords,
    live: ui.LiveNumbers,
    hidden: tuple[str, ...],
) -> None:
    """The text, its arcs and its bars, with their sentence and formula."""
    asked = AFTER in hidden
    given = sides_picture(scene, trace, words, asked=asked)
    if asked:
        hidden = (*hidden, *(filler["q"] for filler in given["right"]))
    said = sides_text.sentences(trace, words)
    texts = ui.stage_texts(
        LESSON,
        sentences=[sides_text.ASKED] * len(said) if asked else said,
        formula=sides_text.formulas(trace, words),
        alt=sides_text.describe(words),
        kind="measured here",
        hidden=hidden,
    )
    ui.main_picture(SIDES, live, given, texts, on_event=store_gap)


def gap_of(scene: FillInState) -> int:
    """The gap that is read: the first covered word, else the first [MASK], else the first word."""
    covered = [place for place in scene.places if place not in scene.text.typed]
    return (*covered, *scene.places, *scene.text.maskable)[0]


def tokens_read(trace: SidesTrace) -> int:
    """How many tokens after the gap are read: those that the address names, or all.

    Raises:
        ValueError: if it is not a whole number from 0.
    """
    typed = str(st.session_state["fill_right"]).strip()
    if not typed:
        return trace.after
    read = bert_state.parse_places(typed)
    if len(read) != 1 or read[0] < 0:
        raise ValueError(f"the words read on the right must be a number from 0; got {typed!r:.40}")
    return read[0]


def words_of(scene: FillInState, trace: SidesTrace) -> SidesWords:
    """The words around the gap, and the one that is followed: its own, or else the likeliest."""
    tokens, place, end = scene.text.tokens, trace.place, trace.place + 1 + trace.after
    typed = place in scene.text.typed
    own = int(trace.log_q[-1].argmax()) if typed else int(scene.text.reading.ids[place])
    first = int(trace.log_q[0].argmax())
    before = tokens[scene.text.maskable[0] : place]
    return SidesWords(
        before, tokens[place + 1 : end], scene.word(own), own, scene.word(first), first
    )


def lists(trace: SidesTrace, own: int) -> tuple[list[int], list[int]]:
    """The likeliest words if the text ends at the gap, and those of both sides with `own`."""
    left = trace.log_q[0].topk(TOP).indices.tolist()
    right = trace.log_q[-1].topk(TOP).indices.tolist()
    return left, right if own in right else [*right[:-1], own]


def sides_picture(
    scene: FillInState, trace: SidesTrace, words: SidesWords, *, asked: bool
) -> SidesPayload:
    """The data of `lessons/bert/sides.js` other than the numbers."""
    text = scene.text
    left, right = lists(trace, words.own_id)

    def bars(kind: str, ids: list[int]) -> list[FillerPayload]:
        return [
            {
                "word": scene.word(i),
                "q": number_name(kind, 0, scene.word(i), i),
                "p": "",
                "both": "",
                "own": i == words.own_id,
            }
            for i in ids
        ]

    return {
        "words": list(text.tokens),
        "special": [i for i in range(len(text.tokens)) if i not in text.maskable],
        "place": trace.place,
        "pressable": [i for i in text.maskable if i not in text.typed],
        "after": trace.after,
        "left": bars("left", left),
        "right": bars("q", right),
        "titles": sides_text.titles(trace, words),
        "own": words.own,
        "asked": asked,
        "blocks": len(scene.network.blocks),
        "model": scene.reader.name,
    }


def slider_numbers(
    scene: FillInState, trace: SidesTrace, words: SidesWords, read: int
) -> ui.LiveNumbers:
    """Every number of the picture, for each number of tokens that may be read after the gap."""
    rows = torch.arange(trace.after + 1, dtype=torch.float64)
    shares = trace.shares().unbind(1)
    swept = {"fill_right": rows, "@say": rows, "@formula": rows}
    swept |= dict(zip(("from left", "from right", "elsewhere"), shares, strict=True))
    swept |= {f"a{i}": trace.weights[:, i] for i in range(trace.weights.shape[1])}
    q = trace.log_q.exp()
    left, right = lists(trace, words.own_id)
    for i in dict.fromkeys((*left, *right)):
        word = scene.word(i)
        swept[number_name("q", 0, word, i)] = q[:, i]
        swept[number_name("left", 0, word, i)] = q[0, i].expand(len(q))
    slider = ui.Slider(
        "fill_right",
        "Read after the gap",
        "tokens read after the gap",
        float(read),
        np.arange(trace.after + 1, dtype=np.float64),
        help="Pull the veil in the picture: at which word does the answer turn?",
        role="mask",
    )
    sliders = [slider] if trace.after else []
    now = {name: values[read] for name, values in swept.items()}
    return ui.live_numbers(
        "sides", now, sliders, {name: values[None] for name, values in swept.items()}
    )


def store_read(moved: Moved) -> None:
    """Store how many tokens are read after the gap. For callbacks."""
    ui.set_controls({moved["name"]: moved["typed"]})


def store_gap(at: Name) -> None:
    """Store the word that was pressed as the gap. For callbacks."""
    ui.set_controls({"fill_at": at, "fill_right": ""})


def source(scene: FillInState, place: int) -> None:
    """Show the code that ran, and a snippet that prints the probabilities on screen."""
    snippet = bert_text.sides_snippet(scene.model, str(st.session_state["fill_text"]), place)
    ui.show_code(both_sides.read_sides, cloze.cloze_text, snippet=snippet, name="both-sides")
