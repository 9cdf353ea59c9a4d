"""The view *Frozen E*: what a network loses if its embeddings are not trained."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Moved
from lessons.feedforward import feedforward_figures, frozen_rows_picture, frozen_rows_text
from lessons.feedforward.feedforward_questions import frozen_questions
from lessons.feedforward.feedforward_state import LESSON, SETTINGS, read_integer
from lessons.feedforward.frozen_rows_picture import FROZEN, FrozenWord, runs
from lessons.feedforward.neighbours import WORDS
from lmcore import parsing
from lmcore.checks import check_between

SEE = "Frozen E"


def show(rows: ui.Rows) -> None:
    """Draw both runs on the stage, and beside it the snapshot and the word."""
    word = SETTINGS.choice("drift_word")
    record = runs()[0].run
    live = frozen_rows_picture.numbers(read_integer("drift_at", len(record.steps) - 1, 0), word)
    with rows.rail:
        hidden = ui.predict_first(frozen_questions(live))
        ui.sliders(live, on_settled=store_snapshot)
        with ui.more(rows):
            st.caption(feedforward_figures.recorded_in_words(record))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=frozen_rows_text.sentences(),
            formula=[frozen_rows_text.formula()],
            alt=frozen_rows_text.describe(),
            kind="measured here",
            hidden=hidden,
        )
        ui.main_picture(FROZEN, live, frozen_rows_picture.picture(word), texts, on_event=store_word)


def store_snapshot(moved: Moved) -> None:
    """Store the released snapshot, or the number typed beside its slider."""
    try:
        at = parsing.parse_integer(moved["typed"], "the snapshot")
        check_between("the snapshot", at, 0, len(runs()[0].run.steps) - 1)
        ui.set_controls({"drift_at": str(at)})
    except ValueError as error:
        ui.show_error_later(error)


def store_word(event: FrozenWord) -> None:
    """Show the nearest rows of the word that was pressed."""
    if event["word"] in WORDS:
        ui.set_controls({"drift_word": event["word"]})
