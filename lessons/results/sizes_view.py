"""The view *Sizes*: models as circles on a line of time, their areas their parameters."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.results import sizes_picture, sizes_text
from lessons.results.results_questions import size_questions
from lessons.results.results_state import LESSON, SETTINGS, store_place

FIRST = ("release", "lambada", 4)
"""The story, the test and the count of models that the view falls back on."""


def show(rows: ui.Rows) -> None:
    """Draw the circles on the stage, and beside them the choice of what is told."""
    with rows.errors:
        story, test, shown = ui.validated_or_previous("sizes", read_settings, lambda: FIRST)
    found = sizes_picture.sizes_of(story, test)
    live = sizes_picture.numbers(found, shown)
    with rows.rail:
        hidden = ui.predict_first(size_questions(found, shown))
        most = len(found.models)
        ui.sliders(live, on_settled=partial(store_place, "re_shown", "the count of models", most))
        SETTINGS.draw("re_story")
        with ui.more(rows):
            if found.scored:
                SETTINGS.draw("re_test")
            for note in sizes_picture.notes(story):
                st.caption(note)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=sizes_text.sentences(found),
            formula=sizes_text.formulas(found),
            alt=sizes_text.describe(found),
            kind="quoted",
            hidden=hidden,
        )
        ui.main_picture(sizes_picture.SIZES, live, sizes_picture.picture(found), texts)


def read_settings() -> tuple[str, str, int]:
    """The story, the test and how many models are shown.

    Raises:
        ValueError: naming what is wrong.
    """
    story, test = SETTINGS.choice("re_story"), SETTINGS.choice("re_test")
    most = len(sizes_picture.sizes_of(story, test).models)
    return story, test, min(int(SETTINGS.number("re_shown")), most)
