"""A text with one gap: the settings of the view *Five readers*."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from lmcore import parsing
from lmcore.masked_lm import cloze
from lmcore.masked_lm import contest as cloze_contest
from lmcore.masked_lm.cloze import ClozeText
from lmcore.masked_lm.filling_in import GapQuestion
from lmcore.training.masked_batches import masked_vocabulary
from ui import pretrained

LARGEST_SEED = 2**31 - 1


class ReadersState(NamedTuple):
    """A text with one gap, by ids, and the order it is shuffled into."""

    text: ClozeText
    question: GapQuestion
    shuffled: GapQuestion
    seed: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words, the gap among them as ____."""
        tokens = list(self.text.tokens)
        tokens[self.question.place] = "____"
        return tuple(tokens)


def read_state() -> ReadersState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the setting whose value is invalid.
    """
    state = st.session_state
    return readers_state(*(str(state[f"readers_{name}"]) for name in ("text", "gap", "seed")))


def readers_state(typed: str, gap: str, seed: str) -> ReadersState:
    """A text with its gap.

    Raises:
        ValueError: as `read_state`.
    """
    text = cloze.cloze_text(pretrained.load("encoder"), typed)
    place = parsing.parse_integer(gap, "the gap")
    if place not in text.maskable:
        raise ValueError(f"the gap must be from 1 to {text.maskable[-1]}; got {place}")
    drawn = parsing.parse_integer(seed, "the seed of the shuffle")
    if not 0 <= drawn <= LARGEST_SEED:
        raise ValueError(f"the seed of the shuffle must be from 0 to {LARGEST_SEED}; got {drawn}")
    ids = tuple(text.reading.ids.tolist())
    mixed = cloze_contest.shuffle_context(ids, place, drawn)
    return ReadersState(text, GapQuestion(ids, place), GapQuestion(mixed, place), drawn)


def vocabulary() -> tuple[str, ...]:
    """The types of our encoder and of the readers."""
    return masked_vocabulary().tokens
