"""Page “Attention”: one query meets every key, and leaves as a mixture of the values."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.attention import flow, sections, state
from lessons.attention.state import SETTINGS
from lmcore.attention import step_table
from ui import pretrained

TABLE = "Step by step"
EDIT = "Words and numbers"


@st.fragment
def lab() -> None:
    """Everything that changes while a query is followed."""
    rows = ui.rows(state.LESSON)
    SETTINGS.restore()
    with rows.errors:
        models = pretrained.known_models(report=True)
        current = ui.validated_or_previous(
            "attention",
            lambda: state.read_state(st.session_state),
            lambda: state.read_state(SETTINGS.defaults),
        )
    inputs, config, view, code, notes = current
    table = step_table.compute_step_table(inputs, config)
    favoured = flow.pair(table, view.query)
    whole = st.session_state.get("see", st.query_params.get("see")) == TABLE
    live = state.slider_numbers(current, table, favoured, whole=whole)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(current, table, favoured))
        ui.sliders(live, on_settled=state.store_slider)
        SETTINGS.draw("attention_scale", "attention_mask", "attention_from")
        with st.container(key="notes"):
            for sentence in notes:
                st.caption(sentence)
        with ui.more(rows):
            state.more_controls(models)
    with rows.picture:
        sections.draw_flow(current, table, favoured, live, hidden)
    ui.look_closer(
        rows,
        {
            TABLE: lambda: sections.step_by_step(current, table, live),
            EDIT: sections.edit,
            "Saturation": lambda: sections.saturation_view(inputs, config, table, view.query),
            "Similarities": lambda: sections.similarities(inputs, config, view.query),
            "Slide code": ui.Apart(sections.slide_code),
            "Code": lambda: sections.source(inputs, config, table, view.query, code),
        },
        lacks={EDIT: state.why_no_matrices()},
    )
    ui.examples(rows)


with ui.page("attention"):
    lab()
