"""Page “Encoder–decoder and attention”: a translation word by word, with one vector and with α."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.seq2seq import (
    cross_view,
    seq2seq_state,
    seq2seq_views,
    shifted_view,
    train_view,
    translated,
    translation_view,
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
    no_cross, no_shift = cross_view.lacks(now), shifted_view.lacks(shown)
    if seq2seq_state.seen() == seq2seq_views.CROSS and not no_cross:
        cross_view.show(rows, now)
    elif seq2seq_state.seen() == seq2seq_views.SHIFTED and not no_shift:
        shifted_view.show(rows, now, shown)
    else:
        translation_view.show(rows, now, shown, live)
    views = seq2seq_views.views(now, shown, live)
    ui.look_closer(
        rows, views, lacks={seq2seq_views.CROSS: no_cross, seq2seq_views.SHIFTED: no_shift}
    )
    ui.examples(rows)


with ui.page("seq2seq"):
    lab()
