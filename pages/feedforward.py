"""The feedforward language model: three words through five steps to the next one."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.feedforward import picture, sections, state
from lessons.feedforward.picture import LETTERS
from lmcore.embeddings import drift, pipeline
from ui import settings
from ui.models import ModelEntry


@st.fragment
def lab() -> None:
    """Text above, pipeline below; only this reruns while the text is explored."""
    top = st.container(key="presets")
    opens = {**state.LESSON.defaults, **state.LESSON.looks}
    settings.keep_in_address({name: value for name, value in opens.items() if name != "ff_view"})
    entries = state.available_models()
    check_the_address(entries)
    state.controls(entries)
    text, name, model, trace = ui.validated_or_previous(
        "feedforward",
        lambda: state.read_state(entries),
        lambda: state.pipeline_state(
            str(state.LESSON.defaults["ff_text"]), "shipped", entries["shipped"]
        ),
    )
    at = state.read_place(trace)
    letters = LETTERS[settings.allowed_value("letters", state.DECKS)]
    how = picture.pipeline_picture(model, trace, letters) | {"at": at}
    ui.picture(
        "pipeline",
        state.NO_LIVE_NUMBERS,
        how,
        on_told=lambda to: ui.set_controls({"ff_at": str(to)}),
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
        "The slide says": lambda: ui.slide_corrections("feedforward"),
    }
    ui.sections(parts, key="ff_view")
    with top:
        ui.presets(state.LESSON)


def check_the_address(entries: dict[str, ModelEntry]) -> None:
    """Report each value in the address that its control does not have."""
    ui.check_address_value("ff_model", tuple(entries))
    state.check_address_integer("ff_at", -1, pipeline.MAX_TOKENS - 1)
    ui.check_address_value("letters", state.DECKS)
    ui.check_address_value("drift_word", picture.WORDS)
    state.check_address_integer("drift_at", 0, len(drift.load_recorded("learnt").steps) - 1)


ui.open_page("feedforward")
lab()
ui.neighbour_links("feedforward")
