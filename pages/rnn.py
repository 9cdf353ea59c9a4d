"""Page “RNN”: a recurrent model unrolled, one word at a time, with every number."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.rnn import picture, sections, state
from lmcore.corpora.microworld import microworld
from lmcore.recurrence import unrolled
from lmcore.recurrence.unrolled import RNNMatrices, Unrolled, UnrolledPosition
from ui.models import ModelEntry


@st.fragment
def lab() -> None:
    """Controls left, picture right; steps through time are played in the browser."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    entries = state.available_models()
    with left:
        state.controls(entries)
        entry, walk = ui.validated_or_previous(
            "rnn", lambda: state.read_walk(entries), lambda: state.default_walk(entries)
        )
    network = unrolled.rnn_network(entry.model)
    weights = RNNMatrices.from_network(network)
    seen = unrolled.unroll(weights, walk.tokens)
    live, how = state.slider_numbers(entry, weights, walk, seen)
    with right:
        ui.picture(picture.UNROLLED, live, how, on_event=state.store_event)
        say_what_stands_out(entry, walk, seen)
    parts = {
        "Step by step": lambda: ui.step_table(
            picture.unit_steps(walk, (network.config.embedding, network.config.hidden)),
            live,
            caption=f"Hidden unit {walk.unit}, one operation per row",
        ),
        "Loss": lambda: sections.loss(entry, walk, seen),
        "Gradient through time": lambda: sections.gradient(entry, walk),
        "Size": lambda: sections.size(network),
        "Deep and both ways": lambda: sections.deep(entry, walk),
        "Check yourself": lambda: sections.predict(entry, walk, seen),
        "Code": lambda: sections.source(entry, walk),
        "Slide check": lambda: ui.slide_corrections("rnn"),
    }
    ui.sections(parts, key="rnn_see")
    with top:
        ui.presets(state.LESSON)


def say_what_stands_out(entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled) -> None:
    """Draw the notice on the highest loss, and the description of the model."""
    found = unrolled.summarize_losses(seen.losses[:-1])
    spelled = entry.model.vocabulary.decode(walk.tokens)
    ui.notice(
        *picture.notice(spelled, found, unrolled.token_losses(microworld(), walk.tokens)),
        kind="measured here",
    )
    st.caption(f"{entry.label}: a small model, trained on the microworld, one layer, g = tanh.")


ui.open_page("rnn")
lab()
ui.neighbour_links("rnn")
