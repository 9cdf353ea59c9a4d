"""Tokens and input: how a vocabulary of pieces is learnt and read with, and what enters BERT."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

import ui
from lessons.tokens import picture as figures
from lessons.tokens import sections, state
from lessons.tokens import text as words
from lessons.tokens.state import OWN, TokensState
from lmcore.tokenization import inputs, library, merges, packing, pieces, rules, texts
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
PASTE = "Paste a text of your own. It stays in this session: it is in no link, and kept nowhere."
AGAIN = "A text of your own is in no link: paste it again, or choose another."


@st.fragment
def lab() -> None:
    """Controls left, the pieces right; every merge is in the browser."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # what is refused is said beside the controls, not below them
        check_the_address()
        kept = {name: value for name, value in LESSON.looks.items() if name != "tokens_see"}
        state.keep_settings({**LESSON.defaults, **kept})
        scene = ui.validated_or_previous("tokens", state.read_state, default_state)
    with left:
        controls()
        live = slider_numbers(scene)
        ui.sliders(live, on_settled=store_slider)
        limits(scene)
    with right:
        draw(scene, live)
    views = (
        lambda: sections.step_by_step(scene, live),
        lambda: sections.longest_match(scene),
        lambda: sections.pack(scene),
        sections.encoder_input,
        lambda: sections.compare(scene),
        lambda: predict(scene),
        lambda: source(scene),
        lambda: ui.slide_corrections("tokens"),
    )
    ui.sections(dict(zip(VIEWS, views, strict=True)), key="tokens_see")
    with top:
        ui.presets(LESSON)


def check_the_address() -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("tokens_text", tuple(texts.LABELS))
    ui.check_address_value("tokens_rule", tuple(rules.MERGE_RULES))
    ui.check_address_value("tokens_see", VIEWS)


def default_state() -> TokensState:
    """What the page opens on."""
    return state.default_state(LESSON.defaults)


def controls() -> None:
    """The text, how its pieces are chosen, and the sentence that is cut."""
    settings.pills("tokens_text", "Learn from", texts.LABELS)
    if st.session_state["tokens_text"] == "own":
        own_text()
    labels = {name: rule.label for name, rule in rules.MERGE_RULES.items()}
    settings.pills("tokens_rule", "Learn pieces by", labels)
    st.caption(words.RULE_WORDS[settings.allowed_value("tokens_rule", rules.MERGE_RULES)])
    settings.text_field(
        "tokens_sentence", "Sentence to cut", "Try words that the text does not hold"
    )
    look_for = "Types at most, special tokens and single letters included"
    settings.text_field("tokens_types", "Vocabulary |V|, at most", look_for)


def own_text() -> None:
    """Where a person's own text is pasted."""
    if OWN not in st.session_state:
        st.info(AGAIN if "tokens_text" in st.query_params else PASTE)
    st.session_state.setdefault("tokens-pasted", st.session_state.get(OWN, ""))
    st.text_area(
        "Your text",
        key="tokens-pasted",
        height=140,
        max_chars=texts.MOST_CHARACTERS,
        on_change=store_pasted_text,
    )


def store_pasted_text() -> None:
    """A text was pasted, or taken away."""
    st.session_state[OWN] = st.session_state["tokens-pasted"]


def slider_numbers(scene: TokensState) -> ui.LiveNumbers:
    """Every number after every merge."""
    swept = figures.numbers(scene.trace, scene.cut)
    slider = ui.Slider(
        "tokens_n",
        "n",
        "merges",
        scene.merges,
        np.arange(len(scene.trace.candidates), dtype=np.float64),
        help="Each merge makes one piece of the most frequent pair",
        role="weight",
    )
    now = {name: values[scene.merges] for name, values in swept.items()}
    every = {name: values[None] for name, values in swept.items()}
    return ui.live_numbers("tokens", now, [slider], every)


def store_slider(moved: dict[str, Any]) -> None:
    """The slider was let go, or a number typed."""
    ui.set_controls({moved["name"]: moved["typed"]})


def limits(scene: TokensState) -> None:
    """Where the training ended, and why."""
    last, size = len(scene.trace.merges), int(scene.trace.types[-1])
    why = (
        f"after {last:,} merges every word is one piece, and |V| is {size:,}, no more"
        if scene.trace.exhausted
        else f"after {last:,} merges |V| is {size:,}, all that it may have"
    )
    st.caption(f"The number of merges n, from 0 to {last:,}: {why}.")
    if scene.asked > last:
        st.caption(f"{scene.asked:,} merges were asked for; there are {last:,}.")
    if scene.trace.words.too_long:
        st.caption(
            f"{scene.trace.words.too_long:,} words of more than {rules.LONGEST_WORD} letters are "
            "left out."
        )


def draw(scene: TokensState, live: ui.LiveNumbers) -> None:
    """The sentence in pieces, the pairs that lead, the curve; and what to notice."""
    trace = scene.trace
    ui.picture("tokens", live, figures.picture(trace, scene.cut, scene.sentence))
    plain = scene.now._replace(
        words=tuple(tuple(map(ui.escape_markdown, word)) for word in scene.now.words)
    )
    said = words.notice(trace, scene.merges, [*map(ui.escape_markdown, scene.sentence)], plain)
    following = words.next_words(trace, trace.candidates[scene.merges])
    ui.notice(*said, ui.escape_markdown(following))
    if scene.source == "classic":
        st.caption("The words and their counts are quoted from Sennrich et al. 2016.")
    if scene.source == "birds":
        with st.expander("The text it learns from", key="tokens_lines", bind="query-params"):
            st.text(texts.BIRDS)


def predict(scene: TokensState) -> None:
    """Three questions, answered from the present state."""
    trace, n = scene.trace, scene.merges
    if n < len(trace.merges):
        best = trace.merges[n]
        first, second = map(ui.escape_markdown, best.pair)
        ui.check_yourself(
            f"The text has {int(trace.tokens[n]):,} tokens; {first} {second} stand side by side "
            f"{best.count:,} times. How many tokens has it after this merge?",
            answer=float(trace.tokens[n + 1]),
            because="Each place where the two meet loses one token.",
            key="tokens-after",
            near=0,
        )
    ui.check_yourself(
        f"{len(trace.base)} letters, marked and unmarked, {len(rules.SPECIAL_TOKENS)} special tokens, "
        f"{n:,} merges. How many types has the vocabulary?",
        answer=float(trace.types[n]),
        because="Each merge adds its piece, unless another merge had made the same piece before.",
        key="tokens-types",
        near=0,
    )
    ui.check_yourself(
        "Two sentences of 5 and 4 tokens enter BERT in a row of 16. How many [PAD] are there?",
        answer=float(16 - (5 + 4 + 3)),
        because="[CLS], and a [SEP] after each sentence: 3 more.",
        key="tokens-pads",
        near=0,
    )


def source(scene: TokensState) -> None:
    """The code that ran, and a script that cuts the same sentence."""
    snippet = words.snippet(
        scene.source,
        scene.trace.rule.name,
        scene.types,
        scene.merges,
        st.session_state["tokens_sentence"],
    )
    ui.show_code(
        merges.train,
        merges.merge_pair,
        pieces.longest_match,
        pieces.split_by_merges,
        library.train,
        packing.pack,
        inputs.trace_inputs,
        snippet=snippet,
        name="tokens",
    )


ui.open_page("tokens")
lab()
ui.neighbour_links("tokens")
