"""The view “One cell reads”: a text coloured by one cell of a trained LSTM."""

from __future__ import annotations

from functools import partial
from typing import cast

import streamlit as st

import ui
from drawing.events import Moved
from lessons.lstm import cell_probes, reader_picture, reader_text
from lessons.lstm.lstm_questions import reader_questions
from lessons.lstm.lstm_state import LESSON, SETTINGS, letter_models
from lessons.lstm.reader_picture import CELL_READS, CellPress, Reading
from lmcore import parsing
from lmcore.models.registry import NeuralModel
from lmcore.recurrence import unit_probes
from ui import compute, models

NAME = "One cell reads"


def show(rows: ui.Rows) -> None:
    """Draw the text and the cells on the stage, and property and cell beside it."""
    model = _model()
    with rows.errors:
        reading = ui.validated_or_previous(
            "reading", partial(read, model), partial(read, model, own=False)
        )
    at = min(int(SETTINGS.number("cell_at")), len(reading.text) - 1)
    live = reader_picture.numbers(reading, at)
    with rows.rail:
        hidden = ui.predict_first(reader_questions(reading))
        ui.sliders(live, on_settled=store_place)
        SETTINGS.draw("meaning")
        with ui.more(rows):
            controls(model)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[reader_text.sentence(reading)],
            formula=[reader_text.formula(reading)],
            alt=reader_text.describe(reading),
            kind="measured here",
            hidden=hidden,
        )
        how = reader_picture.picture(reading)
        ui.main_picture(CELL_READS, live, how, texts, on_event=store_cell)


def controls(model: NeuralModel) -> None:
    """Draw the controls that are seldom used, and how the numbers were measured."""
    known = letter_models()
    if len(known) > 1:
        SETTINGS.draw("cell_model", options=models.labels(known))
    SETTINGS.draw("cell_kind", "cell_unit", "cell_text")
    search = partial(cell_probes.unit_search, model)
    _, unreadable = compute.shared_result("units", search, most=8, says="Looking at every unit")
    there = model.network.config.hidden
    st.caption(reader_text.reading_words(unreadable, there))


def read(model: NeuralModel, *, own: bool = True) -> Reading:
    """The text as the chosen cell reads it; without `own`, the built-in text and the best cell.

    Raises:
        ValueError: if there is no such cell, or the model does not know a character.
    """
    measure = partial(reader_picture.measure, model)
    units = compute.shared_result("measured units", measure, most=4, says="Looking at every unit")
    label, kind = SETTINGS.choice("meaning"), SETTINGS.choice("cell_kind")
    asked, typed = (st.session_state[name] if own else "" for name in ("cell_unit", "cell_text"))
    found = units[label, kind]
    unit = unit_probes.parse_unit(asked, len(found.scores)) if asked.strip() else None
    return reader_picture.read(model, found, label, kind, unit, typed)


def store_place(moved: Moved) -> None:
    """Store the character that the slider reports."""
    try:
        place = parsing.parse_integer(moved["typed"], "the character")
    except ValueError as error:
        ui.show_error_later(error)
        return
    ui.set_controls({"cell_at": str(max(place, 0))})


def store_cell(pressed: CellPress) -> None:
    """Store the cell that was pressed."""
    ui.set_controls({"cell_unit": str(pressed["unit"])})


def _model() -> NeuralModel:
    known = letter_models()
    return cast(NeuralModel, known[SETTINGS.choice("cell_model", known)].model)
