"""What the Tokens page shows, out of its settings: a text, a rule, a training, and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from lmcore import parsing
from lmcore.tokenization import merges, own_text, pieces, rules, split, texts
from lmcore.tokenization.merges import MergesTrace
from lmcore.tokenization.pieces import Reading
from lmcore.tokenization.split import Counted
from ui import settings
from ui.compute import shared_results
from ui.widgets import put, remembered

OWN = "tokens-own"
"""The key of a person's own text: it is kept in the session alone, never in the address."""
TYPED = ("tokens_sentence", "tokens_word", "tokens_first", "tokens_second")
MOST_TYPED = 200
"""Characters: what is typed is also part of the address."""
KEPT = 32
"""Trainings that are kept, for all sessions together; those on a person's own text never are."""


class Scene(NamedTuple):
    """All that is on screen above the views."""

    source: str
    trace: MergesTrace
    types: int
    """So many the vocabulary may have at most."""
    asked: int
    """The merges that were asked for; the text may give fewer."""
    sentence: tuple[str, ...]
    """Its words."""
    cut: tuple[Reading, ...]

    @property
    def merges(self) -> int:
        """The merges on screen."""
        return min(self.asked, len(self.trace.merges))

    @property
    def now(self) -> Reading:
        """The sentence as it is cut at that many merges."""
        return [each for each in self.cut if each.merges <= self.merges][-1]


def keep(given: Mapping[str, str]) -> None:
    """Remember the settings; a text far too long is cut, and it is said."""
    settings.keep(given)
    for name in TYPED:
        if (length := len(st.session_state[name])) > MOST_TYPED:
            put({name: st.session_state[name][:MOST_TYPED]})
            remembered(name, given[name])
            st.warning(f"Of {length:,} characters the first {MOST_TYPED} are kept.")


def read() -> Scene:
    """What the controls describe.

    Raises:
        ValueError: if one of them holds what cannot be.
    """
    state = st.session_state
    source = settings.among("tokens_text", texts.LABELS)
    if source == "own" and not state.get(OWN):
        source = state["tokens-good"].source if "tokens-good" in state else "birds"
        source = "birds" if source == "own" else source
    types = parsing.whole(state["tokens_types"], "the vocabulary")
    asked = parsing.whole(state["tokens_n"], "the number of merges")
    if asked < 0:
        raise ValueError(f"the number of merges must be 0 or more; got {asked}")
    rule = settings.among("tokens_rule", rules.RULES)
    return scene(source, trained(source, rule, types), types, asked, state["tokens_sentence"])


def scene(source: str, trace: MergesTrace, types: int, asked: int, sentence: str) -> Scene:
    """The sentence at every step of the training.

    Raises:
        ValueError: if there is no word in the sentence, or a control character.
    """
    said = tuple(word.text for word in split.words(own_text.read_text(sentence)))
    if not said:
        raise ValueError("the sentence must have at least one word; got only signs that part words")
    return Scene(source, trace, types, asked, said, pieces.readings(said, trace))


def trained(source: str, rule: str, types: int) -> MergesTrace:
    """The training; of a text of the app it is made once for everybody.

    Raises:
        ValueError: if the text cannot be learnt from, or the vocabulary has no such size.
    """
    if source != "own":
        train = partial(_trained, source, rule, types)
        asked = (source, rule, types)
        return shared_results.kept("merges", asked, train, most=KEPT, says="Training", apart=True)
    typed: str = st.session_state[OWN]
    asked, found = st.session_state.get("tokens-own-trained", (None, {}))
    if asked != typed:
        found = {}
    if (rule, types) not in found:
        words, chosen = own_words(), rules.rule(rule)
        made = shared_results.computed(
            partial(merges.train, words, chosen, types), says="Training", apart=True
        )
        found = {**found, (rule, types): made}
        # Of one text, three rules at one size are compared; what is older goes.
        st.session_state["tokens-own-trained"] = typed, dict(list(found.items())[-4:])
    trace: MergesTrace = found[rule, types]
    return trace


def own_words() -> Counted:
    """The words of the person's own text.

    Raises:
        ValueError: as `texts.own_words`.
    """
    return texts.own_words(st.session_state[OWN])


def _trained(source: str, rule: str, types: int) -> MergesTrace:
    return merges.train(texts.counted(source), rules.rule(rule), types)


def opening(given: Mapping[str, str]) -> Scene:
    """What the page opens on."""
    trace = trained(given["tokens_text"], given["tokens_rule"], int(given["tokens_types"]))
    shown = given["tokens_types"], given["tokens_n"]
    types, asked = map(int, shown)
    return scene(given["tokens_text"], trace, types, asked, given["tokens_sentence"])
