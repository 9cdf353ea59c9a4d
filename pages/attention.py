"""Page “Attention”: the step table of one head, with every stage and every number."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.attention import sections, state
from lessons.attention import text as words
from lessons.attention.state import LESSON, SETTINGS
from lmcore.attention import step_table
from ui import pretrained


@st.fragment
def lab() -> None:
    """Controls above, the table below; the browser shows the numbers while a slider moves."""
    top = st.container(key="presets")
    SETTINGS.restore()
    models = pretrained.known_models(report=True)
    controls(models)
    current = ui.validated_or_previous(
        "attention",
        lambda: state.read_state(st.session_state),
        lambda: state.read_state(SETTINGS.defaults),
    )
    inputs, config, view, code, notes = current
    for sentence in notes:
        st.caption(sentence)
    table = step_table.compute_step_table(inputs, config)
    live = state.slider_numbers(current, table)
    ui.sliders(live, on_settled=state.store_slider)
    st.caption(words.d_k_words(inputs, config))
    sections.lay_out(current, table, live)
    fields = st.expander(
        "Edit the words and the numbers", key="attention_edit", bind="query-params"
    )
    if fields.open:
        with fields:
            sections.edit()
    parts = {
        "Step by step": lambda: ui.step_table(
            words.steps(inputs, config, view),
            live,
            caption=f"Query {view.query}, one operation per row",
        ),
        "Saturation": lambda: sections.saturation_view(inputs, config, table, view.query),
        "Similarities": lambda: sections.similarities(inputs, config, view.query),
        "Slide code": sections.slide_code,
        "Check yourself": lambda: sections.predict(inputs, config, table, view.query),
        "Code": lambda: sections.source(inputs, config, table, view.query, code),
        "Slide check": lambda: ui.slide_corrections("attention"),
    }
    ui.sections(parts, key="attention_see")
    with top:
        ui.presets(LESSON)


def controls(models: dict[str, str]) -> None:
    """Draw the controls: source of Q, K and V, view, mask and scale."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        SETTINGS.draw("attention_from", "attention_mode", "attention_mask", "attention_scale")
    if SETTINGS.text("attention_from") != "model":
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        SETTINGS.draw("attention_text", "attention_layer", "attention_head")
        if len(models) > 1:
            SETTINGS.draw("attention_model")


ui.open_page("attention")
lab()
ui.neighbour_links("attention")
