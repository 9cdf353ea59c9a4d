"""The view *Languages*: one sentence in eight languages, in the pieces of an English vocabulary."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.events import Name
from lessons.results.cases import languages_picture, languages_text
from lessons.results.cases.cases_questions import language_questions
from lessons.results.cases.languages_picture import LANGUAGES
from lessons.results.results_state import LESSON, SETTINGS

NAME = "Languages"
NOTE = (
    "The sentence is from article 1 of the Universal Declaration of Human Rights (1948). It is cut "
    "by the vocabulary of BERT for English, uncased: 30,522 entries; accents are stripped, as that "
    "model does. Models of many languages have one vocabulary for all, made from texts in all: "
    "XLM-R has 250,002 pieces for 100 languages. No model of many languages runs here."
)


def show(rows: ui.Rows) -> None:
    """Draw the languages on the stage, and the choice of one in the rail."""
    chosen = SETTINGS.choice("re_language")
    with rows.rail:
        hidden = ui.predict_first(language_questions())
        SETTINGS.draw("re_language")
        with ui.more(rows):
            st.caption(NOTE)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=languages_text.sentences(),
            formula=[languages_text.formula()],
            alt=languages_text.describe(),
            kind="measured here; sentence quoted",
            hidden=hidden,
        )
        live, how = languages_picture.numbers(chosen), languages_picture.picture()
        ui.main_picture(LANGUAGES, live, how, texts, on_event=store_language)


def store_language(event: Name) -> None:
    """Store the language that was pressed; an unknown one is ignored."""
    if event in languages_picture.names():
        ui.set_controls({"re_language": event})
