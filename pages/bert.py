"""Page “BERT”: a gap read from both sides, pairs of texts, a game, five readers, training."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.bert import (
    bert_state,
    fill_in_view,
    game_view,
    judged_view,
    masked_loss_view,
    pair_head_view,
    pairs_view,
    pretraining_view,
    readers_view,
    sides_view,
)
from lessons.bert.bert_state import LESSON, LOOKS, PICTURE, SETTINGS
from lessons.bert.fill_in_view import Parts
from lessons.bert.limits import reordered_view


@st.fragment
def lab() -> None:
    """Everything that changes while a gap is moved, read and filled."""
    rows = ui.rows(LESSON)
    with rows.errors:
        asked = set(st.query_params)
        SETTINGS.restore()
        bert_state.open_on_words(asked)
    look, see = bert_state.open_look()
    parts = show(rows, look, see)
    ui.examples(rows)
    others = {name: None for name in LOOKS if name not in (PICTURE, *parts)}
    ui.look_closer(rows, {**others, **parts})


def show(rows: ui.Rows, look: str, see: str) -> Parts:
    """Draw the picture that is open, with its controls; returns its closer looks."""
    match look:
        case bert_state.SIDES:
            return sides_view.show(rows)
        case bert_state.LOSS:
            return masked_loss_view.show(rows)
        case bert_state.PAIRS:
            return pairs_view.show(rows)
        case bert_state.PAIR_HEAD:
            return pair_head_view.show(rows)
        case bert_state.JUDGED:
            return judged_view.show(rows)
        case bert_state.GAME:
            return game_view.show(rows)
        case bert_state.READERS:
            return readers_view.show(rows)
        case bert_state.ORDER:
            return reordered_view.show(rows)
        case bert_state.TRAIN:
            return pretraining_view.show(rows, see)
        case _:
            return fill_in_view.show(rows)


with ui.page("bert"):
    lab()
