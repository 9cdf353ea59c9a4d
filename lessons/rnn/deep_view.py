"""The view “Deep and both ways”: what a second layer sees, and what a second direction sees."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from drawing.events import Moved
from lessons.rnn import deep_picture, deep_text, rnn_state
from lessons.rnn.deep_picture import DeepReading
from lessons.rnn.rnn_questions import deep_questions
from lmcore import parsing
from lmcore.recurrence.receptive_field import RecurrentStack
from lmcore.recurrence.unrolled import UnrolledPosition
from ui import compute
from ui.models import ModelEntry

NEEDS = "Our biLM, whose states are drawn, knows only the words of the microworld"


def show(
    rows: ui.Rows, entry: ModelEntry, entries: dict[str, ModelEntry], walk: UnrolledPosition
) -> None:
    """Draw the chains on the stage; in the rail the text, the word, the layers and directions."""
    stack = RecurrentStack(
        int(rnn_state.SETTINGS.choice("rnn_deep")), rnn_state.SETTINGS.switch("rnn_both")
    )
    reading = read(words_of(entry, walk))
    k = min(int(rnn_state.SETTINGS.number("rnn_word")), len(reading.words))
    live = deep_picture.numbers(reading, stack, k)
    with rows.rail:
        hidden = ui.predict_first(deep_questions(reading, stack, k))
        ui.sliders(live, on_settled=store_word)
        rnn_state.SETTINGS.draw("rnn_deep", "rnn_both")
        rnn_state.controls(entry, entries)
        with ui.more(rows):
            st.caption(deep_text.READING)
    with rows.picture:
        texts = ui.stage_texts(
            rnn_state.LESSON,
            sentences=deep_text.sentences(reading, stack),
            formula=deep_text.formulas(reading, stack),
            alt=deep_text.describe(reading, stack),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(deep_picture.DEEP, live, deep_picture.picture(reading, stack), texts)


def words_of(entry: ModelEntry, walk: UnrolledPosition) -> tuple[str, ...]:
    """The words of the text, without the mark of its beginning."""
    return tuple(entry.model.vocabulary.decode(walk.tokens[1:]))


def missing(entry: ModelEntry, walk: UnrolledPosition) -> str:
    """Why the view cannot be shown; empty if it can."""
    words = words_of(entry, walk)
    return "" if words and deep_picture.knows(words) else NEEDS


def read(words: tuple[str, ...]) -> DeepReading:
    """The biLM over the words, computed once for all visitors."""
    return compute.shared_result(
        "deep reading", partial(deep_picture.read_deep, words), most=64, says="Reading both ways"
    )


def store_word(moved: Moved) -> None:
    """Store the word to which the slider was moved, or the number typed beside it."""
    try:
        k = parsing.parse_integer(moved["typed"], "word k")
        if k < 1:
            raise ValueError(f"word k must be 1 or more; got {k}")
        ui.set_controls({"rnn_word": str(k)})
    except ValueError as error:
        ui.show_error_later(error)
