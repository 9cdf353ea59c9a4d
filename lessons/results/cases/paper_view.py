"""The view *Paper label*: an apple, a paper that is put on it, and what CLIP answers."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.results.cases import paper_picture, paper_text
from lessons.results.cases.cases_questions import paper_questions
from lessons.results.cases.paper_picture import PAPER, PaperPut
from lessons.results.results_state import LESSON, SETTINGS
from lmcore.results.tables import load_results

NAME = "Paper label"


def show(rows: ui.Rows) -> None:
    """Draw the apple with its bars on the stage, and the paper in the rail."""
    found = paper_picture.answers()
    with rows.errors:
        paper = ui.validated_or_previous("paper", lambda: SETTINGS.choice("re_paper"), lambda: "on")
    with rows.rail:
        hidden = ui.predict_first(paper_questions(found, paper))
        SETTINGS.draw("re_paper")
        with ui.more(rows):
            if not hidden:  # the notes name the label that wins
                for note in load_results("clip").notes:
                    st.caption(note)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=paper_text.sentences(found, hidden=bool(hidden)),
            formula=[] if hidden else paper_text.formulas(found),
            alt=paper_text.describe(found),
            kind="quoted",
            hidden=hidden,
        )
        ui.main_picture(
            PAPER,
            paper_picture.numbers(found, paper),
            paper_picture.picture(found),
            texts,
            on_event=store_paper,
        )


def store_paper(event: PaperPut) -> None:
    """Put the paper on the apple, or take it off."""
    ui.set_controls({"re_paper": "on" if event["on"] else "off"})
