"""The view *Uses*: which model with which head serves which use."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Name
from lessons.results.cases import in_use_picture, in_use_text
from lessons.results.cases.cases_questions import use_questions
from lessons.results.cases.in_use_picture import IN_USE, USES
from lessons.results.results_state import LESSON, SETTINGS

NAME = "Uses"
SHORT = (
    "Human LM is human language modelling (Soni, Matero, Balasubramanian, Schwartz, Findings of "
    "ACL 2022): the author’s other texts are part of the context. The words in the picture are "
    "examples of ours; no model runs here."
)


def show(rows: ui.Rows) -> None:
    """Draw the three models on the stage, and the choice of the use in the rail."""
    use = SETTINGS.choice("re_use")
    with rows.rail:
        hidden = ui.predict_first(use_questions())
        SETTINGS.draw("re_use")
        with ui.more(rows):
            st.caption(SHORT)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=in_use_text.sentences(),
            formula=[in_use_text.formula()],
            alt=in_use_text.describe(),
            kind="quoted; words ours",
            hidden=hidden,
        )
        live, how = in_use_picture.numbers(use), in_use_picture.picture()
        ui.main_picture(IN_USE, live, how, texts, on_event=store_use)


def store_use(event: Name) -> None:
    """Store the use that was pressed; an unknown one is ignored."""
    if event in USES:
        ui.set_controls({"re_use": event})
