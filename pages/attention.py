"""Page “Attention”: one query meets every key, and leaves as a mixture of the values."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.attention import attention_questions, attention_state, attention_views, flow_picture
from lessons.attention.attention_state import SETTINGS
from lmcore.attention import step_table
from ui import pretrained

TABLE = "Step by step"
EDIT = "Words and numbers"


@st.fragment
def lab() -> None:
    """Everything that changes while a query is followed."""
    rows = ui.rows(attention_state.LESSON)
    SETTINGS.restore()
    with rows.errors:
        models = pretrained.known_models(report=True)
        current = ui.validated_or_previous(
            "attention",
            lambda: attention_state.read_state(st.session_state),
            lambda: attention_state.read_state(SETTINGS.defaults),
        )
    inputs, config, view, code, notes = current
    table = step_table.compute_step_table(inputs, config)
    favoured = flow_picture.pair(table, view.query)
    whole = st.session_state.get("see", st.query_params.get("see")) == TABLE
    live = attention_state.slider_numbers(current, table, favoured, whole=whole)
    with rows.rail:
        hidden = ui.predict_first(attention_questions.questions(current, table, favoured))
        ui.sliders(live, on_settled=attention_state.store_slider)
        SETTINGS.draw("attention_scale", "attention_mask", "attention_from")
        with st.container(key="notes"):
            for sentence in notes:
                st.caption(sentence)
        with ui.more(rows):
            attention_state.more_controls(models)
    with rows.picture:
        attention_views.draw_flow(current, table, favoured, live, hidden)
    ui.look_closer(
        rows,
        {
            TABLE: lambda: attention_views.step_by_step(current, table, live),
            EDIT: attention_views.edit,
            "Saturation": lambda: attention_views.saturation_view(
                inputs, config, table, view.query
            ),
            "Similarities": lambda: attention_views.similarities(inputs, config, view.query),
            "Slide code": ui.SeparateView(attention_views.slide_code),
            "Code": lambda: attention_views.source(inputs, config, table, view.query, code),
        },
        lacks={EDIT: attention_state.why_no_matrices()},
    )
    ui.examples(rows)


with ui.page("attention"):
    lab()
