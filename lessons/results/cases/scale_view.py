"""The view *CO₂ scale*: a training of your own beside the printed estimates."""

from __future__ import annotations

import dataclasses

import streamlit as st

import ui
from drawing.events import Moved
from lessons.results import costs_view
from lessons.results.cases import scale_picture, scale_text
from lessons.results.cases.cases_questions import scale_questions
from lessons.results.cases.scale_picture import SCALE, BesideRow, Cost, Growth
from lessons.results.results_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.checks import check_between
from lmcore.results.tables import load_results

NAME = "CO₂ scale"


def show(rows: ui.Rows) -> None:
    """Draw the scale on the stage, and beside it what yours is computed from."""
    with rows.errors:
        given = ui.validated_or_previous("re-cost", costs_view.read_cost, costs_view.default_cost)
        growth = Growth(
            *ui.validated_or_previous(
                "re-growth", costs_view.read_growth, costs_view.default_growth
            )
        )
    cost = Cost(given.watts, given.hours, given.overhead, given.lbs)
    beside = scale_picture.consumptions()[int(SETTINGS.number("re_beside")) - 1]
    live = scale_picture.numbers(cost, beside, growth)
    with rows.rail:
        hidden = ui.predict_first(scale_questions(live, beside))
        ui.sliders(live, on_settled=store_own)
        with ui.more(rows):
            if not hidden:
                SETTINGS.draw("re_factor", "re_months")
            for note in load_results("co2").notes:
                st.caption(note)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=scale_text.sentences(beside),
            formula=scale_text.formulas(beside, growth),
            alt=scale_text.describe(growth),
            kind="quoted; yours computed",
            hidden=hidden,
        )
        how = scale_picture.picture(growth)
        ui.main_picture(SCALE, live, how, texts, on_event=store_beside)


def store_own(moved: Moved) -> None:
    """Store a released slider, or the number typed beside it."""
    name = moved["name"]
    try:
        value = parsing.parse_number(moved["typed"], scale_picture.SLIDERS[name][0])
        dataclasses.replace(costs_view.read_cost(), **{name: value}).footprint()
        ui.set_controls({f"re_{name}": moved["typed"]})
    except ValueError as error:
        ui.show_error_later(error)


def store_beside(event: BesideRow) -> None:
    """Compare yours with the row that was pressed.

    Raises:
        ValueError: if there is no such row.
    """
    check_between("the row", event["beside"], 1, len(load_results("co2").rows))
    ui.set_controls({"re_beside": str(event["beside"])})
