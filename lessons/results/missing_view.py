"""The view *Missing points*: what was missing to 100 before BERT, and what it gained."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.results import missing_picture, missing_text
from lessons.results.results_questions import missing_questions
from lessons.results.results_state import LESSON, SETTINGS, store_place
from lmcore.results.tables import load_results


def show(rows: ui.Rows) -> None:
    """Draw the bars on the stage, and the test in the rail."""
    found = missing_picture.gains()
    with rows.errors:
        test = ui.validated_or_previous(
            "missing", lambda: int(SETTINGS.number("re_gain")), lambda: 1
        )
    live = missing_picture.numbers(found, test)
    with rows.rail:
        hidden = ui.predict_first(missing_questions(found))
        ui.sliders(live, on_settled=partial(store_place, "re_gain", "the test", len(found)))
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
