"""Page “Language model”: a sentence under counts and networks, and the cost of each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

import ui
from lessons.language_model import (
    lanes,
    lanes_text,
    language_model_questions,
    language_model_state,
    language_model_views,
    model_choices,
    text_pairs_view,
)
from lmcore.corpora.microworld import microworld
from lmcore.evaluation.sentence import SentenceAnswer, SentenceQuestion
from ui.models import ModelEntry

ADVANTAGES = "Four advantages, one cost"


@st.fragment
def lab() -> None:
    """Everything that changes with the sentence, the models, and the word looked at."""
    rows = ui.rows(language_model_state.LESSON)
    language_model_state.SETTINGS.restore()
    with rows.errors:
        question = ui.validated_or_previous(
            "language_model",
            language_model_state.read_question,
            language_model_state.default_question,
        )
        ui.offer_similar_words(st.session_state["lm_text"], language_model_state.store_text)
    entries = model_choices.entries(question.models)
    answers = language_model_state.answer(question, entries)
    st.session_state["lm_word"] = str(question.place)
    if language_model_state.seen() == text_pairs_view.SEE:
        text_pairs_view.show(rows, question)
    else:
        draw_lanes(rows, question, entries, answers)
    ui.examples(rows)  # a closer look may take seconds
    types = len(microworld().vocabulary)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: language_model_views.step_by_step(question, entries, answers),
            "Next word": lambda: language_model_views.next_word(question, answers),
            "Why 0?": lambda: language_model_views.why_zero(question, entries),
            "Loss and perplexity": lambda: language_model_views.loss_and_perplexity(answers, types),
            ADVANTAGES: lambda: language_model_views.compare(entries),
            "How much context is worth": ui.SeparateView(language_model_views.context_worth),
            text_pairs_view.SEE: None,
            "Training pairs": lambda: language_model_views.training_pairs(question),
            "Code": lambda: language_model_views.source(question, answers),
        },
        lacks={ADVANTAGES: language_model_views.why_no_comparison(entries)},
    )


def draw_lanes(
    rows: ui.Rows,
    question: SentenceQuestion,
    entries: Mapping[str, ModelEntry],
    answers: Mapping[str, SentenceAnswer],
) -> None:
    """Draw a lane for each model on the stage, and the sentence in the rail."""
    shown = language_model_state.sentence_lanes(question, entries, answers)
    with rows.rail:
        hidden = ui.predict_first(language_model_questions.questions(shown))
        language_model_state.controls(shown)
        with ui.more(rows):
            language_model_state.SETTINGS.draw("lm_end")
    with rows.picture:
        texts = ui.stage_texts(
            language_model_state.LESSON,
            sentences=[lanes_text.finding(shown)],
            alt=lanes_text.describe(shown),
            kind="measured here",
            hidden=hidden,
        )
        texts["formula"] = [lanes_text.formula(shown, texts["hidden"])]
        live, how = language_model_state.live_numbers(shown), lanes.lanes_picture(shown)
        ui.main_picture(
            lanes.LANES, live, how, texts, on_event=partial(language_model_state.press, shown)
        )


with ui.page("language_model"):
    lab()
