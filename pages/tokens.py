"""Page “Tokens”: how a subword vocabulary is learned and used, and the input of BERT."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.tokens import sections, state
from lessons.tokens import text as words
from lessons.tokens.state import LESSON, SETTINGS


@st.fragment
def lab() -> None:
    """Controls left, the pieces right; the browser holds the pieces after every merge."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # errors are shown beside the controls, not below them
        SETTINGS.restore()
        scene = ui.validated_or_previous("tokens", state.read_state, state.default_state)
    with left:
        controls()
        live = sections.slider_numbers(scene)
        ui.sliders(live, on_settled=sections.store_slider)
        sections.limits(scene)
    with right:
        sections.merge_picture(scene, live)
    parts = {
        "Step by step": lambda: sections.step_by_step(scene, live),
        "Longest match": lambda: sections.longest_match(scene),
        "Pair to ids": lambda: sections.pack(scene),
        "Input of BERT": sections.encoder_input,
        "Fewest pieces?": lambda: sections.compare(scene),
        "Check yourself": lambda: sections.predict(scene),
        "Code": lambda: sections.source(scene),
        "Slide check": lambda: ui.slide_corrections("tokens"),
    }
    ui.sections(parts, key="tokens_see")
    with top:
        ui.presets(LESSON)


def controls() -> None:
    """The training text, the rule that picks the pieces, and the sentence to split."""
    SETTINGS.draw("tokens_text")
    if SETTINGS.text("tokens_text") == "own":
        sections.own_text_field()
    SETTINGS.draw("tokens_rule")
    st.caption(words.RULE_WORDS[SETTINGS.choice("tokens_rule")])
    SETTINGS.draw("tokens_sentence", "tokens_types")


ui.open_page("tokens")
lab()
ui.neighbour_links("tokens")
