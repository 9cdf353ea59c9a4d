"""The view “Seven senses”: great in seven sentences, one static vector or seven contextual ones."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.contextual import contextual_state, senses_picture, senses_text
from lessons.contextual.contextual_questions import senses_questions
from lessons.contextual.contextual_state import (
    ENGLISH,
    LESSON,
    ContextualState,
    available_models,
    layered_model,
)
from lmcore.contextual.great_senses import GreatVectors, trace_great
from ui import compute

NEEDS = "MiniLM, which reads English, is not installed on this server"
READING = (
    "The senses are the slide’s, from WordNet; the sentences were written for this page. All are "
    "read by MiniLM. Seven points are not yet seven senses: every sentence moves a vector, two "
    "uses in one sense as well. The plane shows only a part of the vectors, so cosines are "
    "printed: press a sentence."
)


def show(rows: ui.Rows, now: ContextualState) -> None:
    """Draw the sentences and their points on the stage, and the layer in the rail."""
    found = compute.shared_result(
        "senses of great", partial(_trace), most=1, says="Reading seven sentences"
    )
    last = len(found.same) - 1
    live = senses_picture.numbers(found, last if now.layer < 0 else min(now.layer, last))
    with rows.rail:
        hidden = ui.predict_first(senses_questions(found, int(live["layer"])))
        ui.sliders(live, on_settled=contextual_state.store_slider)
        with ui.more(rows):
            st.caption(READING)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=senses_text.sentences(),
            formula=senses_text.formulas(),
            alt=senses_text.describe(),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(senses_picture.SENSES, live, senses_picture.picture(found), texts)


def missing() -> str:
    """Why the view cannot be shown; empty if it can."""
    return "" if ENGLISH in available_models() else NEEDS


def _trace() -> GreatVectors:
    return trace_great(layered_model(ENGLISH))
