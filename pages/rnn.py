"""Page “RNN”: a recurrent model unrolled, one word at a time, with every number."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.rnn import rnn_picture, rnn_questions, rnn_state, rnn_text, rnn_views
from lmcore.corpora.microworld import microworld
from lmcore.recurrence import unrolled
from lmcore.recurrence.unrolled import RNNMatrices
from ui import guide


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
    network = unrolled.rnn_network(entry.model)
    weights = RNNMatrices.from_network(network)
    seen = unrolled.unroll(weights, walk.tokens)
    truth = unrolled.token_losses(microworld(), walk.tokens)
    live, how = rnn_state.live_numbers(entry, weights, walk, seen, truth)
    with rows.rail:
        hidden = ui.predict_first(rnn_questions.questions(entry, walk, seen))
        rnn_state.controls(entry, entries)
        ui.sliders(live, on_settled=rnn_state.store_slider)
        rnn_state.SETTINGS.draw("rnn_unit")
        with ui.more(rows):
            rnn_state.more_controls(entry)
    with rows.picture:
        beat = guide.beat(rnn_state.LESSON)
        unseen = {*hidden, *(beat.hide if beat else ())}
        facts = rnn_text.walk_facts(walk, seen, entry.model.vocabulary, truth)
        stage_texts = ui.stage_texts(
            rnn_state.LESSON,
            sentences=rnn_text.sentences(facts, unseen),
            formula=rnn_text.formulas(facts, unseen),
            alt=rnn_text.describe(facts),
            kind="measured here",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(
            rnn_picture.UNROLLED, live, how, stage_texts, on_event=rnn_state.store_event
        )
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: rnn_views.step_by_step(entry, walk, live),
            "Loss": lambda: rnn_views.loss(entry, walk, seen, truth),
            "Gradient through time": lambda: rnn_views.gradient(entry, walk),
            "Size": ui.SeparateView(lambda: rnn_views.size(network)),
            "Deep and both ways": lambda: rnn_views.deep(entry, walk),
            "Code": lambda: rnn_views.source(entry, walk),
        },
    )
    ui.examples(rows)


with ui.page("rnn"):
    lab()
