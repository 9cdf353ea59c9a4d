"""Masked words and BERT: fill in, play, pair, pre-train, and compare who sees what."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.bert import (
    fill_in_section,
    game_section,
    pairs_section,
    pretraining_section,
    readers_section,
)
from ui import settings

LESSON = ui.lesson("bert")
TABS = {
    "fill": "Fill in",
    "game": "Cloze game",
    "pairs": "Next sentence",
    "pretrain": "Pre-train",
    "readers": "DNN, RNN, BiRNN",
}
DRAW = {
    "fill": fill_in_section.tab,
    "game": game_section.tab,
    "pairs": pairs_section.tab,
    "pretrain": pretraining_section.tab,
    "readers": readers_section.tab,
}
DRAWN = ("fill_see", "pairs_see", "pretrain_see", "readers_see")
TYPED = ("fill_text", "pairs_first", "pairs_second", "readers_text")
TOO_LONG = 600  # characters: what is typed is also part of the address


@st.fragment
def lab() -> None:
    """One of five tabs."""
    ui.expect("bert_tab", tuple(TABS))
    remember()
    settings.parted("bert_tab", "Part of the page", TABS)
    DRAW[settings.among("bert_tab", TABS)](LESSON)


def remember() -> None:
    """Every setting that no widget of its own keeps; a text far too long is cut, and it is said."""
    kept = {name: value for name, value in LESSON.looks.items() if name not in DRAWN}
    settings.keep({**LESSON.defaults, **kept, "pretrain_runs": ""})
    for name in TYPED:
        if (length := len(st.session_state[name])) > TOO_LONG:
            ui.put({name: st.session_state[name][:TOO_LONG]})
            ui.remembered(name, LESSON.defaults[name])
            st.warning(f"Of {length:,} characters the first {TOO_LONG} are kept.")


ui.page("bert")
lab()
ui.neighbours("bert")
