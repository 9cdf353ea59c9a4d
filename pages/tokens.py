"""Page “Tokens”: how a subword vocabulary is learned and used, and the input of BERT."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.tokens import sections, state
from lessons.tokens import text as words
from lessons.tokens.state import TokensState
from lmcore.tokenization import rules, texts
from ui import settings

LESSON = ui.lesson("tokens")
VIEWS = (
    "Step by step",
    "Longest match",
    "Pair to ids",
    "Input of BERT",
    "Fewest pieces?",
    "Check yourself",
    "Code",
    "The slide says",
)


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
    views = (
        lambda: sections.step_by_step(scene, live),
        lambda: sections.longest_match(scene),
        lambda: sections.pack(scene),
        sections.encoder_input,
        lambda: sections.compare(scene),
        lambda: sections.predict(scene),
        lambda: sections.source(scene),
        lambda: ui.slide_corrections("tokens"),
    )
    ui.sections(dict(zip(VIEWS, views, strict=True)), key="tokens_see")
    with top:
        ui.presets(LESSON)


def check_the_address() -> None:
    """Show an error for every choice in the address that does not exist."""
    ui.check_address_value("tokens_text", tuple(texts.LABELS))
    ui.check_address_value("tokens_rule", tuple(rules.MERGE_RULES))
    ui.check_address_value("tokens_see", VIEWS)


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
