"""The picture of the two benefits: what counting cannot predict, and rows that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict, cast

import numpy as np
import streamlit as st
import torch
from typing_extensions import TypedDict as EventDict

import ui
from drawing.payload import NumberName, Script
from lessons.feedforward import benefits_text
from lessons.feedforward.benefits_questions import questions
from lessons.feedforward.feedforward_state import LESSON, SETTINGS
from lmcore.corpora.microworld_rules import ANIMALS
from lmcore.embeddings import pipeline
from lmcore.embeddings.drift import GROUPS
from lmcore.evaluation.contexts import FED_PROMPTS
from lmcore.models.language_model import LanguageModel
from lmcore.models.registry import NeuralModel, embedding_table
from lmcore.typed import fold
from ui import models

SEE = "Two benefits"
NEXT = ("fed", "washed", "brushed")
"""The words that follow “gets” in the training texts."""


class BenefitPanel(TypedDict):
    """A model's predictions after both texts; `never`: it has nothing to go by after the second."""

    title: str
    key: str
    never: bool


class BenefitDot(TypedDict):
    """A word and the cosine of its row; `alike`: it is of the same group."""

    word: str
    cosine: float
    alike: bool


class BenefitsPayload(TypedDict):
    """Both benefits: `stage` is predict or rows."""

    stage: str
    ends: list[str]
    """How the two texts end."""
    words: list[str]
    panels: list[BenefitPanel]
    named: NumberName
    dots: list[BenefitDot]
    """From the nearest word to the farthest."""
    nearest: str
    xTitle: str


class NearTo(EventDict):
    """The word whose row all others are compared with."""

    word: str


BENEFITS = Script(
    "benefits", BenefitsPayload, ("count # #", "net # #", "pair", "near", "size"), NearTo
)


class Benefits(NamedTuple):
    """What two models expect after the texts, and which rows of the network are near a word's."""

    stage: str
    label: str
    """The name of the network."""
    counted: torch.Tensor
    """p of each of `NEXT` after each text, counted."""
    expected: torch.Tensor
    """The same of the network."""
    best: str
    """The network's most probable word after the second text."""
    pair: float
    """The cosine between the rows of the words that differ, cat and dog."""
    centre: str
    words: Sequence[str]
    """All other words, from the nearest to the farthest."""
    cosines: Sequence[float]
    shape: tuple[int, int]

    @property
    def never(self) -> bool:
        """Whether counting has nothing to go by after the second text."""
        return not bool(self.counted[1].any())

    @property
    def company(self) -> tuple[str, ...]:
        """The group of the word in the middle; empty if it is in none."""
        groups = (ANIMALS["one"], ANIMALS["many"], *GROUPS.values())
        return next((tuple(group) for group in groups if self.centre in group), ())


def show(rows: ui.Rows) -> None:
    """Draw one of the benefits on the stage, and beside it the network and the word."""
    with rows.rail:
        asked = ui.validated_or_previous("benefits", read, lambda: measure("lstm", "dog"))
        asked = asked._replace(stage=SETTINGS.choice("benefit"))
        live = live_numbers(asked)
        hidden = ui.predict_first(questions(asked))
        SETTINGS.draw("benefit", "benefit_model")
        if asked.stage == "rows":
            SETTINGS.draw("near_word")
        with ui.more(rows):
            st.caption(benefits_text.method_words(models.COUNTED))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[benefits_text.sentence(asked)],
            formula=[benefits_text.formula(asked)],
            alt=benefits_text.describe(asked),
            hidden=hidden,
        )
        ui.main_picture(BENEFITS, live, benefits_picture(asked), texts, on_event=store_word)


def store_word(event: NearTo) -> None:
    """Compare all rows with that of the word that was pressed."""
    ui.set_controls({"near_word": event["word"]})


def read() -> Benefits:
    """What the controls describe.

    Raises:
        ValueError: if the word is not known.
    """
    word = fold(SETTINGS.text("near_word")).strip().lower()
    return measure(SETTINGS.choice("benefit_model"), word)


def measure(name: str, word: str) -> Benefits:
    """Both benefits of a network that comes with the app."""
    entry = models.shipped_network(name)
    model = cast(NeuralModel, entry.model)
    counted = _chances(models.counted_ngram(3, "none").model)[:, _places(model)]
    every = _chances(model)
    (place,) = model.vocabulary.encode([word])
    near = pipeline.neighbours(model, place, count=len(model.vocabulary) - 1)
    table = embedding_table(model.network).detach().double()
    cat, dog = (table[model.vocabulary.ids[word]] for word in benefits_text.PAIR)
    return Benefits(
        "predict",
        entry.label,
        counted,
        every[:, _places(model)],
        model.vocabulary.tokens[int(every[1].argmax())],
        float(torch.nn.functional.cosine_similarity(cat, dog, dim=0)),
        word,
        model.vocabulary.decode(near.ids.tolist()),
        near.cosines.tolist(),
        (table.shape[0], table.shape[1]),
    )


def _chances(model: LanguageModel) -> torch.Tensor:
    """p of every word after each of the texts."""
    texts = (torch.tensor(model.vocabulary.read(text)) for text in FED_PROMPTS)
    return torch.stack([model.log_probabilities(ids)[-1].exp() for ids in texts])


def _places(model: LanguageModel) -> list[int]:
    return [model.vocabulary.ids[word] for word in NEXT]


def live_numbers(asked: Benefits) -> ui.LiveNumbers:
    """The probabilities and the cosines that are named on the picture."""
    named = {
        f"{key} {text} {i}": float(chances[text, i])
        for key, chances in (("count", asked.counted), ("net", asked.expected))
        for text in range(len(FED_PROMPTS))
        for i in range(len(NEXT))
    }
    named |= {"pair": asked.pair, "near": asked.cosines[0], "size": float(len(asked.words))}
    return ui.LiveNumbers("benefits", tuple(named), np.array(list(named.values())))


def benefits_picture(asked: Benefits) -> BenefitsPayload:
    """The data of `lessons/feedforward/benefits.js`."""
    company = asked.company
    return {
        "stage": asked.stage,
        "ends": [" ".join(text.split()[-2:]) for text in FED_PROMPTS],
        "words": list(NEXT),
        "panels": [
            {"title": "counting: trigram", "key": "count", "never": asked.never},
            {"title": f"network: {asked.label}", "key": "net", "never": False},
        ],
        "named": "net 1 0",
        "dots": [
            {"word": word, "cosine": cosine, "alike": word in company}
            for word, cosine in zip(asked.words, asked.cosines, strict=True)
        ],
        "nearest": asked.words[0],
        "xTitle": f"cosine with the row of {asked.centre}: one dot for each word",
    }
