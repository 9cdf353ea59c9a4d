"""Page “Contextual embeddings”: one word in many sentences, and its vector in every layer."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.contextual import (
    contextual_picture,
    contextual_questions,
    contextual_state,
    contextual_text,
    contextual_views,
)


@st.fragment
def lab() -> None:
    """Everything that changes while a word is looked at in its contexts."""
    rows = ui.rows(contextual_state.LESSON)
    with rows.errors:
        contextual_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "contextual", contextual_state.read_state, contextual_state.default_state
        )
    seen = contextual_state.shown(now)
    live = contextual_state.live_numbers(now, seen)
    with rows.rail:
        hidden = ui.predict_first(contextual_questions.questions(now, seen))
        ui.sliders(live, on_settled=contextual_state.store_slider)
        contextual_state.SETTINGS.draw("ct_model", "ct_word")
        with ui.more(rows):
            contextual_views.more_controls()
    with rows.picture:
        texts = ui.stage_texts(
            contextual_state.LESSON,
            sentences=contextual_text.layer_sentences(now.word),
            formula=contextual_text.layer_formulas(),
            alt=contextual_text.describe_layer(seen.contexts, seen.how["model"]),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(
            contextual_picture.CONTEXTUAL,
            live,
            seen.how,
            texts,
            on_event=contextual_state.store_event,
        )
    ui.look_closer(rows, contextual_views.views(now, seen))
    ui.examples(rows)


with ui.page("contextual"):
    lab()
