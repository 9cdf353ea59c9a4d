"""The picture of all matrices: the row of one word from X to Q, K and V, and from these to Z."""

from __future__ import annotations

from typing import cast

import streamlit as st

import ui
from drawing.events import Moved
from lessons.attention import (
    attention_questions,
    flow_picture,
    matrices_picture,
    matrices_text,
)
from lessons.attention.attention_state import LESSON, SETTINGS, AttentionState
from lessons.attention.matrices_picture import MatrixStage
from lmcore import parsing
from lmcore.attention.matrices import format_matrix
from lmcore.attention.step_table import AttentionInputs, StepTable
from ui.widgets import set_controls


def lacks(inputs: AttentionInputs) -> str:
    """Why the picture cannot be drawn now; empty if it can."""
    return matrices_picture.too_large(inputs)


def show(rows: ui.Rows, current: AttentionState, table: StepTable) -> None:
    """Draw the matrices on the stage, and their controls in the rail."""
    inputs, config, view, *_ = current
    stage = stage_of(current)
    favoured = flow_picture.pair(table, view.query)
    live = matrices_picture.live_numbers(inputs, config, view)
    weights = table.weights[view.query - 1].tolist()
    with rows.rail:
        asked = attention_questions.matrix_questions(current, table, favoured, stage)
        hidden = ui.predict_first(asked)
        if matrices_picture.moves(inputs):
            SETTINGS.draw("attention_stage")
            ui.sliders(live, on_settled=store_number)
        SETTINGS.draw("attention_scale", "attention_mask")
        with ui.more(rows):
            SETTINGS.draw("attention_from", "attention_words")
            if config.mask == "padding":
                SETTINGS.draw("attention_hidden")
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[matrices_text.sentence(inputs, view, favoured, stage, ui.quoted)],
            moved=matrices_text.moved(inputs, view, favoured, stage, ui.quoted),
            formula=[matrices_text.formula(inputs, config, view, weights, stage)],
            alt=matrices_text.describe(inputs, view, stage),
            hidden=hidden,
        )
        how = matrices_picture.picture(inputs, config, view, favoured, stage)
        ui.main_picture(matrices_picture.MATRICES, live, how, texts, on_event=follow)


def stage_of(current: AttentionState) -> MatrixStage:
    """The half of the way that is drawn: the first one needs an X."""
    chosen = cast(MatrixStage, SETTINGS.choice("attention_stage"))
    return chosen if matrices_picture.moves(current.inputs) else "z"


def store_number(moved: Moved) -> None:
    """Store the released number of X."""
    current: AttentionState = st.session_state["attention-good"]
    try:
        value = parsing.parse_number(moved["typed"], "a number of X")
    except ValueError as error:
        ui.show_error_later(error)
        return
    inputs = current.inputs.inputs
    if inputs is None:
        raise LookupError("there is no X whose number could be moved")
    row, column = (int(place) - 1 for place in moved["name"].removeprefix("x").split("."))
    changed = inputs.clone()
    changed[row, column] = value
    set_controls({"attention_X": format_matrix(changed)})


def follow(event: matrices_picture.Followed) -> None:
    """Light the row of another word."""
    set_controls({"attention_query": str(event["query"])})
