"""The view “Two codes”: a regression with tensors only and with torch.nn, side by side."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from drawing.events import Moved
from lessons.descent import demos_picture, demos_text
from lessons.descent.demos_picture import DEMO_CODES, Demos
from lessons.descent.descent_questions import demos_questions
from lessons.descent.descent_state import LESSON, SETTINGS, DescentState
from lessons.descent.surfaces import Pair
from lmcore import parsing
from lmcore.optimization.regression import regression_from_points
from lmcore.optimization.slide_snippet import MOST_EPOCHS
from ui import compute

NAME = "Two codes"


def show(rows: ui.Rows, now: DescentState) -> None:
    """Draw both codes and their lines on the stage, and the epochs beside them."""
    found = compute.shared_result(
        "two codes", partial(_run, now.points), most=32, says="Running both codes"
    )
    live = demos_picture.numbers(found, int(SETTINGS.number("gd_epochs")))
    with rows.rail:
        hidden = ui.predict_first(demos_questions(found, live))
        ui.sliders(live, on_settled=store_epochs)
        with ui.more(rows):
            st.caption(
                "Both run here on the points of the page, from one start and at the best fixed η. "
                "In batches, and with their losses: see Slide code."
            )
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=demos_text.sentences(found),
            formula=[demos_text.FORMULA],
            alt=demos_text.describe(found),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(DEMO_CODES, live, demos_picture.picture(found), texts)


def _run(points: tuple[Pair, ...]) -> Demos:
    return demos_picture.run(regression_from_points(points))


def store_epochs(moved: Moved) -> None:
    """Store the epochs to which the slider was moved, or the number typed beside it."""
    try:
        epochs = parsing.parse_integer(moved["typed"], "epochs")
        if not 0 <= epochs <= MOST_EPOCHS:
            raise ValueError(f"epochs must be from 0 to {MOST_EPOCHS}; got {epochs}")
        ui.set_controls({"gd_epochs": str(epochs)})
    except ValueError as error:
        ui.show_error_later(error)
