"""The main picture of the page, and beside it the controls: the way of one query."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.attention import (
    attention_questions,
    attention_state,
    flow_picture,
    flow_text,
)
from lessons.attention.attention_state import SETTINGS, AttentionState
from lmcore.attention.step_table import StepTable

TABLE = "Step by step"
"""The view of every number."""


def numbers(current: AttentionState, table: StepTable) -> ui.LiveNumbers:
    """The numbers of the picture, and while the table is open, of that too."""
    favoured = flow_picture.pair(table, current.view.query)
    whole = attention_state.seen() == TABLE
    return attention_state.slider_numbers(current, table, favoured, whole=whole)


def show(
    rows: ui.Rows,
    current: AttentionState,
    table: StepTable,
    live: ui.LiveNumbers,
    models: dict[str, str],
) -> None:
    """Draw the chosen query, its weights and its output on the stage."""
    inputs, config, view, _, notes = current
    favoured = flow_picture.pair(table, view.query)
    with rows.rail:
        hidden = ui.predict_first(attention_questions.questions(current, table, favoured))
        ui.sliders(live, on_settled=attention_state.store_slider)
        SETTINGS.draw("attention_scale", "attention_mask", "attention_from")
        with st.container(key="notes"):
            for sentence in notes:
                st.caption(sentence)
        with ui.more(rows):
            attention_state.more_controls(models)
    measured = inputs.projections is not None and inputs.projections.biases is not None
    with rows.picture:
        texts = ui.stage_texts(
            attention_state.LESSON,
            sentences=[flow_text.sentence(inputs, config, table, view, favoured, ui.quoted)],
            moved=flow_text.moved(inputs, view, favoured, ui.quoted),
            formula=[flow_text.formula(inputs, config, table, view, favoured)],
            alt=flow_text.describe(inputs, config, view),
            kind="measured here" if measured else "computed",
            hidden=hidden,
        )
        how = flow_picture.picture(inputs, config, view, favoured)
        ui.main_picture(flow_picture.FLOW, live, how, texts, on_event=attention_state.open_cell)
