"""The microworld: a small fragment of English whose probabilities are all known.

Four kinds of document, each with one difficulty of language:

    feeding     a cat gets fed, a truck gets fixed; “the dog gets” never occurs
    agreement   the horse which was raced past the barns tripped; the cats that the dog sees are …
    pronouns    the animal didn't cross the street because it was too tired | wide; who is meant?
    senses      the note said fine: from the doctor, or from the police?

The split: a document whose hash is in the last twentieth is never trained on, so there are test
documents that no model has seen.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from jaxtyping import Bool, UInt64
from numpy.typing import NDArray

from lmcore.corpora import grammar, microworld_rules
from lmcore.corpora.automaton import Automaton, compile_grammar
from lmcore.corpora.documents import Documents
from lmcore.corpora.grammar import Grammar

DEFAULT_DEPTH = 2
"""The depth of nested relative clauses in training."""
MAX_DEPTH = 4
HELD_OUT_ONE_IN = 20
"""One document in this many is held out of training."""


@lru_cache(maxsize=4)
def microworld_grammar(depth: int = DEFAULT_DEPTH, *, complete: bool = False) -> Grammar:
    """The grammar, with relative clauses up to `depth` deep.

    `complete` fills its two gaps, to compute what would follow there: "the dog gets", and the pairs
    of animal and place that never occur together. The vocabulary is always the same.

    Raises:
        ValueError: if `depth` is not 1 … DEEPEST.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"the depth of the microworld must be from 1 to {MAX_DEPTH}; got {depth}")
    return grammar.parse(microworld_rules.grammar_text(depth, complete=complete), start="DOC")


@lru_cache(maxsize=4)
def microworld(depth: int = DEFAULT_DEPTH, *, complete: bool = False) -> Automaton:
    """The exact model of the grammar.

    Raises:
        ValueError: as `microworld_grammar`.
    """
    world = microworld_grammar(depth, complete=complete)
    return compile_grammar(world, grammar.vocabulary(world))


def held_out_mask(documents: Documents) -> Bool[np.ndarray, " document"]:
    """Whether each document belongs to the test split: a property of its tokens alone."""
    last: NDArray[np.bool_] = (
        document_hashes(documents) % np.uint64(HELD_OUT_ONE_IN) == HELD_OUT_ONE_IN - 1
    )
    return last


def training_documents(documents: Documents) -> Documents:
    """The documents that may be trained on: all that are not held out."""
    return documents.where(~held_out_mask(documents))


def document_hashes(documents: Documents) -> UInt64[np.ndarray, " document"]:
    """A 64-bit number for each document, the same on every machine.

    hash = mix( Σ_t mix(token_t + 2³² t) ), in arithmetic modulo 2⁶⁴.

    Source: Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators", OOPSLA;
    `mix` is the finaliser of SplitMix64.
    """
    starts = documents.offsets[:-1]
    time = np.arange(len(documents.tokens)) - np.repeat(starts, documents.lengths)
    total = np.concatenate([[0], _mix(documents.tokens + (time << 32))]).astype(np.uint64)
    ends = np.cumsum(total, dtype=np.uint64)[documents.offsets]
    return _mix(np.diff(ends))


def _mix(numbers: NDArray[np.int64] | NDArray[np.uint64]) -> UInt64[np.ndarray, " number"]:
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
