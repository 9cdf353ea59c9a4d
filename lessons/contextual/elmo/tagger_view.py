"""The view “In a tagger”: what a tagger with few labels reads, and the errors that ELMo takes."""

from __future__ import annotations

from typing import cast

import streamlit as st

import ui
from lessons.contextual.contextual_questions import tagger_questions
from lessons.contextual.contextual_state import LESSON, SETTINGS, ContextualState
from lessons.contextual.elmo import tagger_picture, tagger_text
from lessons.contextual.elmo.tagger_picture import PlacePress
from lmcore.contextual.record import load_record
from lmcore.contextual.tagger import Placement


def show(rows: ui.Rows, now: ContextualState) -> None:
    """Draw the tagger and the errors of each task on the stage, and the place of ELMo beside."""
    record, place = load_record(), cast(Placement, SETTINGS.choice("tg_place"))
    found = tagger_picture.errors_of(record, place)
    with rows.rail:
        hidden = ui.predict_first(tagger_questions(record))
        SETTINGS.draw("tg_place")
        with ui.more(rows):
            seeds = len({run.seed for run in record.taggers})
            st.caption(tagger_text.reading(record.date, seeds))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[tagger_text.sentence(found, place)],
            formula=[tagger_text.formula(place)],
            alt=tagger_text.describe(found, place),
            kind="measured",
            hidden=hidden,
        )
        ui.main_picture(
            tagger_picture.TAGGER,
            tagger_picture.numbers(record, found),
            tagger_picture.picture(record, found, place),
            texts,
            on_event=store_place,
        )


def store_place(pressed: PlacePress) -> None:
    """Store where the tagger shall have ELMo."""
    ui.set_controls({"tg_place": pressed["place"]})
