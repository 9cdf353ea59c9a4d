"""Page “Attention”: one query meets every key, and leaves as a mixture of the values."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.attention import (
    attention_state,
    attention_views,
    class_faults_view,
    flow_view,
    matrices_view,
    rulers_view,
)
from lessons.attention.attention_state import SETTINGS
from lmcore.attention import step_table
from ui import pretrained

MATRICES = "Matrices"
FOUR_SCORES = "Four scores"
TABLE = flow_view.TABLE
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
    inputs, config, view, code, _ = current
    table = step_table.compute_step_table(inputs, config)
    no_matrices = matrices_view.lacks(inputs)
    live = flow_view.numbers(current, table)
    if attention_state.seen() == MATRICES and not no_matrices:
        matrices_view.show(rows, current, table)
    elif attention_state.seen() == FOUR_SCORES:
        rulers_view.show(rows, current)
    elif attention_state.seen() == class_faults_view.NAME:
        class_faults_view.show(rows)
    else:
        flow_view.show(rows, current, table, live, models)
    ui.look_closer(
        rows,
        {
            MATRICES: None,
            FOUR_SCORES: None,
            TABLE: lambda: attention_views.step_by_step(current, table, live),
            EDIT: attention_views.edit,
            "Saturation": lambda: attention_views.saturation_view(
                inputs, config, table, view.query
            ),
            "Similarities": lambda: attention_views.similarities(inputs, config, view.query),
            class_faults_view.NAME: None,
            "Slide code": ui.SeparateView(attention_views.slide_code),
            "Code": lambda: attention_views.source(inputs, config, table, view.query, code),
        },
        lacks={EDIT: attention_state.why_no_matrices(), MATRICES: no_matrices},
    )
    ui.examples(rows)


with ui.page("attention"):
    lab()
