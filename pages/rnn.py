"""Page “RNN”: a recurrent model unrolled, one word at a time, with every number."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.rnn import picture, sections, state, texts
from lmcore.corpora.microworld import microworld
from lmcore.recurrence import unrolled
from lmcore.recurrence.unrolled import RNNMatrices
from ui import guide


@st.fragment
def lab() -> None:
    """Everything that changes while the text is read; steps are played in the browser."""
    rows = ui.rows(state.LESSON)
    state.SETTINGS.restore()
    entries = state.available_models()
    with rows.errors:
        ui.validated_or_previous("rnn_cut", state.read_reach, lambda: 1)
        entry, walk = ui.validated_or_previous(
            "rnn", lambda: state.read_walk(entries), lambda: state.default_walk(entries)
        )
    network = unrolled.rnn_network(entry.model)
    weights = RNNMatrices.from_network(network)
    seen = unrolled.unroll(weights, walk.tokens)
    truth = unrolled.token_losses(microworld(), walk.tokens)
    live, how = state.live_numbers(entry, weights, walk, seen, truth)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(entry, walk, seen))
        state.controls(entry, entries)
        ui.sliders(live, on_settled=state.store_slider)
        state.SETTINGS.draw("rnn_unit")
        with ui.more(rows):
            state.more_controls(entry)
    with rows.picture:
        beat = guide.beat(state.LESSON)
        unseen = {*hidden, *(beat.hide if beat else ())}
        facts = texts.walk_facts(walk, seen, entry.model.vocabulary, truth)
        stage_texts = ui.stage_texts(
            state.LESSON,
            sentences=texts.sentences(facts, unseen),
            formula=texts.formulas(facts, unseen),
            alt=texts.describe(facts),
            kind="measured here",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(picture.UNROLLED, live, how, stage_texts, on_event=state.store_event)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(entry, walk, live),
            "Loss": lambda: sections.loss(entry, walk, seen, truth),
            "Gradient through time": lambda: sections.gradient(entry, walk),
            "Size": ui.Apart(lambda: sections.size(network)),
            "Deep and both ways": lambda: sections.deep(entry, walk),
            "Code": lambda: sections.source(entry, walk),
        },
    )
    ui.examples(rows)


with ui.page("rnn"):
    lab()
