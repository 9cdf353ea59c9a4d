"""Page “Contextual embeddings”: one word in many sentences, and its vector in every layer."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.contextual import picture, sections, state


@st.fragment
def lab() -> None:
    """Everything that changes while a word is looked at in its contexts."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        now = ui.validated_or_previous("contextual", state.read_state, state.default_state)
    seen = state.shown(now)
    live = state.live_numbers(now, seen)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(now, seen))
        ui.sliders(live, on_settled=state.store_slider)
        state.SETTINGS.draw("ct_model", "ct_word")
        with ui.more(rows):
            sections.more_controls()
    with rows.picture:
        texts = ui.stage_texts(
            state.LESSON,
            sentences=picture.layer_sentences(now.word),
            formula=picture.layer_formulas(),
            alt=picture.describe_layer(seen.contexts, seen.how["model"]),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(picture.CONTEXTUAL, live, seen.how, texts, on_event=state.store_event)
    ui.look_closer(rows, sections.views(now, seen))
    ui.examples(rows)


with ui.page("contextual"):
    lab()
