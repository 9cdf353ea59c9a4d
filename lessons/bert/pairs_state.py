"""A pair of texts as a model reads it: the settings of the view *Next sentence*."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from lessons.bert import bert_state
from lmcore import parsing
from lmcore.corpora.sentence_pairs import IS_NEXT
from lmcore.masked_lm import next_sentence
from lmcore.masked_lm.next_sentence import NextSentenceTrace
from lmcore.models.bert import BERT
from lmcore.pretrained.reading import TokenizedText, TokenizingModel

MOST_TOKENS = 96
"""Tokens of a pair."""
VERDICT = ("p0", "p1", "n0", "n1")
"""The numbers that reveal the model's answer."""


class PairState(NamedTuple):
    """A pair as a model reads it, with its answer."""

    model: str
    reader: TokenizingModel
    reading: TokenizedText
    trace: NextSentenceTrace
    label: int | None
    """What the pair is, if it is the one drawn last: 0 continues, 1 is of another document."""
    first: str
    second: str
    """The two texts as they were typed."""


def in_microworld(model: str) -> bool:
    """Whether a model reads texts of the microworld."""
    return model == "encoder" or model.startswith(bert_state.RUN_PREFIX)


def continuation(first: str) -> tuple[str, str]:
    """The text that continues a first text, where that is known, and the one drawn with it."""
    example = bert_state.LESSON.defaults
    if first == str(example["pairs_first"]):
        return str(example["pairs_second"]), ""
    drawn = drawn_pair()
    if drawn is None or first != drawn.first:
        return "", ""
    return (drawn.second if drawn.label == IS_NEXT else ""), drawn.second


def question_key(seed: int) -> str:
    """The question about the pair of that seed; another pair is another question."""
    return f"pair-{seed}"


def read_state() -> PairState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the setting whose value is invalid.
    """
    state = st.session_state
    return pair_state(*(str(state[f"pairs_{name}"]) for name in ("model", "first", "second")))


def pair_state(model: str, first: str, second: str) -> PairState:
    """A pair as a model reads it.

    Raises:
        ValueError: as `read_state`.
    """
    if not second.strip():
        raise ValueError("the second text must have 1 word or more; got none")
    reader = bert_state.load(model)
    network = reader.network
    if not isinstance(network, BERT):
        raise ValueError(f"the model must be an encoder; got {reader.name}")
    if not network.pairs:
        raise ValueError(f"the model must have a head for pairs of texts; {reader.name} has none")
    seen = reader.read(first, second, MOST_TOKENS)
    trace = next_sentence.predict_next_sentence(network, seen)
    drawn = drawn_pair()
    known = drawn is not None and (first, second) == drawn[:2]
    label = drawn.label if drawn and known else None
    return PairState(model, reader, seen, trace, label, first, second)


def drawn_pair() -> next_sentence.DrawnPair | None:
    """The pair drawn last, if its seed can be read."""
    try:
        seed = parsing.parse_integer(str(st.session_state["pairs_seed"]), "the seed of the pair")
        return next_sentence.draw_pair(max(seed - 1, 0))
    except ValueError:
        return None
