"""The view “Two readers”: what each word costs from the left and from the right, and the sums."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Moved
from lessons.contextual.bilm_view import default_sentence, read_sentence
from lessons.contextual.contextual_questions import sums_questions
from lessons.contextual.contextual_state import LESSON, SETTINGS, ContextualState
from lessons.contextual.elmo import sums_picture, sums_text
from lmcore import parsing


def show(rows: ui.Rows, now: ContextualState) -> None:
    """Draw both readers on the stage; in the rail the word, the readers and the sentence."""
    with rows.errors:
        sentence = ui.validated_or_previous("bi_text", read_sentence, default_sentence)
    drawn = sums_picture.picture(sentence, SETTINGS.choice("bi_readers"))
    live = sums_picture.numbers(sentence)
    both = drawn["both"]
    with rows.rail:
        hidden = ui.predict_first(sums_questions(sentence, both=both))
        ui.sliders(live, on_settled=store_word)
        SETTINGS.draw("bi_readers", "bi_text")
        with ui.more(rows):
            st.caption(sums_text.READING)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=sums_text.sentences(sentence, live, both=both),
            formula=sums_text.formulas(live, both=both),
            alt=sums_text.describe(sentence, both=both),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(sums_picture.SUMS, live, drawn, texts)


def store_word(moved: Moved) -> None:
    """Store the word to which the slider was moved, or the number typed beside it."""
    try:
        ui.set_controls({"bi_at": str(parsing.parse_integer(moved["typed"], "word k"))})
    except ValueError as error:
        ui.show_error_later(error)
