"""The view “Eight words”: Person A and Person B, a word of both as two directions."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.contextual import contextual_state, fans_picture, fans_text
from lessons.contextual.contextual_questions import fans_questions
from lessons.contextual.contextual_state import (
    LESSON,
    MODELS,
    SETTINGS,
    ContextualState,
    contexts_of,
    layered_model,
)
from lessons.contextual.fans_picture import Fans
from lmcore.contextual.persons import WORDS
from ui import compute

READING = (
    "The opening of a fan is the true angle between two vectors, arccos of their cosine: nothing "
    "is projected. Grey: the angle of the mean cosine of two sentences in which the word has one "
    "sense. These are the slide’s sentences; the picture of a word has others, and other cosines."
)


def show(rows: ui.Rows, now: ContextualState) -> None:
    """Draw the fans on the stage, and the layer and the model in the rail."""
    found = trace(now.model)
    last = len(found.same) - 1
    live = fans_picture.numbers(found, last if now.layer < 0 else min(now.layer, last))
    with rows.rail:
        hidden = ui.predict_first(fans_questions(found, int(live["layer"])))
        ui.sliders(live, on_settled=contextual_state.store_slider)
        SETTINGS.draw("ct_model")
        with ui.more(rows):
            st.caption(READING)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=fans_text.sentences(found),
            formula=fans_text.formulas(found),
            alt=fans_text.describe(found, MODELS[now.model]),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(fans_picture.FANS, live, fans_picture.picture(found), texts)


def trace(model: str) -> Fans:
    """The fans of a model, computed once for all visitors."""
    return compute.shared_result(
        "eight fans",
        partial(_trace, model),
        most=len(MODELS),
        says="Reading Person A and Person B",
    )


def _trace(model: str) -> Fans:
    contexts = tuple(contexts_of(model, word, ()) for word in WORDS)
    return fans_picture.trace_fans(layered_model(model), contexts)
