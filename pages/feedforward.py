"""Page “Feedforward”: a feedforward language model, one flow from three words to the next."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.feedforward import (
    feedforward_picture,
    feedforward_questions,
    feedforward_state,
    feedforward_text,
    feedforward_views,
)
from lessons.feedforward.notation import LETTERS
from ui import models


@st.fragment
def lab() -> None:
    """Everything that changes while a text is explored."""
    rows = ui.rows(feedforward_state.LESSON)
    feedforward_state.SETTINGS.restore()
    entries = feedforward_state.available_models()
    with rows.errors:
        now = ui.validated_or_previous(
            "feedforward",
            lambda: feedforward_state.read_state(entries),
            lambda: feedforward_state.flow_state(
                str(feedforward_state.LESSON.defaults["ff_text"]), "shipped", entries["shipped"]
            ),
        )
    shown = feedforward_views.PICTURES.get(feedforward_state.seen())
    if shown:
        shown(rows)
    else:
        flow(rows, now, entries)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: feedforward_views.step_by_step(now),
            "Embeddings drifting": feedforward_views.embedding_drift,
            "Freeze E": ui.SeparateView(feedforward_views.freeze),
            "Against n-grams": ui.SeparateView(feedforward_views.against_ngrams),
            **dict.fromkeys(feedforward_views.PICTURES),
            "Nearest words": lambda: feedforward_views.nearest_words(now),
            "Code": lambda: feedforward_views.source(now),
        },
    )
    ui.examples(rows)


def flow(
    rows: ui.Rows, now: feedforward_state.State, entries: dict[str, models.ModelEntry]
) -> None:
    """Draw the flow from the words to the next one on the stage."""
    live = feedforward_text.numbers(now.flow, now.place)
    letters = LETTERS[feedforward_state.SETTINGS.choice("letters")]
    with rows.rail:
        hidden = ui.predict_first(feedforward_questions.questions(now))
        feedforward_state.SETTINGS.draw("ff_text")
        if live.sliders:
            ui.sliders(live, on_settled=feedforward_state.store_place)
        feedforward_state.word_lists(now)
        with ui.more(rows):
            feedforward_state.more_controls(entries)
    with rows.picture:
        how = feedforward_picture.flow_picture(*now.flow, letters)
        asks = feedforward_text.ASKED in (*hidden, *feedforward_state.hidden_by_beat())
        texts = ui.stage_texts(
            feedforward_state.LESSON,
            sentences=feedforward_text.sentences(now.flow, asks=asks),
            formula=feedforward_text.formulas(now.flow, letters, asks=asks),
            alt=feedforward_text.describe(
                now.flow, now.place, asks=asks, sized="size" not in hidden
            ),
            hidden=hidden,
        )
        ui.main_picture(
            feedforward_picture.FLOW, live, how, texts, on_event=feedforward_state.store_unit
        )


with ui.page("feedforward"):
    lab()
