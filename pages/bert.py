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
VIEW_SETTINGS = ("fill_see", "pairs_see", "pretrain_see", "readers_see")
TEXT_SETTINGS = ("fill_text", "pairs_first", "pairs_second", "readers_text")
MOST_TYPED = 600  # characters: what is typed is also part of the address


@st.fragment
def lab() -> None:
    """The tab bar, and the chosen one of five tabs."""
    ui.check_address_value("bert_tab", tuple(TABS))
    keep_settings()
    settings.tab_bar("bert_tab", "Part of the page", TABS)
    DRAW[settings.allowed_value("bert_tab", TABS)](LESSON)


def keep_settings() -> None:
    """Remember the settings without a bound widget; an overlong text is cut, with a warning."""
    kept = {name: value for name, value in LESSON.looks.items() if name not in VIEW_SETTINGS}
    settings.keep_in_address({**LESSON.defaults, **kept, "pretrain_runs": ""})
    for name in TEXT_SETTINGS:
        if (length := len(st.session_state[name])) > MOST_TYPED:
            ui.set_controls({name: st.session_state[name][:MOST_TYPED]})
            ui.address_value(name, LESSON.defaults[name])
            st.warning(f"Of {length:,} characters the first {MOST_TYPED} are kept.")


ui.open_page("bert")
lab()
ui.neighbour_links("bert")
