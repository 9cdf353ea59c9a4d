"""The view “Solved at once”: the closed form of a line, beside descent to it."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from drawing.events import Moved
from lessons.descent import descent_state, solved_picture, solved_text
from lessons.descent.descent_questions import solved_questions
from lessons.descent.descent_state import LESSON, MOST_STEPS, SETTINGS, DescentState
from lessons.descent.solved_picture import SOLVED
from lmcore import parsing
from lmcore.checks import check_between
from lmcore.numbers import format_number
from ui import compute

NAME = "Solved at once"


def show(rows: ui.Rows, now: DescentState) -> None:
    """Draw the points with both lines on the stage, and the step beside them."""
    start = descent_state.build(now).start
    solve = partial(solved_picture.solve, now.points, start)
    found = compute.shared_result("solved at once", solve, most=64, says="Descending")
    live = solved_picture.numbers(found, int(SETTINGS.number("gd_step")))
    with rows.rail:
        hidden = ui.predict_first(solved_questions(found))
        ui.sliders(live, on_settled=store_step)
        with ui.more(rows):
            SETTINGS.draw("gd_points", "gd_start")
            st.caption(
                f"Descent at the fastest fixed η, 2/(λₘᵢₙ + λₘₐₓ) = {format_number(found.rate)}. "
                "The inverse has a row for each parameter, and a network has no closed form."
            )
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[solved_text.sentence(found)],
            formula=[solved_text.FORMULA],
            alt=solved_text.describe(found, len(now.points)),
            kind="computed",
            hidden=hidden,
        )
        how = solved_picture.picture(now.points, found)
        ui.main_picture(SOLVED, live, how, texts, on_event=descent_state.store_event)


def store_step(moved: Moved) -> None:
    """Store the released step, or the one typed beside the slider."""
    try:
        step = parsing.parse_integer(moved["typed"], "the step")
        check_between("the step", step, 0, MOST_STEPS)
        ui.set_controls({"gd_step": str(step)})
    except ValueError as error:
        ui.show_error_later(error)
