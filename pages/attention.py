"""The step table: one head of attention, every stage and every number of it in view."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.attention import picture, sections, state
from lessons.attention import text as words
from lessons.attention.state import LESSON
from lmcore.attention import step_table
from lmcore.attention.step_table import MASKS
from ui import settings


@st.fragment
def lab() -> None:
    """Controls above, the table below; the browser shows the numbers while a slider moves."""
    top = st.container(key="presets")
    opens = {**LESSON.defaults, **LESSON.looks}
    settings.keep_in_address(
        {name: value for name, value in opens.items() if name != "attention_see"}
    )
    models = state.available_models()
    check_the_address(models)
    controls(models)
    current = ui.validated_or_previous(
        "attention", lambda: state.read_state(st.session_state), lambda: state.read_state(opens)
    )
    inputs, config, view, code, notes = current
    for sentence in notes:
        st.caption(sentence)
    table = step_table.compute_step_table(inputs, config)
    live = state.slider_numbers(current, table)
    ui.sliders(live, on_settled=state.store_slider)
    st.caption(words.d_k_words(inputs, config))
    sections.lay_out(current, table, live)
    with st.expander("Edit the words and the numbers", key="attention_edit", bind="query-params"):
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
        "The slide says": lambda: ui.slide_corrections("attention"),
    }
    ui.sections(parts, key="attention_see")
    with top:
        ui.presets(LESSON)


def check_the_address(models: dict[str, str]) -> None:
    """Report every address value that its control does not have."""
    ui.check_address_value("attention_from", tuple(state.SOURCES))
    ui.check_address_value("attention_model", ("", *models))
    ui.check_address_value("attention_mode", tuple(picture.MODES))
    ui.check_address_value("attention_mask", tuple(MASKS))
    ui.check_address_value("attention_scale", ("true", "false"))
    ui.check_address_value("attention_soft", ("true", "false"))


def controls(models: dict[str, str]) -> None:
    """Where Q, K and V come from, what is shown, the mask and the scale."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        settings.pills("attention_from", "Q, K and V from", state.SOURCES)
        settings.pills("attention_mode", "Show", picture.MODES)
        settings.pills("attention_mask", "Mask", MASKS)
        settings.toggle("attention_scale", "Divide by √d_k")
    if st.session_state["attention_from"] != "model":
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        settings.text_field("attention_text", "Text", "Its tokens are the rows of the table")
        settings.text_field(
            "attention_layer", "Layer, from 0", "Later layers look less at neighbours"
        )
        settings.text_field("attention_head", "Head, from 0", "Each head looks elsewhere")
        if len(models) > 1:
            settings.pills("attention_model", "Model", models)


ui.open_page("attention")
lab()
ui.neighbour_links("attention")
