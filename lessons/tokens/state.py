"""The state of the Tokens page, read from its settings: a text, a rule, a training, a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from lmcore import parsing
from lmcore.tokenization import merges, own_text, pieces, rules, split, texts
from lmcore.tokenization.merges import MergesTrace
from lmcore.tokenization.pieces import Segmentation
from lmcore.tokenization.split import WordCounts
from ui import settings
from ui.compute import shared_results
from ui.widgets import address_value, set_controls

OWN = "tokens-own"
"""The key of a user's own text: it is kept in the session alone, never in the address."""
TEXT_SETTINGS = ("tokens_sentence", "tokens_word", "tokens_first", "tokens_second")
MOST_TYPED = 200
"""Characters: what is typed is also part of the address."""
MOST_CACHED = 32
"""Trainings kept for all sessions together; those on a user's own text never are."""


class TokensState(NamedTuple):
    """Everything on screen above the views."""

    source: str
    trace: MergesTrace
    types: int
    """The largest vocabulary allowed."""
    requested_merges: int
    """The number in the setting; the text may allow fewer."""
    sentence: tuple[str, ...]
    """Its words."""
    readings: tuple[Segmentation, ...]
    """The sentence in pieces, wherever a merge changes them."""

    @property
    def merges(self) -> int:
        """The merges on screen."""
        return min(self.requested_merges, len(self.trace.merges))

    @property
    def current_reading(self) -> Segmentation:
        """The sentence in pieces after that many merges."""
        return [each for each in self.readings if each.merges <= self.merges][-1]


def keep_settings(given: Mapping[str, str]) -> None:
    """Remember the settings; a text that is far too long is cut, with a warning."""
    settings.keep_in_address(given)
    for name in TEXT_SETTINGS:
        if (length := len(st.session_state[name])) > MOST_TYPED:
            set_controls({name: st.session_state[name][:MOST_TYPED]})
            address_value(name, given[name])
            st.warning(f"Of {length:,} characters the first {MOST_TYPED} are kept.")


def read_state() -> TokensState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the control whose value is invalid.
    """
    state = st.session_state
    source = settings.allowed_value("tokens_text", texts.LABELS)
    if source == "own" and not state.get(OWN):
        source = state["tokens-good"].source if "tokens-good" in state else "birds"
        source = "birds" if source == "own" else source
    types = parsing.parse_integer(state["tokens_types"], "the vocabulary")
    asked = parsing.parse_integer(state["tokens_n"], "the number of merges")
    if asked < 0:
        raise ValueError(f"the number of merges must be 0 or more; got {asked}")
    rule = settings.allowed_value("tokens_rule", rules.MERGE_RULES)
    return tokens_state(
        source, train_merges(source, rule, types), types, asked, state["tokens_sentence"]
    )


def tokens_state(
    source: str, trace: MergesTrace, types: int, asked: int, sentence: str
) -> TokensState:
    """The sentence at every step of the training.

    Raises:
        ValueError: if there is no word in the sentence, or a control character.
    """
    words = tuple(word.text for word in split.split_words(own_text.read_text(sentence)))
    if not words:
        raise ValueError("the sentence must have at least one word; got only punctuation or blanks")
    return TokensState(source, trace, types, asked, words, pieces.segmentations(words, trace))


def train_merges(source: str, rule: str, types: int) -> MergesTrace:
    """The training; that of a text of the app is computed once for everybody.

    Raises:
        ValueError: if the text cannot be learned from, or the vocabulary has no such size.
    """
    if source != "own":
        train = partial(_trained, source, rule, types)
        key = (source, rule, types)
        return shared_results.shared_result(
            "merges", key, train, most=MOST_CACHED, says="Training", apart=True
        )
    typed: str = st.session_state[OWN]
    trained_text, traces = st.session_state.get("tokens-own-trained", (None, {}))
    if trained_text != typed:
        traces = {}
    if (rule, types) not in traces:
        words, chosen = own_words(), rules.merge_rule(rule)
        made = shared_results.unshared_result(
            partial(merges.train, words, chosen, types), says="Training", apart=True
        )
        traces = {**traces, (rule, types): made}
        # The page compares three rules at one size; older trainings are dropped.
        st.session_state["tokens-own-trained"] = typed, dict(list(traces.items())[-4:])
    trace: MergesTrace = traces[rule, types]
    return trace


def own_words() -> WordCounts:
    """The words of the user's own text.

    Raises:
        ValueError: as `texts.own_word_counts`.
    """
    return texts.own_word_counts(st.session_state[OWN])


def _trained(source: str, rule: str, types: int) -> MergesTrace:
    return merges.train(texts.shipped_word_counts(source), rules.merge_rule(rule), types)


def default_state(given: Mapping[str, str]) -> TokensState:
    """The state that the page opens with."""
    trace = train_merges(given["tokens_text"], given["tokens_rule"], int(given["tokens_types"]))
    types, asked = int(given["tokens_types"]), int(given["tokens_n"])
    return tokens_state(given["tokens_text"], trace, types, asked, given["tokens_sentence"])
