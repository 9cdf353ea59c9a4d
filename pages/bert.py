"""Page “BERT”: fill in masked words, play, classify pairs, pre-train, compare architectures."""

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
from lessons.bert.state import LESSON, SETTINGS

DRAW = {
    "fill": fill_in_section.tab,
    "game": game_section.tab,
    "pairs": pairs_section.tab,
    "pretrain": pretraining_section.tab,
    "readers": readers_section.tab,
}


@st.fragment
def lab() -> None:
    """The tab bar, and the chosen one of five tabs."""
    SETTINGS.keep()
    SETTINGS.draw("bert_tab")
    DRAW[SETTINGS.choice("bert_tab")](LESSON)


ui.open_page("bert")
lab()
ui.neighbour_links("bert")
