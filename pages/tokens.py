"""Tokens and input: how a vocabulary of pieces is learnt and used, and what enters BERT."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.tokens import sections, state
from lessons.tokens import text as words
from lessons.tokens.state import TokensState
from lmcore.tokenization import rules, texts
from ui import settings

LESSON = ui.lesson("tokens")


@st.fragment
def lab() -> None:
    """Controls left, the pieces right; the browser holds the pieces after every merge."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # errors are shown beside the controls, not below them
        check_the_address()
        kept = {name: value for name, value in LESSON.looks.items() if name != "tokens_see"}
        state.keep_settings({**LESSON.defaults, **kept})
        scene = ui.validated_or_previous("tokens", state.read_state, default_state)
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
        "The slide says": lambda: ui.slide_corrections("tokens"),
    }
    ui.sections(parts, key="tokens_see")
    with top:
        ui.presets(LESSON)


def check_the_address() -> None:
    """Show an error for every choice in the address that does not exist."""
    ui.check_address_value("tokens_text", tuple(texts.LABELS))
    ui.check_address_value("tokens_rule", tuple(rules.MERGE_RULES))


def default_state() -> TokensState:
    """The state that the page opens with."""
    return state.default_state(LESSON.defaults)


def controls() -> None:
    """The training text, the rule that picks the pieces, and the sentence to split."""
    settings.pills("tokens_text", "Learn from", texts.LABELS)
    if st.session_state["tokens_text"] == "own":
        sections.own_text_field()
    labels = {name: rule.label for name, rule in rules.MERGE_RULES.items()}
    settings.pills("tokens_rule", "Learn pieces by", labels)
    st.caption(words.RULE_WORDS[settings.allowed_value("tokens_rule", rules.MERGE_RULES)])
    settings.text_field(
        "tokens_sentence", "Sentence to split", "Try words that do not occur in the text"
    )
    settings.text_field(
        "tokens_types",
        "Vocabulary |V|, at most",
        "The largest number of types, with special tokens and single letters",
    )


ui.open_page("tokens")
lab()
ui.neighbour_links("tokens")
