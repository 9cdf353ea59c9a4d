"""The text, its model and its trace, as the controls describe them."""

from __future__ import annotations

from typing import cast

import numpy as np
import streamlit as st
import torch

import ui
from lessons.feedforward.picture import LETTERS, WORDS
from lmcore.embeddings import drift, pipeline
from lmcore.embeddings.pipeline import PipelineTrace
from lmcore.models import feedforward
from lmcore.models.registry import NeuralModel
from ui import contents, models
from ui.models import ModelEntry
from ui.settings import Between, Bound, Choice, SettingsTable, Text

LESSON = ui.lesson("feedforward")
DECKS = {deck: letters.title for deck, letters in LETTERS.items()}
SHIPPED = "The app's feedforward model"
# The pictures of this page have their own numbers: no slider changes them.
NO_LIVE_NUMBERS = ui.LiveNumbers("feedforward", (), np.empty(0))
# The text, the model's name and the model, and its trace.
PipelineState = tuple[str, str, NeuralModel, PipelineTrace]


def available_models() -> dict[str, ModelEntry]:
    """The feedforward model that comes with the app, and those that this session trained."""
    every = {
        "shipped": models.shipped_network("feedforward")._replace(label=SHIPPED)
    } | models.session_models()
    return {
        name: entry
        for name, entry in every.items()
        if isinstance(cast(NeuralModel, entry.model).network, feedforward.Feedforward)
    }


SETTINGS = SettingsTable(
    LESSON,
    {
        "ff_text": Text(
            "Text, in words of the microworld",
            "Only the last few words matter: change an earlier one, and nothing changes",
        ),
        "ff_model": Choice(lambda: models.labels(available_models()), "Model"),
        "ff_at": Between(-1, pipeline.MAX_TOKENS - 1, whole=True),
        "letters": Choice(DECKS, "Letters of the deck"),
        "drift_word": Choice(WORDS),
        "drift_at": Between(0, len(drift.load_recorded("learned").steps) - 1, whole=True),
        "near_word": Text("Nearest to the word", "Words used alike should come first"),
        "ff_view": Bound(),
    },
)


def controls(entries: dict[str, ModelEntry]) -> None:
    """Draw the fields for the text and its model."""
    SETTINGS.draw("ff_text")
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(entries) > 1:
            SETTINGS.draw("ff_model")
        st.page_link(
            contents.page("training").script,
            label="Train one yourself",
            icon=":material/model_training:",
            query_params={"models": "feedforward"},
        )


def read_state(entries: dict[str, ModelEntry]) -> PipelineState:
    """Run the chosen model on the typed text."""
    name = SETTINGS.choice("ff_model", entries)
    return pipeline_state(st.session_state["ff_text"], name, entries[name])


def pipeline_state(text: str, name: str, entry: ModelEntry) -> PipelineState:
    """The text, the name of its model, the model, and its trace over the text."""
    model = cast(NeuralModel, entry.model)
    return (
        text,
        name,
        model,
        pipeline.trace_pipeline(model, torch.tensor(model.vocabulary.read(text))),
    )


def read_integer(name: str, most: int, other: int) -> int:
    """A number of the address from 0 to `most`, or `other`."""
    asked = str(st.session_state[name])
    return int(asked) if asked in map(str, range(most + 1)) else other


def read_place(trace: PipelineTrace) -> int:
    """The place shown: from the address, or the last one that a word follows."""
    last = len(trace.tokens) - 1
    return read_integer("ff_at", last, max(last - 1, 0))
