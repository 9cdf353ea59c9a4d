"""The sentence and models set by the controls, and the models' answers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

import ui
from drawing import microworld as microworld_text
from lessons.language_model import lanes, language_model_picture, model_choices
from lessons.language_model.lanes import SentenceLanes
from lessons.language_model.text_pairs import LONGEST
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import sentence
from lmcore.evaluation.sentence import SentenceAnswer, SentenceQuestion
from lmcore.models.language_model import LanguageModel
from ui.models import ModelEntry
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value

LESSON = ui.lesson("language_model")
SETTINGS = SettingsTable(
    LESSON,
    {
        "lm_text": Text("Sentence", "Change one word and watch which bars turn to 0"),
        "lm_end": Switch("End the sentence with </s>"),
        "lm_models": Choice(
            model_choices.labels,
            f"Models, up to {sentence.MOST_MODELS}",
            many=True,
            most=sentence.MOST_MODELS,
            help="An n-gram counts what followed the last N − 1 words: bigram 1, trigram 2. Add-1 "
            "and Kneser–Ney smooth it: no word is left with 0. The last four are networks",
        ),
        "lm_model": Choice(lambda: model_choices.labels() | lanes.TRUTHS, "Model"),
        "lm_word": Choice(None, "Word"),
        "lm_truth": Switch("Show the true p, the grammar’s"),
        "lm_order": Choice(None, "Order N"),
        "lm_window": Between(1, LONGEST + 1, whole=True),
        "see": Bound(),
    },
)


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


def controls(shown: SentenceLanes) -> None:
    """Draw the fields for the sentence and its models."""
    SETTINGS.draw("lm_text")
    place = shown.question.place
    target = "after the last word" if shown.is_next else f"in place of “{shown.words[place - 1]}”"
    ui.microworld_popover(
        lambda word: store_text(microworld_text.replace_place(_typed(shown), place, word)),
        doing=f"Press a word: it stands {target}",
    )
    SETTINGS.draw("lm_truth", "lm_models")


def _typed(shown: SentenceLanes) -> str:
    words = shown.words[:-1] if SETTINGS.switch("lm_end") else shown.words
    return " ".join(words)


def store_text(text: str) -> None:
    """Write a sentence into its field. For callbacks."""
    st.session_state["lm_text"] = text


def press(shown: SentenceLanes, pressed: lanes.PressedPlace) -> None:
    """Select the pressed lane and word; -1 means the selected one. For callbacks."""
    lane, word = pressed
    if lane >= 0:
        ui.set_controls({"lm_model": shown.lanes[lane].name})
    if word >= 0:
        ui.set_controls({"lm_word": str(word + 1)})


def live_numbers(shown: SentenceLanes) -> ui.LiveNumbers:
    """Every number of the picture, of its sentence and of its formula."""
    now = lanes.lane_numbers(shown)
    return ui.LiveNumbers("sentence", tuple(now), np.array(list(now.values())))


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
    """The answers of the models and, if requested, of the grammar, completed if need be."""
    every: dict[str, LanguageModel] = {each.label: each.model for each in entries.values()}
    if not SETTINGS.switch("lm_truth"):
        return sentence.ask_models(every, question)
    every |= {
        lanes.GRAMMAR: microworld(),
        lanes.COMPLETED_GRAMMAR: microworld(complete=True),
    }
    answers = sentence.ask_models(every, question)
    if language_model_picture.first_grammar_gap(answers) is None:
        del answers[lanes.COMPLETED_GRAMMAR]
    return answers


def sentence_lanes(
    question: SentenceQuestion,
    entries: Mapping[str, ModelEntry],
    answers: Mapping[str, SentenceAnswer],
) -> SentenceLanes:
    """A lane for each answer, in the order of the models."""
    models = {each.label: (name, each.model) for name, each in entries.items()}
    return lanes.sentence_lanes(question, models, answers, st.session_state["lm_model"])
