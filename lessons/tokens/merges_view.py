"""The stage of the merges: controls, the slider, and the trees."""

from __future__ import annotations

import numpy as np
import streamlit as st

import ui
from drawing.events import Moved
from lessons.tokens import tokens_picture, tokens_text
from lessons.tokens.tokens_questions import merges_questions
from lessons.tokens.tokens_state import LESSON, OWN, SETTINGS, TokensState, fit_types
from lmcore.tokenization import texts
from ui import guide

PASTE = (
    "Paste a text of your own. It stays in this session: links do not contain it, and it is not "
    "saved."
)
PASTE_AGAIN = "Links never contain your own text: paste it again, or choose another text."


def show(rows: ui.Rows, scene: TokensState, live: ui.LiveNumbers) -> None:
    """Draw the trees of the words, the pairs that lead, and the controls."""
    with rows.rail:
        hidden = ui.predict_first(merges_questions(scene))
        controls(scene, live, "tokens_sentence")
        with ui.more(rows):
            more_controls(scene)
    with rows.picture:
        beat = guide.beat(LESSON)
        asked = "pieces" in {*hidden, *(beat.hide if beat else ())}
        stage_texts = ui.stage_texts(
            LESSON,
            sentences=tokens_text.sentences(scene.trace, scene.named, hidden=asked),
            formula=tokens_text.formulas(scene.trace),
            alt=tokens_text.describe(scene.trace, scene.words, scene.merges, hidden=asked),
            hidden=hidden,
        )
        drawn = tokens_picture.tree_picture(scene.trace, scene.words, scene.named)
        ui.main_picture(tokens_picture.TOKENS, live, drawn, stage_texts)


def controls(scene: TokensState, live: ui.LiveNumbers, typed: str) -> None:
    """Draw the slider, the field `typed`, the rule, and the training text."""
    ui.sliders(live, on_settled=store_slider)
    SETTINGS.draw(typed, "tokens_rule", "tokens_text")
    if SETTINGS.text("tokens_text") == "own":
        own_text_field()
    if scene.requested_merges > len(scene.trace.merges) or scene.trace.words.too_long:
        with st.container(key="notes"):
            st.caption(tokens_text.limit_words(scene.trace, scene.requested_merges))


def more_controls(scene: TokensState) -> None:
    """Draw the size of the vocabulary, and the training text if it is short."""
    SETTINGS.draw("tokens_types")
    st.caption(tokens_text.limit_words(scene.trace, scene.requested_merges))
    if scene.source == "birds":
        st.caption("The training text, written for this page:")
        st.text(texts.BIRDS)
    if scene.source == "classic":
        counts = ", ".join(f"{word} {count}" for word, count in texts.CLASSIC.items())
        st.caption(f"The words and their counts, quoted from Sennrich et al. 2016: {counts}.")


def own_text_field() -> None:
    """Draw the field into which users paste their own text."""
    if OWN not in st.session_state:
        st.info(PASTE_AGAIN if "tokens_text" in st.query_params else PASTE)
    st.session_state.setdefault("tokens-pasted", st.session_state.get(OWN, ""))
    ui.text_area(
        "Your text",
        key="tokens-pasted",
        height=140,
        max_chars=texts.MOST_CHARACTERS,
        on_change=store_pasted_text,
    )


def store_pasted_text() -> None:
    """Keep the pasted text in the session."""
    st.session_state[OWN] = st.session_state["tokens-pasted"]
    fit_types()


def merges_slider(scene: TokensState) -> ui.Slider:
    """The slider of the merges."""
    return ui.Slider(
        "tokens_n",
        "n",
        "merges",
        scene.merges,
        np.arange(len(scene.trace.candidates), dtype=np.float64),
        help="Each merge joins the best pair into a new piece. When does the word change?",
        role="weight",
    )


def slider_numbers(scene: TokensState) -> ui.LiveNumbers:
    """Every number after each number of merges."""
    swept = tokens_picture.numbers(scene.trace, scene.words, scene.named)
    now = {name: values[scene.merges] for name, values in swept.items()}
    every = {name: values[None] for name, values in swept.items()}
    return ui.live_numbers("tokens", now, [merges_slider(scene)], every)


def store_slider(moved: Moved) -> None:
    """Store the slider's value once it is released or typed."""
    ui.set_controls({moved["name"]: moved["typed"]})
