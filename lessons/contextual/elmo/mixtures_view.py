"""The view “Layers by task”: each task mixes the same frozen layers in shares of its own."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.contextual.bilm_view import default_sentence, read_sentence
from lessons.contextual.contextual_questions import shares_questions
from lessons.contextual.contextual_state import LESSON, SETTINGS, ContextualState
from lessons.contextual.elmo import mixtures_picture, mixtures_text
from lessons.contextual.elmo.mixtures_picture import TaskPress
from lmcore.contextual.record import load_record
from lmcore.contextual.tasks import TASKS


def show(rows: ui.Rows, now: ContextualState) -> None:
    """Draw the bars of all tasks on the stage, and in the rail the task and the mixture."""
    with rows.errors:
        sentence = ui.validated_or_previous("bi_text", read_sentence, default_sentence)
    record, mixture = load_record(), SETTINGS.choice("mx_taken")
    found = mixtures_picture.task_shares(record, mixture)
    task = SETTINGS.choice("mx_task")
    at = [each.task for each in found].index(task)
    with rows.rail:
        hidden = ui.predict_first(shares_questions(record, found, at, mixture))
        SETTINGS.draw("mx_task", "mx_taken")
        with ui.more(rows):
            SETTINGS.draw("bi_text", "bi_at")
            st.caption(mixtures_text.reading(record.date))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[mixtures_text.sentence(found, at, mixture)],
            formula=[mixtures_text.formula(found, at, mixture)],
            alt=mixtures_text.describe(found, mixture),
            kind="measured",
            hidden=hidden,
        )
        ui.main_picture(
            mixtures_picture.MIXED,
            mixtures_picture.numbers(found, task),
            mixtures_picture.picture(found, sentence, mixture),
            texts,
            on_event=store_task,
        )


def store_task(pressed: TaskPress) -> None:
    """Store the task that was pressed.

    Raises:
        ValueError: if there is none of that name.
    """
    if pressed["task"] not in TASKS:
        raise ValueError(f"the task must be one of {', '.join(TASKS)}; got {pressed['task']}")
    ui.set_controls({"mx_task": pressed["task"]})
