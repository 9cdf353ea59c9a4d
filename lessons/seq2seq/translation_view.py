"""The main picture of the page, and its controls: a translation with α, and one vector."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.seq2seq import (
    seq2seq_picture,
    seq2seq_questions,
    seq2seq_state,
    seq2seq_text,
    seq2seq_views,
)
from lessons.seq2seq.seq2seq_state import SETTINGS, Seq2SeqState
from lessons.seq2seq.translated import Translated


def show(rows: ui.Rows, now: Seq2SeqState, shown: Translated, live: ui.LiveNumbers) -> None:
    """Draw the step of the translation on the stage."""
    with rows.rail:
        hidden = ui.predict_first(seq2seq_questions.questions(shown, now.step))
        ui.sliders(live, on_settled=seq2seq_state.store_slider)
        SETTINGS.draw("s2_source")
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
        )
        how = seq2seq_picture.translation_picture(shown, now.forced)
        ui.main_picture(
            seq2seq_picture.SEQ2SEQ, live, how, texts, on_event=seq2seq_state.store_event
        )
