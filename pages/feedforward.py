"""Page “Feedforward”: a feedforward language model, one flow from three words to the next."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.feedforward import flow, picture, sections, state
from lessons.feedforward.notation import LETTERS


@st.fragment
def lab() -> None:
    """Everything that changes while a text is explored."""
    rows = ui.rows(state.LESSON)
    state.SETTINGS.restore()
    entries = state.available_models()
    with rows.errors:
        now = ui.validated_or_previous(
            "feedforward",
            lambda: state.read_state(entries),
            lambda: state.flow_state(
                str(state.LESSON.defaults["ff_text"]), "shipped", entries["shipped"]
            ),
        )
    live = flow.numbers(now.flow, now.place)
    letters = LETTERS[state.SETTINGS.choice("letters")]
    with rows.rail:
        hidden = ui.predict_first(sections.questions(now))
        state.SETTINGS.draw("ff_text")
        if live.sliders:
            ui.sliders(live, on_settled=state.store_place)
        state.word_lists(now)
        with ui.more(rows):
            state.more_controls(entries)
    with rows.picture:
        how = picture.flow_picture(*now.flow, letters)
        asks = flow.ASKED in (*hidden, *state.hidden_by_beat())
        texts = ui.stage_texts(
            state.LESSON,
            sentences=flow.sentences(now.flow, asks=asks),
            formula=flow.formulas(now.flow, letters, asks=asks),
            alt=flow.describe(now.flow, now.place, asks=asks, sized="size" not in hidden),
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(picture.FLOW, live, how, texts, on_event=state.store_unit)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(now),
            "Embeddings drifting": sections.embedding_drift,
            "Freeze E": ui.Apart(sections.freeze),
            "Against n-grams": ui.Apart(sections.against_ngrams),
            "Two benefits": lambda: sections.two_benefits(now),
            "Code": lambda: sections.source(now),
        },
    )
    ui.examples(rows)


with ui.page("feedforward"):
    lab()
