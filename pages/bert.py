"""Page “BERT”: a gap read from both sides, pairs of texts, a game, five readers, training."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.bert import (
    fill_in_section,
    game_section,
    pairs_section,
    pretraining_section,
    readers_section,
    state,
)
from lessons.bert.fill_in_section import Parts
from lessons.bert.state import LESSON, LOOKS, PICTURE, SETTINGS


@st.fragment
def lab() -> None:
    """Everything that changes while a gap is moved, read and filled."""
    rows = ui.rows(LESSON)
    with rows.errors:
        asked = set(st.query_params)
        SETTINGS.restore()
        state.open_on_words(asked)
    look, see = state.open_look()
    parts = show(rows, look, see)
    ui.examples(rows)
    others = {name: None for name in LOOKS if name not in (PICTURE, *parts)}
    ui.look_closer(rows, {**others, **parts})


def show(rows: ui.Rows, look: str, see: str) -> Parts:
    """Draw the picture that is open, with its controls; returns its closer looks."""
    match look:
        case state.PAIRS:
            return pairs_section.show(rows)
        case state.GAME:
            return game_section.show(rows)
        case state.READERS:
            return readers_section.show(rows)
        case state.TRAIN:
            return pretraining_section.show(rows, see)
        case _:
            return fill_in_section.show(rows)


with ui.page("bert"):
    lab()
