"""Page “Word vectors and static embeddings”: from a window over a text to a map of its words."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.vectors import picture, sections, state, words_section


@st.fragment
def lab() -> None:
    """Everything that changes while word vectors are explored."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        now = ui.validated_or_previous("vectors", state.read_state, state.default_state)
    run = state.vectors_run(now)
    seen = state.seen_word(now)
    near = seen.near
    live = state.live_numbers(now, run, seen)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(now, run, near))
        ui.sliders(live, on_settled=state.store_slider)
        state.SETTINGS.draw("wv_method", "wv_text", "wv_word")
        with ui.more(rows):
            sections.more_controls(now)
    with rows.picture:
        covered = "c1" in (*hidden, *sections.hidden_by_beat())
        texts = ui.stage_texts(
            state.LESSON,
            sentences=picture.run_sentences(run.method, near, hidden=covered),
            formula=picture.run_formulas(run.method, near, hidden=covered),
            alt=picture.describe_run(run.method, near),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(picture.VECTORS, live, seen.how, texts, on_event=state.store_event)
    lacks = {"One vector": words_section.why_no_senses(run)}
    ui.look_closer(rows, sections.views(now, run), lacks=lacks)
    ui.examples(rows)


with ui.page("vectors"):
    lab()
