"""The text, its model and its trace, as the controls describe them."""

from __future__ import annotations

from typing import NamedTuple, cast

import streamlit as st
import torch

import ui
from drawing.events import Moved
from lessons.feedforward import feedforward_picture
from lessons.feedforward.feedforward_text import Flow
from lessons.feedforward.neighbours import WORDS
from lessons.feedforward.notation import LETTERS
from lmcore import parsing
from lmcore.embeddings import drift, pipeline
from lmcore.models import feedforward
from lmcore.models.registry import NeuralModel
from ui import contents, guide, models
from ui.models import ModelEntry
from ui.settings import Between, Bound, Choice, SettingsTable, Text
from ui.widgets import address_value

LESSON = ui.lesson("feedforward")
DECKS = {deck: letters.title for deck, letters in LETTERS.items()}
NETWORKS = {"lstm": "LSTM", "gru": "GRU", "rnn": "RNN", "gpt": "GPT", "feedforward": "Feedforward"}
"""The networks that come with the app and have a row for each word."""
SHIPPED = "The app's feedforward model"
WIDEST = 1024
"""The most hidden units that a model may have."""
WALKED = 240
"""The words that a model reads from random weights, in the view “Word by word”."""
CHOSEN_WORDS = 3
"""The last words of the window that can be chosen from a list."""


class State(NamedTuple):
    """The text as typed, the model's name, the place, and the model's trace of the text."""

    text: str
    name: str
    place: int
    flow: Flow


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
            "Words that the model knows are in the lists below; change one that is outside the "
            "window, and nothing changes",
        ),
        "ff_model": Choice(lambda: models.labels(available_models()), "Model"),
        "ff_at": Between(-1, pipeline.MAX_TOKENS - 1, whole=True),
        "ff_unit": Between(0, WIDEST, whole=True),
        "letters": Choice(DECKS, "Letters of the deck"),
        "drift_word": Choice(WORDS),
        "drift_at": Between(0, len(drift.load_recorded("learned").steps) - 1, whole=True),
        "near_word": Text("Nearest to the word", "Words used alike should come first"),
        "benefit": Choice({"predict": "a prediction", "rows": "rows that are alike"}, "Benefit"),
        "benefit_model": Choice(NETWORKS, "Network"),
        "walk_at": Between(1, WALKED, whole=True),
        "walk_rate": Choice(("0.02", "0.05", "0.1", "0.5"), "Learning rate η"),
        "see": Bound(),
    },
)


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


def read_state(entries: dict[str, ModelEntry]) -> State:
    """Run the chosen model on the typed text."""
    name = SETTINGS.choice("ff_model", entries)
    return flow_state(st.session_state["ff_text"], name, entries[name])


def flow_state(text: str, name: str, entry: ModelEntry) -> State:
    """A model on a text, at the place and with the unit of the controls."""
    model = cast(NeuralModel, entry.model)
    trace = pipeline.trace_pipeline(model, torch.tensor(model.vocabulary.read(text)))
    unit = read_integer("ff_unit", trace.hidden.shape[1], 0)
    terms = pipeline.unit_terms(model, trace, unit - 1 if unit else None)
    return State(text, name, read_place(trace), Flow(model, trace, terms))


def hidden_by_beat() -> tuple[str, ...]:
    """The numbers that the current beat asks for."""
    current = guide.beat(LESSON)
    return current.hide if current else ()


def read_integer(name: str, most: int, other: int) -> int:
    """A number of the address from 0 to `most`, or `other`."""
    asked = str(st.session_state[name])
    return int(asked) if asked in map(str, range(most + 1)) else other


def read_place(trace: pipeline.PipelineTrace) -> int:
    """The place shown: from the address, or the last one that a word follows."""
    last = len(trace.tokens) - 1
    return read_integer("ff_at", last, max(last - 1, 0))


def store_place(moved: Moved) -> None:
    """Store a released slider's place, or the number typed beside it."""
    try:
        last = len(st.session_state["feedforward-good"].flow.words) - 1
        place = parsing.parse_number(moved["typed"], "the place")
        if place not in range(last + 1):
            raise ValueError(f"the place must be a whole number from 0 to {last}; got {place:g}")
        ui.set_controls({"ff_at": str(int(place))})
    except ValueError as error:
        ui.show_error_later(error)


def store_unit(pressed: feedforward_picture.OpenedUnit) -> None:
    """Store the unit that was pressed in the picture, counted from 1; none if it was open."""
    unit = str(pressed["unit"])
    ui.set_controls({"ff_unit": "0" if unit == st.session_state["ff_unit"] else unit})


def word_lists(state: State) -> None:
    """A list of all known words for each of the last words that the model sees."""
    vocabulary, place = state.flow.model.vocabulary, state.place
    seen = state.flow.seen(place)[-CHOSEN_WORDS:]
    known = [token for token in sorted(vocabulary.tokens) if token != "<s>"]
    presents = guide.mode() == "present"
    st.caption("Words" if presents else f"Words it sees: choose from all {len(vocabulary.words)}")
    for i, word in enumerate(seen):
        spot = place - len(seen) + 1 + i
        first = spot < (state.flow.words[0] == "<s>")
        key = ui.fresh_key(f"word-{i}", word)
        st.selectbox(
            f"Word {i + 1} of {len(seen)}",
            [word] if first else known,
            key=key,
            disabled=first,
            width=124 if presents else "stretch",
            label_visibility="collapsed",
            on_change=replace_word,
            args=(f"word-{i}", key, spot),
        )


def replace_word(name: str, key: str, spot: int) -> None:
    """Replace a word of the text with the chosen one."""
    word = ui.changed_value(name, key)
    if word is None:
        return
    state: State = st.session_state["feedforward-good"]
    words = state.flow.words
    words[spot] = word
    between = "" if state.flow.model.vocabulary.unit == "character" else " "
    text = between.join(words[words[0] == "<s>" :])
    ui.set_controls({"ff_text": text, "ff_at": str(state.place)})


def more_controls(entries: dict[str, ModelEntry]) -> None:
    """Draw the controls under More: the model, the letters, and a link to train one's own model."""
    if len(entries) > 1:
        SETTINGS.draw("ff_model")
    SETTINGS.draw("letters")
    st.page_link(
        contents.page("training").script,
        label="Train one yourself",
        icon=":material/model_training:",
        query_params={"models": "feedforward"},
    )
