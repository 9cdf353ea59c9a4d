"""Page “Language model”: a sentence under counts and networks, and the cost of each."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import ui
from lessons.language_model import model_choices, picture, sections, state
from lmcore.corpora.microworld import microworld
from lmcore.evaluation.sentence import SentenceAnswer, SentenceQuestion
from ui.models import ModelEntry


@st.fragment
def lab() -> None:
    """Sentence and models above, since a sentence is wide; the grid below them."""
    top = st.container(key="presets")
    state.controls()
    question = ui.validated_or_previous(
        "language_model", state.read_question, state.default_question
    )
    entries = model_choices.entries(question.models)
    answers = state.answer(question, entries)
    st.session_state["lm_word"] = str(question.place)
    show_sentence(question, entries, answers)
    parts = {
        "Step by step": lambda: sections.step_by_step(question, entries, answers),
        "Next word": lambda: sections.next_word(question, answers),
        "Loss and perplexity": lambda: sections.loss_and_perplexity(
            answers, len(microworld().vocabulary)
        ),
        "Why 0?": lambda: sections.why_zero(question, entries),
        "Four advantages, one cost": lambda: sections.compare(entries),
        "How much context is worth": sections.context_worth,
        "Training pairs": lambda: sections.training_pairs(question),
        "Check yourself": lambda: sections.predict(question, answers),
        "Code": lambda: sections.source(question, answers),
        "Slide check": lambda: ui.slide_corrections("language_model"),
    }
    ui.sections(parts, key="lm_view")
    with top:
        ui.presets(state.LESSON)


def show_sentence(
    question: SentenceQuestion,
    entries: Mapping[str, ModelEntry],
    answers: Mapping[str, SentenceAnswer],
) -> None:
    """Draw one row per model and one column per token; pressing a cell opens its details."""
    vocabulary = microworld().vocabulary

    def press(at: list[int]) -> None:
        name = [*entries, picture.GRAMMAR, picture.GRAMMAR][at[0]]
        ui.set_controls({"lm_word": str(at[1] + 1), "lm_model": name})

    looked_at = st.session_state["lm_model"]
    chosen = entries[looked_at].label if looked_at in entries else picture.GRAMMAR
    drawn = picture.sentence_grid(answers, question, vocabulary, chosen=chosen)
    ui.probability_grid("sentence", drawn, on_event=press)
    st.caption(
        "In each cell p(word | the words before it), on one scale from 0, dark, to 1, light; "
        "an empty cell with ✕ is exactly 0. Press a cell to see its details below."
    )
    ui.notice(*picture.notice(answers, question, vocabulary), kind="measured here")


ui.open_page("language_model")
lab()
ui.neighbour_links("language_model")
