"""The view “Five ladders”: the nearest words of one word by five methods."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.vectors import ladders_picture, ladders_text
from lessons.vectors.ladders_picture import LADDERS, LadderPress
from lessons.vectors.vectors_questions import ladder_questions
from lessons.vectors.vectors_state import LESSON, SETTINGS, VectorsState
from lmcore.embeddings.static.ladders import recorded_ladders
from lmcore.embeddings.static.quality import recorded_quality

NAME = "Five ladders"
USUAL = "dog"
"""The word in place of one that the grammar has planted in no group."""


def show(rows: ui.Rows, now: VectorsState) -> None:
    """Draw the ladders on the stage, and the word beside them."""
    found, date = recorded_ladders()
    word = now.word if all(now.word in ladders for ladders in found) else USUAL
    shares = ladders_picture.shares_of(recorded_quality())
    with rows.rail:
        hidden = ui.predict_first(ladder_questions(shares))
        SETTINGS.draw("wv_word")
        with ui.more(rows):
            st.caption(ladders_text.reading(date))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[ladders_text.sentence(word, shares, hidden=bool(hidden))],
            formula=[ladders_text.formula(word)],
            alt=ladders_text.describe(word, found),
            kind=f"recorded {date}",
            hidden=hidden,
        )
        live = ladders_picture.numbers(word, found, shares)
        how = ladders_picture.picture(word, found, shares)
        ui.main_picture(LADDERS, live, how, texts, on_event=store_word)


def store_word(pressed: LadderPress) -> None:
    """Store the word that was pressed.

    Raises:
        ValueError: if the grammar has planted it in no group.
    """
    if pressed["word"] not in recorded_ladders().of[0]:
        raise ValueError(f"the word must be a planted one; got {pressed['word']}")
    ui.set_controls({"wv_word": pressed["word"]})
