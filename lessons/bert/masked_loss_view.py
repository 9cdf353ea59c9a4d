"""The picture of the masked loss: which tokens go in, what is predicted, and what each costs."""

from __future__ import annotations

import math
from typing import NamedTuple, TypedDict, cast

import numpy as np
import streamlit as st

import ui
from drawing import theme
from drawing.events import Name
from drawing.payload import NumberArray, NumberName, Script
from lessons.bert import bert_state, bert_text, masked_loss_text
from lessons.bert.bert_questions import masked_loss_questions
from lessons.bert.bert_state import COSTS, LESSON, SETTINGS, FillInState
from lessons.bert.fill_in_view import TALL, Parts, hidden_by_beat
from lessons.bert.masked_loss_text import Stage
from lmcore import parsing
from lmcore.masked_lm import cloze, masked_terms
from lmcore.masked_lm.masked_terms import TermsTrace
from lmcore.typed import fold

RIVALS = 5
"""Other likely words that are shown at a chosen place."""
CELLS = 20
"""Numbers of each z that are drawn."""


class Rival(TypedDict):
    """A word that the model finds likely at a place."""

    word: str
    p: NumberName


class Judged(TypedDict):
    """A chosen place: its own word, and other likely ones."""

    place: int
    word: str
    p: NumberName
    rank: NumberName
    cost: NumberName
    rivals: list[Rival]


class MaskedLossPayload(TypedDict):
    """What goes in, what comes out, and the chosen places."""

    words: list[str]
    """The tokens that go in."""
    special: list[int]
    pressable: list[int]
    swapped: list[int]
    judged: list[Judged]
    vectors: NumberArray
    """Some numbers of each z, one row after another."""
    cells: int
    reach: float
    fills: list[str]
    stage: str
    asked: bool
    costly: NumberName
    """The largest cost; empty if no word is chosen."""
    types: str
    model: str


class Chosen(NamedTuple):
    """The chosen places, and what stands at some of them instead of [MASK]."""

    trace: TermsTrace
    swaps: dict[int, str]


OF_PLACE = ("p#", "rank#", "cost#", "rival# #")
MASKED_LOSS = Script("masked_loss", MaskedLossPayload, (*OF_PLACE, "loss", "blind", COSTS), Name)
"""Its event is the place of a word that was pressed; `COSTS` is what a question hides."""


def show(rows: ui.Rows) -> Parts:
    """Draw the text, the encoder and the costs on the stage, and the controls beside it."""
    with rows.errors:
        scene = ui.validated_or_previous("fill", bert_state.read_state, bert_state.default_state)
        of, chosen = ui.validated_or_previous(
            "swaps", lambda: (source_of(scene), read_chosen(scene)), lambda: ("", plain(scene))
        )
    if of != source_of(scene):  # read with another model, or in another text
        chosen = plain(scene)
    stage = cast(Stage, SETTINGS.choice("fill_upto"))
    with rows.rail:
        hidden = ui.predict_first(masked_loss_questions(chosen.trace, scene.text.tokens))
        SETTINGS.draw("fill_upto")
        if not ui.presenting():
            SETTINGS.draw("fill_text", height=TALL)
            SETTINGS.draw("fill_swaps")
        if len(bert_state.available_models()) > 1:
            SETTINGS.draw("fill_model")
        with ui.more(rows):
            if ui.presenting():
                SETTINGS.draw("fill_text", height=TALL)
                SETTINGS.draw("fill_swaps")
            st.caption(masked_loss_text.NOTE)
    with rows.picture:
        draw(scene, chosen, stage, hidden)
    return {"Loss code": lambda: source(scene, chosen)}


def draw(scene: FillInState, chosen: Chosen, stage: Stage, hidden: tuple[str, ...]) -> None:
    """The picture with its sentence and formula, which give nothing away while it is asked for."""
    trace, tokens = chosen.trace, scene.text.tokens
    asked = COSTS in (*hidden, *hidden_by_beat())
    given = picture(scene, chosen, stage, asked=asked)
    live = live_numbers(trace)
    if asked:
        hidden = (*hidden, *(name for name in live.names if name != "blind"))
        stage = "input"
    read = len(given["words"]) - len(given["special"])
    texts = ui.stage_texts(
        LESSON,
        sentences=[
            masked_loss_text.ASKED
            if asked
            else masked_loss_text.sentence(trace, tokens, read, stage)
        ],
        formula=[masked_loss_text.formula(trace, tokens, stage)],
        alt=masked_loss_text.describe(trace, tokens, given["words"], stage),
        kind="measured here",
        hidden=hidden,
    )
    ui.main_picture(MASKED_LOSS, live, given, texts, on_event=store_pressed)


def read_swaps(typed: str) -> dict[int, str]:
    """The words of "7:apple 9:by" by their places.

    Raises:
        ValueError: if a part is no place and word.
    """
    found = {}
    for part in fold(typed).split():
        place, _, word = part.partition(":")
        if not word:
            raise ValueError(f"another word must be typed as place:word, 7:apple; got {part!r:.40}")
        found[parsing.parse_integer(place, "the place of another word")] = word
    return found


def read_chosen(scene: FillInState) -> Chosen:
    """The chosen places that the controls describe.

    Raises:
        ValueError: if a place cannot be chosen, or another word is not one token.
    """
    swaps = read_swaps(str(st.session_state["fill_swaps"]))
    covered = bert_state.parse_places(scene.covered)
    ids = masked_terms.swapped_ids(scene.reader, swaps)
    return Chosen(masked_terms.trace_terms(scene.network, scene.text, covered, ids), swaps)


def source_of(scene: FillInState) -> str:
    """The model, the text and the covered places that words are chosen in."""
    return repr((scene.name, scene.text.tokens, scene.covered))


def plain(scene: FillInState) -> Chosen:
    """The covered places, and no other words."""
    covered = bert_state.parse_places(scene.covered)
    return Chosen(masked_terms.trace_terms(scene.network, scene.text, covered), {})


def live_numbers(trace: TermsTrace) -> ui.LiveNumbers:
    """Every number of the picture."""
    named = {"loss": trace.loss, "blind": math.log(trace.log_q.shape[1])}
    q = trace.log_q.exp()
    for row, place in enumerate(trace.places):
        named[f"p{place}"] = float((-trace.terms[row]).exp())
        named[f"rank{place}"] = float(trace.ranks[row])
        named[f"cost{place}"] = float(trace.terms[row])
        for k, i in enumerate(rivals(trace, row)):
            named[f"rival{place} {k}"] = float(q[row, i])
    return ui.LiveNumbers("masked_loss", tuple(named), np.array(list(named.values())))


def rivals(trace: TermsTrace, row: int) -> list[int]:
    """The likeliest words at a place, without its own."""
    own = -trace.terms[row]
    best = trace.log_q[row].topk(RIVALS + 1).indices.tolist()
    return [i for i in best if trace.log_q[row, i] != own][:RIVALS]


def picture(scene: FillInState, chosen: Chosen, stage: Stage, *, asked: bool) -> MaskedLossPayload:
    """The data of `lessons/bert/masked_loss.js` other than the numbers."""
    text, (trace, swaps) = scene.text, chosen
    words = [scene.word(int(i)) for i in trace.corrupted]
    shown = [
        word if place in (*trace.places, *text.typed) else token
        for place, (word, token) in enumerate(zip(words, text.tokens, strict=True))
    ]
    vectors = trace.hidden[:, :CELLS].double()
    return {
        "words": shown,
        "special": [i for i in range(len(shown)) if i not in text.maskable],
        "pressable": [i for i in text.maskable if i not in text.typed],
        "swapped": sorted(swaps),
        "judged": [_judged(scene, trace, row) for row in range(len(trace.places))],
        "vectors": vectors.numpy(),
        "cells": vectors.shape[1],
        "reach": float(vectors.abs().quantile(0.97)) or 1.0,
        "fills": theme.diverging_scale()[0],
        "stage": stage,
        "asked": asked,
        "costly": f"cost{masked_loss_text.costliest(trace)}" if trace.places else "",
        "types": f"{trace.log_q.shape[1]:,}",
        "model": scene.reader.name,
    }


def _judged(scene: FillInState, trace: TermsTrace, row: int) -> Judged:
    place = trace.places[row]
    others: list[Rival] = [
        {"word": scene.word(i), "p": f"rival{place} {k}"} for k, i in enumerate(rivals(trace, row))
    ]
    return {
        "place": place,
        "word": scene.text.tokens[place],
        "p": f"p{place}",
        "rank": f"rank{place}",
        "cost": f"cost{place}",
        "rivals": others,
    }


def store_pressed(at: Name) -> None:
    """Choose the word that was pressed, or leave it alone if it was chosen. For callbacks."""
    place = parsing.parse_integer(at, "the word")
    swaps = read_swaps(str(st.session_state["fill_swaps"]))
    covered = set(bert_state.parse_places(str(st.session_state["fill_at"])))
    if place in swaps or place in covered:
        swaps.pop(place, None)
        covered.discard(place)
    else:
        covered.add(place)
    kept = " ".join(f"{i}:{word}" for i, word in sorted(swaps.items()))
    ui.set_controls({"fill_at": ",".join(map(str, sorted(covered))), "fill_swaps": kept})


def source(scene: FillInState, chosen: Chosen) -> None:
    """Show the code that ran, and a snippet that prints the terms on screen."""
    covered = [i for i in chosen.trace.places if i not in chosen.swaps]
    typed = str(st.session_state["fill_text"])
    snippet = bert_text.terms_snippet(scene.model, typed, covered, chosen.swaps)
    ui.show_code(masked_terms.trace_terms, cloze.cover_places, snippet=snippet, name="masked-loss")
