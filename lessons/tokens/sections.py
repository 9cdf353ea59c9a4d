"""The Tokens page: its own text field and slider, the picture of merges and the views below it."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lessons.tokens import picture as figures
from lessons.tokens import state
from lessons.tokens import text as words
from lessons.tokens.state import OWN, SETTINGS, TokensState, encoder_models
from lmcore import parsing
from lmcore.tokenization import (
    inputs,
    library,
    merges,
    own_text,
    packing,
    pieces,
    rules,
    split,
    texts,
)
from lmcore.tokenization.inputs import InputTrace
from lmcore.tokenization.packing import PackedInput
from lmcore.tokenization.pieces import MatchTrace
from ui import components, compute, pretrained, widgets
from ui.live import LiveNumbers, Slider, live_numbers

MOST_LETTERS = 30
"""Letters of the longest word whose attempts are drawn."""
PASTE = (
    "Paste a text of your own. It stays in this session: links do not contain it, and it is not "
    "saved."
)
PASTE_AGAIN = "Links never contain your own text: paste it again, or choose another text."
NO_ENCODER = (
    "The real English encoder is not installed here: `make run` fetches it, once. These are the "
    "rows of a smaller model."
)


class EncoderInput(NamedTuple):
    """A model's input, with the names of the model."""

    trace: InputTrace
    model: str
    label: str
    types: int
    """The size of the model's vocabulary."""


def no_live_numbers(group: str) -> LiveNumbers:
    """Live numbers of a picture that needs none: its data has all it draws."""
    return LiveNumbers(group, (), np.empty(0))


def own_text_field() -> None:
    """The field into which users paste a text of their own."""
    if OWN not in st.session_state:
        st.info(PASTE_AGAIN if "tokens_text" in st.query_params else PASTE)
    st.session_state.setdefault("tokens-pasted", st.session_state.get(OWN, ""))
    st.text_area(
        "Your text",
        key="tokens-pasted",
        height=140,
        max_chars=texts.MOST_CHARACTERS,
        on_change=store_pasted_text,
    )


def store_pasted_text() -> None:
    """Keep the pasted text in the session."""
    st.session_state[OWN] = st.session_state["tokens-pasted"]


def slider_numbers(scene: TokensState) -> LiveNumbers:
    """The slider of merges, with every number after each of them."""
    swept = figures.numbers(scene.trace, scene.readings)
    slider = Slider(
        "tokens_n",
        "n",
        "merges",
        scene.merges,
        np.arange(len(scene.trace.candidates), dtype=np.float64),
        help="Each merge joins one pair into a new piece",
        role="weight",
    )
    now = {name: values[scene.merges] for name, values in swept.items()}
    every = {name: values[None] for name, values in swept.items()}
    return live_numbers("tokens", now, [slider], every)


def store_slider(moved: dict[str, Any]) -> None:
    """Store the slider's value once it is released or typed."""
    widgets.set_controls({moved["name"]: moved["typed"]})


def limits(scene: TokensState) -> None:
    """The last merge of the training, and why it ended there."""
    last, size = len(scene.trace.merges), int(scene.trace.types[-1])
    why = (
        f"after {last:,} merges every word is one piece, and |V| stays at {size:,}"
        if scene.trace.exhausted
        else f"after {last:,} merges |V| has reached {size:,}, its limit"
    )
    st.caption(f"The number of merges n, from 0 to {last:,}: {why}.")
    if scene.requested_merges > last:
        st.caption(f"{scene.requested_merges:,} merges were requested; there are {last:,}.")
    if scene.trace.words.too_long:
        st.caption(
            f"{scene.trace.words.too_long:,} words of more than {rules.LONGEST_WORD} letters are "
            "left out."
        )


def merge_picture(scene: TokensState, live: LiveNumbers) -> None:
    """Draw the sentence in pieces, the most frequent pairs, the curve, and the notice."""
    trace = scene.trace
    components.picture(figures.TOKENS, live, figures.picture(trace, scene.readings, scene.sentence))
    plain = scene.current_reading._replace(
        words=tuple(
            tuple(map(widgets.escape_markdown, word)) for word in scene.current_reading.words
        )
    )
    sentences = words.notice(
        trace, scene.merges, [*map(widgets.escape_markdown, scene.sentence)], plain
    )
    following = words.next_words(trace, trace.candidates[scene.merges])
    widgets.notice(*sentences, widgets.escape_markdown(following))
    if scene.source == "classic":
        st.caption("The words and their counts are quoted from Sennrich et al. 2016.")
    if scene.source == "birds":
        lines = st.expander("The training text", key="tokens_lines", bind="query-params")
        if lines.open:
            lines.text(texts.BIRDS)


def step_by_step(scene: TokensState, live: LiveNumbers) -> None:
    """Vocabulary, text and next pair in numbers; below, the merges that were made."""
    components.step_table(figures.steps(scene.trace), live, caption="After n merges")
    if not scene.merges:
        st.caption("No pair is merged yet: drag n.")
        return
    components.table(
        ["merge", "count(a b)", "|V| after", "tokens after"],
        figures.merge_rows(scene.trace, scene.merges),
        name="tokens-merges",
        caption="The last merges that were made, the pair and its piece",
    )
    if scene.merges > figures.LISTED:
        st.caption(f"The last {figures.LISTED} of {scene.merges:,} merges.")


def longest_match(scene: TokensState) -> None:
    """A typed word, split by the vocabulary after n merges."""
    SETTINGS.draw("tokens_word")
    word = widgets.validated_or_previous("tokens_word", read_word, lambda: "flightless")
    if scene.trace.rule.mark != rules.CONTINUATION_MARK:
        in_order(scene, word)
        return
    ids = scene.trace.vocabulary(scene.merges)
    match = pieces.longest_match(word, ids)
    at = widgets.validated_or_previous("tokens_try", attempt, lambda: 0)

    def on_event(to: Any) -> None:
        widgets.set_controls({"tokens_try": str(int(to))})

    components.picture(
        figures.LONGEST,
        no_live_numbers("longest"),
        figures.match_picture(match, ids, min(at, len(match.attempts))),
        on_event=on_event,
    )
    show_match(scene, match)


def show_match(scene: TokensState, match: MatchTrace) -> None:
    """Draw the split of the word, and how often the word occurs in the text."""
    there = scene.trace.words.counts.get(match.word, 0)
    occurrences = (
        f"The training text contains the word {there:,} times."
        if there
        else "The training text does not contain this word."
    )
    st.markdown(f"{widgets.escape_markdown(words.match_words(match))} {occurrences}")
    st.caption(
        f"The vocabulary after {scene.merges:,} merges; drag n above and try again. BERT "
        "looks for the longest match first: it keeps the pieces, not the merges."
    )


def in_order(scene: TokensState, word: str) -> None:
    """The word after each merge of BPE that applies to it."""
    cut = [
        each for each in pieces.segmentations([word], scene.trace) if each.merges <= scene.merges
    ]
    components.table(
        ["pieces", "after merge", "tokens"],
        [(" ".join(each.words[0]), each.merges, len(each.words[0])) for each in cut],
        name="tokens-order",
        caption=f"“{word}”, merge by merge",
    )
    st.caption(
        "BPE applies the merges that it learned, in their order. WordPiece looks for the longest "
        "match first: choose it above to see every attempt."
    )


def read_word() -> str:
    """The typed word.

    Raises:
        ValueError: if it is not one word, or is longer than can be drawn.
    """
    typed = split.split_words(own_text.read_text(st.session_state["tokens_word"]))
    if len(typed) != 1:
        raise ValueError(
            f"the word must be one word, without spaces or punctuation; got {len(typed)}"
        )
    if (size := len(typed[0].text)) > MOST_LETTERS:
        raise ValueError(f"the word must have at most {MOST_LETTERS} letters here; got {size}")
    return typed[0].text


def attempt() -> int:
    """The number of attempts shown.

    Raises:
        ValueError: if it is not a whole number from 0.
    """
    at = parsing.parse_integer(st.session_state["tokens_try"], "the attempt")
    if at < 0:
        raise ValueError(f"the attempt must be 0 or more; got {at}")
    return at


def read_pair() -> tuple[str, str]:
    """Sentence A, and B, which may be empty.

    Raises:
        ValueError: if there is no word in A, or a control character in either.
    """
    first, second = (str(st.session_state[f"tokens_{each}"]) for each in ("first", "second"))
    return own_text.read_text(first), own_text.read_text(second) if second.strip() else ""


def pair_fields() -> None:
    """The fields of both sentences."""
    left, right = st.columns(2)
    with left:
        SETTINGS.draw("tokens_first")
    with right:
        SETTINGS.draw("tokens_second")


def pack(scene: TokensState) -> None:
    """Ids, segments, positions and offsets of a sentence or a pair, by the vocabulary above."""
    pair_fields()
    SETTINGS.draw("tokens_length")

    def typed_row() -> tuple[tuple[str, str], PackedInput]:
        length = parsing.parse_integer(st.session_state["tokens_length"], "the length")
        typed = read_pair()
        return typed, packing.pack(
            library.build_tokenizer(scene.trace, scene.merges), *typed, length
        )

    def default_row() -> tuple[tuple[str, str], PackedInput]:
        typed = ("flightless birds", "")
        return typed, packing.pack(
            library.build_tokenizer(scene.trace, scene.merges), *typed, packing.MAX_LENGTH
        )

    typed, packed = widgets.validated_or_previous("tokens_pack", typed_row, default_row)
    components.table(
        ["token", "id", "segment", "position", "from letter", "to letter"],
        figures.packed_rows(packed),
        name="tokens-row",
        caption="The row that enters a BERT",
    )
    widgets.notice(
        *map(widgets.escape_markdown, words.packed_words(packed, typed)), key="notice-row"
    )
    st.caption(
        f"With the vocabulary above, after {scene.merges:,} merges, by `tokenizers`. An id is a "
        "position in the vocabulary, fixed once that is learned; it carries no meaning. "
        "[CLS] and [SEP] are not part of the sentences: 0 to 0."
    )


def encoder_input() -> None:
    """Token, position and segment rows of a real model, and their sum."""
    installed = pretrained.known_models(report=True)
    if installed and pretrained.WHEEL not in installed:
        st.info(NO_ENCODER)
    models = encoder_models()
    if not models:
        st.info("No model is installed whose input this page could show.")
        return
    pair_fields()
    if len(models) > 1:
        SETTINGS.draw("tokens_model")
    given = read_encoder_input(models)
    if given is None:
        return
    width = min(figures.SHOWN, given.trace.output.shape[1])
    spot = widgets.validated_or_previous("tokens_spot", read_spot, lambda: (0, 0))
    at = min(spot[0], len(given.trace.output) - 1), min(spot[1], width - 1)

    def on_event(to: Any) -> None:
        widgets.set_controls({"tokens_at": str(int(to[0])), "tokens_dim": str(int(to[1]))})

    drawn = figures.input_picture(given.trace, at, given.model)
    components.picture(figures.INPUTS, no_live_numbers("inputs"), drawn, on_event=on_event)
    sentences = map(widgets.escape_markdown, words.input_words(given.trace, given.model))
    widgets.notice(*sentences, kind="measured here", key="notice-input")
    st.caption(
        f"{widgets.escape_markdown(given.label)}: its own tokenizer, {given.types:,} types, and "
        "its own learned tables. The slides give BERT 30,000 types. BERT applies LayerNorm next; "
        "this is the sum before it."
    )


def read_encoder_input(models: dict[str, str]) -> EncoderInput | None:
    """The input that the controls describe, or the last valid one; None if no model loads."""

    def of_model() -> EncoderInput:
        name = SETTINGS.choice("tokens_model")
        reader = pretrained.load(name)
        text, pair = read_pair()
        read = reader.read(text, pair, packing.MAX_LENGTH)
        types = reader.network.config.vocabulary
        return EncoderInput(
            inputs.trace_inputs(reader.network, read), reader.name, models[name], types
        )

    def none() -> None:
        return None

    given: EncoderInput | None = widgets.validated_or_previous("tokens_input", of_model, none)
    return given


def read_spot() -> tuple[int, int]:
    """The selected token and dimension.

    Raises:
        ValueError: if one is not a whole number from 0.
    """
    at = [
        parsing.parse_integer(st.session_state[name], what)
        for name, what in (("tokens_at", "the token"), ("tokens_dim", "the dimension"))
    ]
    if min(at) < 0:
        raise ValueError(f"the token and the dimension must be 0 or more; got {min(at)}")
    return at[0], at[1]


def compare(scene: TokensState) -> None:
    """Three rules at one size of the vocabulary, and training by `tokenizers` beside ours."""
    traces = [
        state.train_merges(scene.source, name, fitting_size(scene, name))
        for name in rules.MERGE_RULES
    ]
    read = [pieces.count_tokens(trace, len(trace.merges)) for trace in traces]
    train = partial(library.agreement, scene.trace, scene.types)
    agreement, repeatable = compute.unshared_result(train, says="Training")
    components.table(
        ["rule", "merges", "|V|", "tokens after training", "tokens when split again"],
        words.rule_rows(traces, read),
        name="tokens-rules",
        caption="The same text and the same limit on |V|, under each rule",
    )
    widgets.notice(words.fewest_words(traces, read), key="notice-rules")
    by_gain = scene.trace.rule.by == "gain"
    sentences = words.library_words(agreement, by_gain=by_gain, repeatable=repeatable)
    widgets.notice(
        f"`tokenizers`, trained now on the same words, {scene.trace.rule.label}.",
        *sentences,
        kind="measured here",
        key="notice-library",
    )


def fitting_size(scene: TokensState, name: str) -> int:
    """The size of the vocabulary, or the least that a rule with more letters needs."""
    letters = len(merges.letters(scene.trace.words.counts, rules.merge_rule(name)))
    return max(scene.types, letters + len(rules.SPECIAL_TOKENS))


def predict(scene: TokensState) -> None:
    """Three questions about the state on screen."""
    trace, n = scene.trace, scene.merges
    if n < len(trace.merges):
        best = trace.merges[n]
        first, second = map(widgets.escape_markdown, best.pair)
        widgets.check_yourself(
            f"The text has {int(trace.tokens[n]):,} tokens; {first} {second} occur side by "
            f"side {best.count:,} times. How many tokens does it have after this merge?",
            answer=float(trace.tokens[n + 1]),
            because="The merge removes one token at each place where the two meet.",
            key="tokens-after",
            near=0,
        )
    widgets.check_yourself(
        f"{len(trace.base)} letters, marked and unmarked, {len(rules.SPECIAL_TOKENS)} special "
        f"tokens, {n:,} merges. How many types does the vocabulary have?",
        answer=float(trace.types[n]),
        because="Each merge adds its piece, unless an earlier merge made the same piece.",
        key="tokens-types",
        near=0,
    )
    widgets.check_yourself(
        "Two sentences of 5 and 4 tokens enter BERT in a row of 16. How many [PAD] are there?",
        answer=float(16 - (5 + 4 + 3)),
        because="[CLS], and a [SEP] after each sentence: 3 more.",
        key="tokens-pads",
        near=0,
    )


def source(scene: TokensState) -> None:
    """The code that ran, and a script that splits the same sentence."""
    snippet = words.snippet(
        scene.source,
        scene.trace.rule.name,
        scene.types,
        scene.merges,
        st.session_state["tokens_sentence"],
    )
    widgets.show_code(
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
