"""Every attention head of a model over a text: what each looks at, and what is lost without it."""

from __future__ import annotations

import numpy as np
import streamlit as st

import ui
from lessons.heads import ablation_section, picture, sections, state
from lessons.heads.picture import HeadsSelection
from lessons.heads.state import LESSON, MOST_TOKENS, HeadsRequest, HeadsResult
from lmcore.attention import ablation
from lmcore.attention.heads import Head
from ui import settings


@st.fragment
def lab() -> None:
    """Controls above, the grid and the open head below; all weights are in the browser."""
    top = st.container(key="presets")
    kept = {**LESSON.defaults, **LESSON.looks}
    settings.keep_in_address({name: value for name, value in kept.items() if name != "heads_see"})
    models = state.available_models()
    if not models:
        return
    check_the_address(models)
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
        "The slide says": lambda: ui.slide_corrections("heads"),
    }
    ui.sections(parts, key="heads_see")
    with top:
        ui.presets(LESSON)


def check_the_address(models: dict[str, str]) -> None:
    """Report every address value that its control does not have."""
    ui.check_address_value("heads_model", ("", *models))
    ui.check_address_value("heads_other_model", ("", *models))
    ui.check_address_value("heads_between", state.SIDES)
    ui.check_address_value("heads_threshold", (0.0, 1.0))
    ui.check_address_value("heads_find", tuple(picture.PATTERNS))
    ui.check_address_value("heads_cut", ablation.ABLATION_KINDS)
    for name in state.SWITCHES:
        ui.check_address_value(name, ("true", "false"))


def controls(models: dict[str, str]) -> None:
    """The text, the text it is compared with, and under "More" a second sentence and the model."""
    left, right, more = st.columns([5, 5, 1], vertical_alignment="bottom")
    with left:
        settings.text_field("heads_text", "Text", "Press Enter, and every head reads it")
    with right:
        settings.text_field(
            "heads_other",
            "Another text, to compare with",
            "Change one word: where do the weights change?",
        )
    with more, st.popover("More"):
        settings.text_field(
            "heads_pair",
            "A sentence B after the text, for an encoder that reads pairs",
            "Above the picture you can then choose which sentence looks at which",
        )
        if len(models) > 1:
            settings.pills("heads_model", "Model", models)


def draw(request: HeadsRequest, result: HeadsResult, selection: HeadsSelection, label: str) -> None:
    """The picture, its notice, and what weights do not show."""
    live = ui.LiveNumbers("heads", (), np.empty(0))
    weights_id = str(result.picture["of"])
    ui.picture("heads", live, result.picture, on_told=state.store_selection)
    ui.picture("opened", live, picture.open_head_payload(result.trace, selection, weights_id))
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
