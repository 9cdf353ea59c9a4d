"""The view “Order of tasks”: at which layer of a model each task is gained."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.contextual.contextual_questions import order_questions
from lessons.contextual.contextual_state import LESSON, SETTINGS, ContextualState
from lessons.contextual.probing import pipeline_picture, pipeline_text
from lessons.contextual.probing.pipeline_picture import PIPELINE, TASKS, ProbedTask
from lmcore.contextual.record import load_record

NAME = "Order of tasks"


def show(rows: ui.Rows, now: ContextualState) -> None:
    """Draw the slide's order and ours on the stage, and model and task beside them."""
    record, task = load_record(), SETTINGS.choice("pr_task")
    found = pipeline_picture.gained_tasks(record, now.model)
    with rows.rail:
        hidden = ui.predict_first(order_questions(found, now.model))
        SETTINGS.draw("ct_model", "pr_task")
        with ui.more(rows):
            st.caption(pipeline_text.reading(record.date))
    with rows.picture:
        asked = bool(hidden)
        texts = ui.stage_texts(
            LESSON,
            sentences=[pipeline_text.sentence(found, now.model, hidden=asked)],
            formula=[pipeline_text.formula(found, task, hidden=asked)],
            alt=pipeline_text.describe(found, now.model),
            kind="measured",
            hidden=hidden,
        )
        ui.main_picture(
            PIPELINE,
            pipeline_picture.numbers(found, task),
            pipeline_picture.picture(found, now.model),
            texts,
            on_event=store_task,
        )


def store_task(pressed: ProbedTask) -> None:
    """Store the task that was pressed.

    Raises:
        ValueError: if there is none of that name.
    """
    if pressed["task"] not in TASKS:
        raise ValueError(f"the task must be one of {', '.join(TASKS)}; got {pressed['task']}")
    ui.set_controls({"pr_task": pressed["task"]})
