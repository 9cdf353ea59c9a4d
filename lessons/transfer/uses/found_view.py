"""The view *Found passages*: what this course says that is nearest to a question."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.transfer.transfer_questions import found_questions
from lessons.transfer.transfer_state import LESSON, SETTINGS
from lessons.transfer.uses import found_picture, found_text, retrieval_view
from lessons.transfer.uses.found_picture import FOUND, MOST, Search
from lessons.transfer.uses.passages import passages
from lmcore.pretrained import wheel
from lmcore.transfer import retrieval

NAME = "Found passages"


def show(rows: ui.Rows) -> None:
    """Draw the question and the passages on the stage, and the question's field beside them."""
    with rows.rail:
        SETTINGS.draw("rt_question")
    with rows.errors:
        question = ui.validated_or_previous(
            "rt_question", retrieval_view.read_question, retrieval_view.default_question
        )
    with rows.picture:
        search = searched(question)
    live = found_picture.numbers(search)
    with rows.rail:
        hidden = ui.predict_first(found_questions(search))
        with ui.more(rows):
            st.caption(retrieval_view.RAG)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[found_text.sentence(search)],
            formula=[found_text.formula(search)],
            alt=found_text.describe(search),
            kind="measured here",
            hidden=hidden,
        )
        ui.main_picture(FOUND, live, found_picture.picture(search), texts)


def searched(question: str) -> Search:
    """The passages nearest to a question, by meaning only where MiniLM is installed."""
    by_words = retrieval.search_words(retrieval_view.word_index(), question, MOST)
    there = wheel.package_folder() is not None
    by_meaning = retrieval_view.search_meaning(question) if there else None
    return Search(question, [each.text for each in passages()], by_meaning, by_words)
