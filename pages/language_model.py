"""Page “Language model”: a sentence under counts and networks, and the cost of each."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.language_model import findings, lanes, model_choices, sections, state
from lmcore.corpora.microworld import microworld

ADVANTAGES = "Four advantages, one cost"


@st.fragment
def lab() -> None:
    """Everything that changes with the sentence, the models, and the word looked at."""
    rows = ui.rows(state.LESSON)
    state.SETTINGS.restore()
    with rows.errors:
        question = ui.validated_or_previous(
            "language_model", state.read_question, state.default_question
        )
        ui.offer_similar_words(st.session_state["lm_text"], state.store_text)
    entries = model_choices.entries(question.models)
    answers = state.answer(question, entries)
    st.session_state["lm_word"] = str(question.place)
    shown = state.sentence_lanes(question, entries, answers)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(shown))
        state.controls(shown)
        with ui.more(rows):
            state.SETTINGS.draw("lm_end")
    with rows.picture:
        texts = ui.stage_texts(
            state.LESSON,
            sentences=[findings.finding(shown)],
            alt=findings.describe(shown),
            kind="measured here",
            hidden=hidden,
            presses=True,
        )
        texts["formula"] = [findings.formula(shown, texts["hidden"])]
        live, how = state.live_numbers(shown), lanes.lanes_picture(shown)
        ui.main_picture(lanes.LANES, live, how, texts, on_event=partial(state.press, shown))
    ui.examples(rows)  # a closer look may take seconds
    types = len(microworld().vocabulary)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(question, entries, answers),
            "Next word": lambda: sections.next_word(question, answers),
            "Why 0?": lambda: sections.why_zero(question, entries),
            "Loss and perplexity": lambda: sections.loss_and_perplexity(answers, types),
            ADVANTAGES: lambda: sections.compare(entries),
            "How much context is worth": ui.Apart(sections.context_worth),
            "Training pairs": lambda: sections.training_pairs(question),
            "Code": lambda: sections.source(question, answers),
        },
        lacks={ADVANTAGES: sections.why_no_comparison(entries)},
    )


with ui.page("language_model"):
    lab()
