"""Page “Feedforward”: a feedforward language model's five steps from three words to the next."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.feedforward import picture, sections, state
from lessons.feedforward.picture import LETTERS


@st.fragment
def lab() -> None:
    """Text above, pipeline below; only this reruns while the text is explored."""
    top = st.container(key="presets")
    state.SETTINGS.restore()
    entries = state.available_models()
    state.controls(entries)
    text, name, model, trace = ui.validated_or_previous(
        "feedforward",
        lambda: state.read_state(entries),
        lambda: state.pipeline_state(
            str(state.LESSON.defaults["ff_text"]), "shipped", entries["shipped"]
        ),
    )
    at = state.read_place(trace)
    letters = LETTERS[state.SETTINGS.choice("letters")]
    how: picture.PipelinePayload = {**picture.pipeline_picture(model, trace, letters), "at": at}
    ui.picture(
        picture.PIPELINE,
        state.NO_LIVE_NUMBERS,
        how,
        on_event=lambda to: ui.set_controls({"ff_at": str(to)}),
    )
    ui.notice(*picture.notice(model, trace, at))
    parts = {
        "Step by step": lambda: sections.step_by_step(model, trace, at),
        "Embeddings drifting": sections.embedding_drift,
        "Freeze E": sections.freeze,
        "Against n-grams": sections.against_ngrams,
        "Two benefits": lambda: sections.two_benefits(model, trace, at),
        "Check yourself": lambda: sections.predict(model, trace, at),
        "Code": lambda: sections.source(text, name, at),
        "Slide check": lambda: ui.slide_corrections("feedforward"),
    }
    ui.sections(parts, key="ff_view")
    with top:
        ui.presets(state.LESSON)


ui.open_page("feedforward")
lab()
ui.neighbour_links("feedforward")
