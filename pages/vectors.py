"""Page “Word vectors and static embeddings”: from a window over a text to a map of its words."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.vectors import (
    vectors_picture,
    vectors_questions,
    vectors_state,
    vectors_text,
    vectors_views,
    words_view,
)
from ui.widgets import address_value


@st.fragment
def lab() -> None:
    """Everything that changes while word vectors are explored."""
    rows = ui.rows(vectors_state.LESSON)
    with rows.errors:
        vectors_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "vectors", vectors_state.read_state, vectors_state.default_state
        )
    run = vectors_state.vectors_run(now)
    if show := vectors_views.PICTURES.get(address_value("see", "Picture")):
        show(rows, now)
    else:
        word_map(rows, now, run)
    lacks = {"One vector": words_view.why_no_senses(run)}
    ui.look_closer(rows, vectors_views.views(now, run), lacks=lacks)
    ui.examples(rows)


def word_map(rows: ui.Rows, now: vectors_state.VectorsState, run: vectors_state.Run) -> None:
    """Draw the map of the words on the stage, and its controls in the rail."""
    seen = vectors_state.seen_word(now)
    near = seen.near
    live = vectors_state.live_numbers(now, run, seen)
    with rows.rail:
        hidden = ui.predict_first(vectors_questions.questions(now, run, near))
        ui.sliders(live, on_settled=vectors_state.store_slider)
        vectors_state.SETTINGS.draw("wv_method", "wv_text", "wv_word")
        with ui.more(rows):
            vectors_views.more_controls(now)
    with rows.picture:
        covered = "c1" in (*hidden, *vectors_views.hidden_by_beat())
        texts = ui.stage_texts(
            vectors_state.LESSON,
            sentences=vectors_text.run_sentences(run.method, near, hidden=covered),
            formula=vectors_text.run_formulas(run.method, near, hidden=covered),
            alt=vectors_text.describe_run(run.method, near),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(
            vectors_picture.VECTORS, live, seen.how, texts, on_event=vectors_state.store_event
        )


with ui.page("vectors"):
    lab()
