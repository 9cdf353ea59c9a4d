"""Page “Heads”: the attention of every head over a text, and the effect of removing heads."""

from __future__ import annotations

import numpy as np
import streamlit as st

import ui
from lessons.heads import ablation_section, picture, sections, state
from lessons.heads.picture import HeadsSelection
from lessons.heads.state import LESSON, MOST_TOKENS, SETTINGS, HeadsRequest, HeadsResult
from lmcore.attention.heads import Head


@st.fragment
def lab() -> None:
    """Controls above, the grid and the open head below; all weights are in the browser."""
    top = st.container(key="presets")
    SETTINGS.restore()
    models = state.available_models()
    if not models:
        return
    controls(models)
    request = ui.validated_or_previous(
        "heads", lambda: state.read_request(models), lambda: state.default_request(models)
    )
    result = state.read_heads(request)
    trace, first = result.trace, HeadsSelection(Head(0, 0))
    selection = ui.validated_or_previous(
        "heads_at", lambda: state.read_selection(request, trace), lambda: first
    )
    selection = state.fitting_selection(selection, request, trace)
    draw(request, result, selection, models[request.model])
    parts = {
        "Neuron view": lambda: sections.neuron(result.trace, selection),
        "Statistics": lambda: sections.statistics(result.trace, selection),
        "Surgery": lambda: ablation_section.show(request, result, selection),
        "Two texts, two models": lambda: sections.compare(request, result.trace, selection, models),
        "Five steps": lambda: sections.five_steps(request, result.trace, selection),
        "BertViz head view": lambda: sections.bertviz(
            "head", result.trace, selection, models[request.model]
        ),
        "BertViz model view": lambda: sections.bertviz(
            "model", result.trace, selection, models[request.model]
        ),
        "Check yourself": lambda: sections.predict(result.trace, selection),
        "Code": lambda: sections.source(request, result.trace, selection),
        "Slide check": lambda: ui.slide_corrections("heads"),
    }
    ui.sections(parts, key="heads_see")
    with top:
        ui.presets(LESSON)


def controls(models: dict[str, str]) -> None:
    """The text, the text it is compared with, and under "More" a second sentence and the model."""
    left, right, more = st.columns([5, 5, 1], vertical_alignment="bottom")
    with left:
        SETTINGS.draw("heads_text")
    with right:
        SETTINGS.draw("heads_other")
    with more, st.popover("More"):
        SETTINGS.draw("heads_pair")
        if len(models) > 1:
            SETTINGS.draw("heads_model")


def draw(request: HeadsRequest, result: HeadsResult, selection: HeadsSelection, label: str) -> None:
    """The picture, its notice, and what weights do not show."""
    live = ui.LiveNumbers("heads", (), np.empty(0))
    opened = picture.open_head_payload(result.trace, selection, result.picture["of"])
    ui.picture(picture.HEADS, live, result.picture, on_event=state.store_selection)
    ui.picture(picture.OPENED, live, opened)
    st.session_state["heads-at"] = selection
    if result.trace.text.cut:
        st.info(f"The text is longer; only its first {MOST_TOKENS} tokens are shown.")
    plain = {token: ui.escape_markdown(token) for token in result.trace.text.tokens}
    elsewhere = state.weight_in_other_text(request, result.trace, selection)
    ui.notice(*picture.notice(result.trace, selection, plain, elsewhere), kind="measured here")
    st.caption(f"{picture.STANDING_NOTE} Model: {ui.escape_markdown(label)}.")


ui.open_page("heads")
lab()
ui.neighbour_links("heads")
