"""The view “Back through the chain”: one loss, its gradient at every state, and the cut."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from drawing.events import Moved
from lessons.rnn import back_picture, back_text, rnn_state, rnn_views
from lessons.rnn.back_picture import BACK, Back
from lessons.rnn.rnn_questions import back_questions
from lmcore import parsing
from lmcore.recurrence.unrolled import UnrolledPosition
from ui import compute
from ui.models import ModelEntry

NAME = "Back through the chain"
SETTING = {"cut": "rnn_cut", "t": "rnn_step"}
"""The setting of each slider."""


def show(
    rows: ui.Rows, entry: ModelEntry, entries: dict[str, ModelEntry], walk: UnrolledPosition
) -> None:
    """Draw the chain with its gradient on the stage, and the loss and the cut beside it."""
    found = _read(entry, walk)
    count = found.losses
    t = min(walk.step, count)
    live = back_picture.numbers(found, t, min(st.session_state["rnn_cut-good"], count))
    with rows.rail:
        hidden = ui.predict_first(back_questions(found, live))
        ui.sliders(live, on_settled=partial(_store, count))
        rnn_state.controls(entry, entries)
        with ui.more(rows):
            st.caption(back_text.READING)
    with rows.picture:
        texts = ui.stage_texts(
            rnn_state.LESSON,
            sentences=back_text.sentences(found),
            formula=[back_text.FORMULA],
            alt=back_text.describe(found),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(BACK, live, back_picture.picture(found), texts)


def missing(walk: UnrolledPosition) -> str:
    """Why the view cannot be shown; empty if it can."""
    return "" if len(walk.tokens) > 1 else "the text must have a word, which the loss asks for"


def _read(entry: ModelEntry, walk: UnrolledPosition) -> Back:
    back = partial(rnn_views.gradient_norms, entry.model, tuple(walk.tokens))
    norms = compute.shared_result("through time", back, most=64, says="Back through time")
    return Back(tuple(entry.model.vocabulary.decode(walk.tokens)), norms)


def _store(most: int, moved: Moved) -> None:
    """Store the cut or the loss to which a slider was moved, or the number typed beside it."""
    try:
        value = parsing.parse_integer(moved["typed"], moved["name"])
        if not 1 <= value <= most:
            raise ValueError(f"{moved['name']} must be from 1 to {most}; got {value}")
        ui.set_controls({SETTING[moved["name"]]: str(value)})
    except ValueError as error:
        ui.show_error_later(error)
