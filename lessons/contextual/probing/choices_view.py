"""The view “Sum or end to end”: which layers make one vector of a word."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.contextual.contextual_questions import choices_questions
from lessons.contextual.contextual_state import LESSON, SETTINGS, ContextualState
from lessons.contextual.probing import choices_picture, choices_text
from lessons.contextual.probing.choices_picture import LAYER_CHOICES, WAYS, LayerWayPress
from lmcore.contextual.record import load_record

NAME = "Sum or end to end"


def show(rows: ui.Rows, _now: ContextualState) -> None:
    """Draw the six ways with both scores on the stage, and the task beside them."""
    record, task = load_record(), SETTINGS.choice("pr_task")
    found = choices_picture.both_scores(record, task)
    chosen = WAYS.index(SETTINGS.choice("pr_way"))
    with rows.rail:
        hidden = ui.predict_first(choices_questions(found))
        SETTINGS.draw("pr_task")
        with ui.more(rows):
            SETTINGS.draw("pr_way")
            st.caption(choices_text.reading(record.date))
    with rows.picture:
        asked = bool(hidden)
        texts = ui.stage_texts(
            LESSON,
            sentences=[choices_text.sentence(found, task, hidden=asked)],
            formula=[choices_text.formula(chosen, hidden=asked)],
            alt=choices_text.describe(found),
            kind="quoted; ours measured",
            hidden=hidden,
        )
        live = choices_picture.numbers(found, chosen)
        how = choices_picture.picture(found)
        ui.main_picture(LAYER_CHOICES, live, how, texts, on_event=store_way)


def store_way(pressed: LayerWayPress) -> None:
    """Store the way that was pressed.

    Raises:
        IndexError: if there is none at that place.
    """
    ui.set_controls({"pr_way": WAYS[pressed["way"]]})
