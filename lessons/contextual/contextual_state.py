"""The settings of the page on contextual vectors, and the occurrences they describe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64

import ui
from drawing.events import Moved
from lessons.contextual import contextual_picture
from lessons.contextual.recorded_text import PLACES
from lmcore import parsing
from lmcore.contextual.bilm import load_bilm
from lmcore.contextual.clouds import (
    Clouds,
    Contexts,
    Occurrence,
    english_contexts,
    find_word,
    microworld_contexts,
    trace_clouds,
)
from lmcore.contextual.english_sentences import ENGLISH_SENSES
from lmcore.contextual.layers import BiLMLayers, LayeredModel, TransformerLayers
from lmcore.contextual.mixing import TABLE_7
from lmcore.contextual.tasks import TASKS
from lmcore.corpora.microworld_rules import AMBIGUOUS_WORDS
from lmcore.pretrained import wheel
from ui import compute, pretrained
from ui.settings import Between, Bound, Choice, SettingsTable, Text
from ui.widgets import address_value

LESSON = ui.lesson("contextual")
ENGLISH = pretrained.WHEEL
MODELS = {
    ENGLISH: "MiniLM",
    "bilm": "our biLM",
    "encoder": "our mini-BERT",
    "gpt": "our mini-GPT",
}
"""The models of the picture; all but MiniLM have only the words of the Microworld."""
MOST_OWN = 8
"""The most typed contexts."""
LONGEST_OWN = 800
"""The most characters of all of them together."""
DEEPEST = 24
REACH = 4.0
"""How far a weight w_j can be set from 0."""


def available_models() -> dict[str, str]:
    """The models that are installed, MiniLM first."""
    installed = wheel.package_folder() is not None
    return {name: label for name, label in MODELS.items() if installed or name != ENGLISH}


def known_words() -> tuple[str, ...]:
    """The words of which the chosen model has occurrences in two senses."""
    return tuple(ENGLISH_SENSES if chosen_model() == ENGLISH else AMBIGUOUS_WORDS)


def chosen_model() -> str:
    """The chosen model, or the best one."""
    models, chosen = available_models(), str(st.session_state.get("ct_model", ""))
    return chosen if chosen in models else next(iter(models))


def open_model() -> None:
    """For another model: show its last layer, and drop settings that it does not support."""
    own = {"ct_own": ""} if chosen_model() != ENGLISH else {}
    words = known_words()
    word = {} if st.session_state["ct_word"] in words else {"ct_word": words[0]}
    ui.set_controls({"ct_layer": "-1", **own, **word})


def open_word() -> None:
    """For another word: drop the typed contexts that lack it."""
    state = st.session_state
    lines = [line for line in state["ct_own"].splitlines() if has_word(line, state["ct_word"])]
    ui.set_controls({"ct_own": "\n".join(lines)})


def has_word(line: str, word: str) -> bool:
    """Whether a typed context has the word."""
    try:
        find_word(line, word)
    except ValueError:
        return False
    return True


SETTINGS = SettingsTable(
    LESSON,
    {
        "ct_model": Choice(
            available_models,
            "Model",
            may_be_empty=True,
            then=open_model,
            help="MiniLM reads English; ours know the words of the Microworld",
        ),
        "ct_word": Choice(known_words, "Word", then=open_word),
        "ct_own": Text(
            "Own contexts",
            f"One a line, up to {MOST_OWN}; each must have the chosen word",
            LONGEST_OWN,
            height=100,
        ),
        "ct_layer": Between(-1, DEEPEST, whole=True),
        "mx_task": Choice(tuple(TASKS), "Task"),
        "mx_taken": Choice(
            ("the last layer", "equal shares", "what was learned"), "Each task takes"
        ),
        "mx_w0": Between(-REACH, REACH),
        "mx_w1": Between(-REACH, REACH),
        "mx_w2": Between(-REACH, REACH),
        "mx_gamma": Between(0.1, 4),
        "tg_place": Choice(PLACES, "ELMo in the tagger"),
        "pr_task": Choice(tuple(TASKS), "Task"),
        "pr_way": Choice(tuple(TABLE_7), "One vector of"),
        "bi_text": Text("Sentence", "Up to 24 words of the Microworld", 200),
        "bi_at": Text("Word k", "Which word’s 2L + 1 vectors are drawn; 1 is the first"),
        "bi_readers": Choice(("the left", "both sides"), "Read from"),
        "see": Bound(),
    },
)


@dataclass(frozen=True, slots=True)
class ContextualState:
    """What the controls describe: a model, a word, typed contexts, and the layer shown."""

    model: str
    word: str = "fine"
    own: tuple[str, ...] = ()
    layer: int = -1
    """−1: the last."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The occurrences of a word, read by the model, with the numbers of every layer."""

    contexts: Contexts
    """The typed ones are at the end."""
    clouds: Clouds
    names: tuple[str, ...]
    rows: Float64[np.ndarray, "layer number"]
    how: contextual_picture.ContextualPayload


def read_state() -> ContextualState:
    """The state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    model, word = chosen_model(), SETTINGS.choice("ct_word")
    lines = [line.strip() for line in SETTINGS.text("ct_own").splitlines()]
    own = tuple(line for line in lines if line)
    if len(own) > MOST_OWN:
        raise ValueError(f"there must be at most {MOST_OWN} own contexts; got {len(own)}")
    now = ContextualState(model, word, own, int(SETTINGS.number("ct_layer")))
    shown(now)  # cached for all visitors; a context that cannot be read is refused here
    return now


def default_state() -> ContextualState:
    """The page's example."""
    return ContextualState(next(iter(available_models())))


def first_run() -> None:
    """Read the page's example before the first visitor comes."""
    shown(default_state())


def layered_model(name: str) -> LayeredModel:
    """A model of `MODELS`, loaded once for all visitors."""
    return our_bilm() if name == "bilm" else TransformerLayers(pretrained.load(name))


def our_bilm() -> BiLMLayers:
    """The biLM, loaded once for all visitors."""
    return compute.shared_result("biLM", partial(_load_bilm), most=1, says="Loading the biLM")


def _load_bilm() -> BiLMLayers:
    return BiLMLayers(*load_bilm())


def contexts_of(model: str, word: str, lines: tuple[str, ...]) -> Contexts:
    """The occurrences of the word, and after them the typed ones.

    Raises:
        ValueError: if a typed one lacks the word.
    """
    found = (english_contexts if model == ENGLISH else microworld_contexts)(word)
    own: tuple[Occurrence, ...] = tuple(find_word(line, word) for line in lines)
    return found._replace(occurrences=(*found.occurrences, *own))


def shown(now: ContextualState) -> Shown:
    """What is on the stage, computed once for all visitors: no layer changes it.

    Raises:
        ValueError: as `contexts_of`, or if the model cannot read a typed context.
    """
    read = partial(_read, now.model, now.word, now.own)
    return compute.shared_result("clouds of a word", read, most=64, says="Reading the sentences")


def _read(model: str, word: str, own: tuple[str, ...]) -> Shown:
    contexts = contexts_of(model, word, own)
    clouds = trace_clouds(layered_model(model), contexts.occurrences)
    named = contextual_picture.layer_numbers(clouds)
    rows = np.stack([each.numpy() for each in named.values()], axis=-1)
    how = contextual_picture.contextual_picture(contexts, clouds, MODELS[model])
    return Shown(contexts, clouds, tuple(named), rows, how)


def seen() -> str:
    """The view that is open, or nothing."""
    return address_value("see", "Picture")


def shown_layer(now: ContextualState, seen: Shown) -> int:
    """The requested layer, or the last."""
    last = len(seen.rows) - 1
    return last if now.layer < 0 else min(now.layer, last)


def live_numbers(now: ContextualState, seen: Shown) -> ui.LiveNumbers:
    """The numbers of the layer shown, and of every layer along the slider."""
    at = shown_layer(now, seen)
    layers = torch.arange(len(seen.rows)).double().numpy()
    slider = ui.Slider(
        "layer",
        "layer",
        "layer",
        float(at),
        layers,
        help="At 0 the vectors have not met their context; watch where the senses part",
        role="score",
    )
    return ui.LiveNumbers("contextual", seen.names, seen.rows[at], (slider,), [seen.rows])


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    try:
        store_event({"layer": parsing.parse_number(moved["typed"], "the layer")})
    except ValueError as error:
        ui.show_error_later(error)


def store_event(event: contextual_picture.OpenedLayer) -> None:
    """Store the layer that the slider or the picture reports."""
    layer = round(event["layer"])
    if not 0 <= layer <= DEEPEST:
        raise ValueError(f"the layer must be from 0 to {DEEPEST}; got {layer}")
    ui.set_controls({"ct_layer": str(layer)})
