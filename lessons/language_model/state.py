"""The sentence and models set by the controls, and the models' answers."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import ui
from lessons.language_model import model_choices, picture
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import sentence
from lmcore.evaluation.sentence import SentenceAnswer, SentenceQuestion
from lmcore.models.language_model import LanguageModel
from ui.models import ModelEntry
from ui.settings import Bound, Choice, SettingsTable, Switch, Text

LESSON = ui.lesson("language_model")
SETTINGS = SettingsTable(
    LESSON,
    {
        "lm_text": Text("Sentence", "Change one word and watch which cells turn to 0"),
        "lm_end": Switch("End the sentence with </s>"),
        "lm_models": Choice(
            model_choices.labels, f"Models, up to {sentence.MOST_MODELS}", many=True
        ),
        "lm_model": Choice(lambda: (*model_choices.labels(), picture.GRAMMAR), "Model"),
        "lm_word": Choice(None, "Word"),
        "lm_order": Choice(None, "Order N"),
        "lm_view": Bound(),
    },
)


def controls() -> None:
    """Draw the fields for the sentence and its models."""
    SETTINGS.restore()
    left, right = st.columns([3, 4], gap="medium")
    with left:
        SETTINGS.draw("lm_text", "lm_end")
        known = st.expander("The words that the models know", key="lm_known", bind="query-params")
        if known.open:
            known.markdown(ui.escape_markdown(" ".join(microworld().vocabulary.tokens)))
    with right:
        SETTINGS.draw("lm_models")


def read_question() -> SentenceQuestion:
    """The sentence and the models, as the controls describe them."""
    state = st.session_state
    names = tuple(SETTINGS.several("lm_models"))
    ids = sentence.encode_sentence(
        microworld().vocabulary, state["lm_text"], end=SETTINGS.switch("lm_end")
    )
    place = min(parsing.parse_integer(state["lm_word"], "the place of the word"), len(ids))
    question = SentenceQuestion(
        ids, names, place, parsing.parse_integer(state["lm_order"], "the order N")
    )
    for name in names:
        model_choices.entry(name)
    return question


def default_question() -> SentenceQuestion:
    """The page's default question, for an address with no valid one."""
    given = LESSON.defaults
    ids = sentence.encode_sentence(microworld().vocabulary, given["lm_text"])
    return SentenceQuestion(ids, tuple(given["lm_models"].split(", ")), int(given["lm_word"]))


def answer(
    question: SentenceQuestion, entries: Mapping[str, ModelEntry]
) -> dict[str, SentenceAnswer]:
    """The answers of the models and of the grammar, completed if the sentence needs it."""
    every: dict[str, LanguageModel] = {each.label: each.model for each in entries.values()}
    every |= {
        picture.GRAMMAR: microworld(),
        picture.COMPLETED_GRAMMAR: microworld(complete=True),
    }
    answers = sentence.ask_models(every, question)
    if picture.first_grammar_gap(answers) is None:
        del answers[picture.COMPLETED_GRAMMAR]
    return answers
