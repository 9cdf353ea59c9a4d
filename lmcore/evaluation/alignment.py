"""Where attention points: the largest weight α_ij of each target word, against the known alignment.

    j* = argmax_j α_ij        while the decoder reads the true words y_1 … y_{i−1}

A word of the target renders one word of the source (`TranslatedPair.alignment`). The counts are
how often j* is that word, how often it is the next one, and, for the words of a noun phrase, how
often it is their noun.

Source: Bahdanau et al. 2015, section 5.2.1 (α as a soft alignment); Koehn & Knowles 2017, section
3.5 (α against a known alignment: its largest weights may be one place off).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import torch

from lmcore import dataframes
from lmcore.corpora.translation import Words, translate_aligned
from lmcore.corpora.translation_grammar import NOUN_FORMS
from lmcore.corpora.translation_words import (
    ADJECTIVES,
    ARTICLES,
    INTRANSITIVE,
    NAMES,
    PAST,
    TRANSITIVE,
    WAS,
)
from lmcore.dataframes import Table
from lmcore.evaluation.exact_match import BATCH
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.models.registry import device_of
from lmcore.training.translation_batches import translation_batch

if TYPE_CHECKING:
    from pandas import DataFrame

WordClass = Literal["article", "adjective", "noun", "name", "verb", "conjunction"]
WORD_CLASSES: tuple[WordClass, ...] = get_args(WordClass)
VERBS = {*PAST, *(form for verb in (*TRANSITIVE, *INTRANSITIVE) for form in verb[:2])}
"""Participles of passive sentences, and the verbs of active ones."""


@dataclass(frozen=True, slots=True)
class AlignmentCounts:
    """Target words that render source words of one class, and where their largest α_ij is."""

    passive: bool
    """Whether the sources are passive; active ones are translated, copied or reversed."""
    kind: WordClass
    """The class of the source words."""
    words: int
    at_word: int
    """How many have it at the source word that they render."""
    at_next: int
    """How many have it at the word after that, or at `</s>`."""
    at_noun: int
    """How many have it at the noun of the rendered word's phrase; only a noun phrase has one."""

    def to_frame(self) -> DataFrame:
        """One row: passive, kind, words, at word, at next, at noun."""
        counted = {"words": self.words, "at word": self.at_word, "at next": self.at_next}
        return dataframes.one_row(
            {"passive": self.passive, "kind": self.kind, **counted, "at noun": self.at_noun}
        )


def alignment_counts(
    network: Seq2Seq, sources: Sequence[Words], task: str
) -> Table[AlignmentCounts]:
    """Where the largest α of each target word is, counted by class; `</s>` renders no word.

    Raises:
        ValueError: as `translate_aligned`, or if the network has no attention.
    """
    counted: dict[tuple[bool, WordClass], Counter[str]] = {}
    for source, places in zip(sources, largest_places(network, sources, task), strict=True):
        passive = bool({*source} & {*WAS.values()})
        pair = translate_aligned(source, task)
        for rendered, place in zip(pair.alignment, places, strict=True):
            counts = counted.setdefault((passive, word_class(source[rendered])), Counter())
            counts["words"] += 1
            counts["at_word"] += place == rendered
            counts["at_next"] += place == rendered + 1
            counts["at_noun"] += place == noun_place(source, rendered)
    order = sorted(counted, key=lambda key: (key[0], WORD_CLASSES.index(key[1])))
    columns = ("words", "at_word", "at_next", "at_noun")
    return Table(AlignmentCounts(*key, *(counted[key][each] for each in columns)) for key in order)


@torch.no_grad()
def largest_places(network: Seq2Seq, sources: Sequence[Words], task: str) -> list[tuple[int, ...]]:
    """For each word of each true target, the place of its largest α, from 0.

    Raises:
        ValueError: as `alignment_counts`.
    """
    if network.attention is None:
        raise ValueError("weights α can be counted only in a model with attention; it has none")
    where, found = device_of(network), list[tuple[int, ...]]()
    for start in range(0, len(sources), BATCH):
        some = sources[start : start + BATCH]
        batch = translation_batch(some, task)
        assert batch.source is not None
        weights = network(batch.source.to(where), batch.inputs.to(where)).weights
        lengths = ((batch.targets >= 0).sum(dim=1) - 1).tolist()  # without </s>
        rows = weights.argmax(dim=-1).tolist()
        found += [tuple(row[:length]) for row, length in zip(rows, lengths, strict=True)]
    return found


def word_class(word: str) -> WordClass:
    """The class of a word of a source; a word of no other class is a conjunction."""
    if word in ARTICLES:
        return "article"
    if word in ADJECTIVES:
        return "adjective"
    if word in NOUN_FORMS:
        return "noun"
    if word in NAMES:
        return "name"
    return "verb" if word in VERBS else "conjunction"


def noun_place(source: Sequence[str], place: int) -> int | None:
    """The place of the noun that `place` is, or precedes as article or adjective; None if none."""
    while place < len(source) and (source[place] in ARTICLES or source[place] in ADJECTIVES):
        place += 1
    return place if place < len(source) and source[place] in NOUN_FORMS else None
