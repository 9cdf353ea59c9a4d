"""Page “Encoder–decoder and attention”: a translation word by word, with one vector and with α."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.seq2seq import (
    seq2seq_picture,
    seq2seq_questions,
    seq2seq_state,
    seq2seq_text,
    seq2seq_views,
    train_view,
    translated,
)


@st.fragment
def lab() -> None:
    """Everything that changes while a sentence is translated."""
    rows = ui.rows(seq2seq_state.LESSON)
    with rows.errors:
        seq2seq_state.SETTINGS.restore()
    if not translated.has_models():
        with rows.picture:
            st.markdown(translated.MISSING)
        ui.look_closer(rows, {seq2seq_views.TRAIN: train_view.train_view})
        return
    with rows.errors:
        now = ui.validated_or_previous(
            "seq2seq", seq2seq_state.read_state, seq2seq_state.default_state
        )
    shown = seq2seq_state.translated(now)
    live = seq2seq_state.live_numbers(shown, now.step)
    with rows.rail:
        hidden = ui.predict_first(seq2seq_questions.questions(shown, now.step))
        ui.sliders(live, on_settled=seq2seq_state.store_slider)
        seq2seq_state.SETTINGS.draw("s2_source")
        st.button(
            "Another sentence",
            icon=":material/shuffle:",
            key="s2-another",
            on_click=seq2seq_state.draw_another,
            width="stretch",
            help="As long as this one; neither model was trained on it",
        )
        if now.forced and not ui.presenting():  # the map has such a button, too
            st.button(
                "Release α",
                icon=":material/lock_open:",
                key="s2-release",
                on_click=ui.set_controls,
                args=({"s2_forced": ""},),
                width="stretch",
            )
        with ui.more(rows):
            seq2seq_views.more_controls(now, shown)
    with rows.picture:
        asked = (*hidden, *seq2seq_views.hidden_by_beat())
        covered = "a1" in asked
        texts = ui.stage_texts(
            seq2seq_state.LESSON,
            sentences=seq2seq_text.step_sentences(shown, now.forced, hidden=covered),
            formula=seq2seq_text.step_formulas(
                shown, now.forced, hidden=covered, word_hidden="word" in asked
            ),
            alt=seq2seq_text.describe(shown),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        how = seq2seq_picture.translation_picture(shown, now.forced)
        ui.main_picture(
            seq2seq_picture.SEQ2SEQ, live, how, texts, on_event=seq2seq_state.store_event
        )
    ui.look_closer(rows, seq2seq_views.views(now, shown, live))
    ui.examples(rows)


with ui.page("seq2seq"):
    lab()
