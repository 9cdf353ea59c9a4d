"""The view *Missing points*: what was missing to 100 before BERT, and what it gained."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Moved
from lessons.results import missing_picture, missing_text
from lessons.results.results_questions import missing_questions
from lessons.results.results_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.checks import check_between
from lmcore.results.tables import load_results


def show(rows: ui.Rows) -> None:
    """Draw the bars on the stage, and the test in the rail."""
    found = missing_picture.gains()
    with rows.errors:
        test = ui.validated_or_previous("missing", read_test, lambda: 1)
    live = missing_picture.numbers(found, test)
    with rows.rail:
        hidden = ui.predict_first(missing_questions(found))
        ui.sliders(live, on_settled=store_slider)
        with ui.more(rows):
            if not hidden:
                st.caption(" ".join(load_results("bert_abstract").notes))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=missing_text.sentences(found),
            formula=missing_text.formulas(found),
            alt=missing_text.describe(found),
            kind="quoted",
            hidden=hidden,
        )
        ui.main_picture(missing_picture.MISSING, live, missing_picture.picture(found), texts)


def read_test() -> int:
    """The place of the test, from 1.

    Raises:
        ValueError: naming what is wrong.
    """
    return int(SETTINGS.number("re_gain"))


def store_slider(moved: Moved) -> None:
    """Store the released place of the test."""
    try:
        place = parsing.parse_integer(moved["typed"], "the test")
        check_between("the test", place, 1, len(missing_picture.gains()))
        ui.set_controls({"re_gain": str(place)})
    except ValueError as error:
        ui.show_error_later(error)
