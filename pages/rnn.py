"""Page “RNN”: a recurrent model unrolled, one word at a time, with every number."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.rnn import back_view, deep_view, rnn_state, rnn_views, unrolled_view
from lessons.rnn.rnn_state import DEEP


@st.fragment
def lab() -> None:
    """Everything that changes while the text is read; steps are played in the browser."""
    rows = ui.rows(rnn_state.LESSON)
    rnn_state.SETTINGS.restore()
    entries = rnn_state.available_models()
    with rows.errors:
        ui.validated_or_previous("rnn_cut", rnn_state.read_reach, lambda: 1)
        entry, walk = ui.validated_or_previous(
            "rnn", lambda: rnn_state.read_walk(entries), lambda: rnn_state.default_walk(entries)
        )
    steps = unrolled_view.read(entry, walk)
    lacks = {DEEP: deep_view.missing(entry, walk), back_view.NAME: back_view.missing(walk)}
    if rnn_state.seen() == DEEP and not lacks[DEEP]:
        deep_view.show(rows, entry, entries, walk)
    elif rnn_state.seen() == back_view.NAME and not lacks[back_view.NAME]:
        back_view.show(rows, entry, entries, walk)
    else:
        unrolled_view.show(rows, steps, entries)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: rnn_views.step_by_step(entry, walk, steps.live),
            "Loss": lambda: rnn_views.loss(entry, walk, steps.seen, steps.truth),
            back_view.NAME: None,
            "Gradient through time": lambda: rnn_views.gradient(entry, walk),
            "Size": ui.SeparateView(lambda: rnn_views.size(steps.network)),
            DEEP: None,
            "Receptive field": lambda: rnn_views.sight(entry, walk),
            "Code": lambda: rnn_views.source(entry, walk),
        },
        lacks=lacks,
    )
    ui.examples(rows)


with ui.page("rnn"):
    lab()
