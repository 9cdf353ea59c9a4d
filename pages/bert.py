"""Masked words and BERT: fill in, play, pair, pre-train, and compare who sees what."""

from __future__ import annotations

import streamlit as st

import ui
from ui import bert_views, cloze_game, nsp_views, pretraining, reader_views, settings

LESSON = ui.lesson("bert")
TABS = {
    "fill": "Fill in",
    "game": "Cloze game",
    "pairs": "Next sentence",
    "pretrain": "Pre-train",
    "readers": "DNN, RNN, BiRNN",
}
DRAW = {
    "fill": bert_views.tab,
    "game": cloze_game.tab,
    "pairs": nsp_views.tab,
    "pretrain": pretraining.tab,
    "readers": reader_views.tab,
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
