"""The view *Missing points*: what was missing to 100 before a model, and what it gained."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.results import missing_picture, missing_text
from lessons.results.results_questions import missing_questions
from lessons.results.results_state import LESSON, SETTINGS, store_place
from lmcore.checks import check_between
from lmcore.results.tables import load_results


def show(rows: ui.Rows) -> None:
    """Draw the bars on the stage, and the test in the rail."""
    model = SETTINGS.choice("re_gaps")
    found = missing_picture.gains(model)
    with rows.errors:
        test = ui.validated_or_previous(
            f"missing-{model}", lambda: read_test(len(found)), lambda: 1
        )
    live = missing_picture.numbers(found, test)
    with rows.rail:
        hidden = ui.predict_first(missing_questions(found, missing_picture.MODELS[model]))
        SETTINGS.draw("re_gaps")
        ui.sliders(live, on_settled=partial(store_place, "re_gain", "the test", len(found)))
        with ui.more(rows):
            if not hidden:
                st.caption(" ".join(load_results(missing_picture.GAPS[model].table).notes))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=missing_text.sentences(found, model),
            formula=missing_text.formulas(found, model),
            alt=missing_text.describe(found, model),
            kind="quoted",
            hidden=hidden,
        )
        how = missing_picture.picture(found, model)
        ui.main_picture(missing_picture.MISSING, live, how, texts)


def read_test(count: int) -> int:
    """The test of the controls, counted from 1.

    Raises:
        ValueError: if the table has fewer tests.
    """
    test = int(SETTINGS.number("re_gain"))
    check_between("the test", test, 1, count)
    return test
