"""The view “First vector”: which row of the embeddings the slide's snippet prints."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Moved
from lessons.transfer.transfer_questions import first_vector_questions
from lessons.transfer.transfer_state import LESSON, SETTINGS
from lessons.transfer.uses import first_vector_picture, first_vector_text, snippet_view
from lessons.transfer.uses.first_vector_picture import FIRST_VECTOR
from lmcore import parsing

NAME = "First vector"


def show(rows: ui.Rows) -> None:
    """Draw the snippet and its result on the stage, and the row that is printed."""
    with rows.errors:
        found = ui.validated_or_previous(
            "sn_text", snippet_view.read_embedded, snippet_view.default_embedded
        )
    row = min(int(SETTINGS.number("sn_row")), len(found.tokens) - 1)
    live = first_vector_picture.numbers(found, row)
    with rows.rail:
        hidden = ui.predict_first(first_vector_questions(found))
        ui.sliders(live, on_settled=store_row)
        SETTINGS.draw("sn_text")
        with ui.more(rows):
            st.caption(
                f"Run here without transformers, on {found.model}, which this server has: a "
                "tokenizer, a network, and its last layer. BERT base has 768 numbers a token."
            )
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=first_vector_text.sentences(found),
            formula=[first_vector_text.formula(found)],
            alt=first_vector_text.describe(found),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(FIRST_VECTOR, live, first_vector_picture.picture(found), texts)


def store_row(moved: Moved) -> None:
    """Store the row to which the slider was moved, or the number typed beside it."""
    try:
        row = parsing.parse_integer(moved["typed"], "the row")
        if not 0 <= row <= snippet_view.MOST_TOKENS:
            raise ValueError(f"the row must be from 0 to {snippet_view.MOST_TOKENS}; got {row}")
        ui.set_controls({"sn_row": str(row)})
    except ValueError as error:
        ui.show_error_later(error)
