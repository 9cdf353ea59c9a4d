"""Sentences as word ids, and every pair of words that are at most m apart in one sentence.

    w_1 … w_T        pairs (w_t, w_{t+j}) with −m ≤ j ≤ m, j ≠ 0, both within the sentence

w_t is the centre of the pair, w_{t+j} its context. All pairs are kept with their places, so that a
count can be traced back to the sentences it was counted in.

Source: Mikolov et al. 2013, "Distributed representations of words and phrases and their
compositionality", sections 2 and 2.3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_row

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_WORDS = 3000
"""Distinct words: a table of all pairs of words must fit into memory."""
MOST_TOKENS = 500_000
WIDEST_WINDOW = 10


@dataclass(frozen=True, slots=True, eq=False)
class SentenceTokens:
    """Tokenised sentences end to end; sentences and positions are counted from 0."""

    words: tuple[str, ...]
    """The distinct words, most frequent first; the id of a word is its index."""
    ids: Int[Tensor, " token"]
    sentences: Int[Tensor, " token"]
    """The sentence of each token."""
    positions: Int[Tensor, " token"]
    """The position of each token in its sentence."""

    @property
    def frequencies(self) -> Int[Tensor, " word"]:
        """How often each word occurs."""
        return torch.bincount(self.ids, minlength=len(self.words))

    def to_frame(self) -> DataFrame:
        """One row per token: sentence, position, word."""
        named = [self.words[i] for i in self.ids.tolist()]
        return dataframes.frame(
            {"sentence": self.sentences, "position": self.positions, "word": named}
        )


@dataclass(frozen=True, slots=True, eq=False)
class WindowPairs:
    """All pairs of tokens at most `window` apart in one sentence, in reading order."""

    text: SentenceTokens
    window: int
    centres: Int[Tensor, " pair"]
    """The index of the centre among the tokens of the text."""
    contexts: Int[Tensor, " pair"]
    """The index of the context word."""

    @property
    def words(self) -> tuple[str, ...]:
        """The distinct words of the text."""
        return self.text.words

    @property
    def centre_ids(self) -> Int[Tensor, " pair"]:
        """The word id of each centre."""
        return self.text.ids[self.centres]

    @property
    def context_ids(self) -> Int[Tensor, " pair"]:
        """The word id of each context word."""
        return self.text.ids[self.contexts]

    def to_frame(self) -> DataFrame:
        """One row per pair: sentence, position and word of the centre and of the context."""
        text, words = self.text, self.words
        return dataframes.frame(
            {
                "sentence": text.sentences[self.centres],
                "position": text.positions[self.centres],
                "context position": text.positions[self.contexts],
                "word": [words[i] for i in self.centre_ids.tolist()],
                "context": [words[i] for i in self.context_ids.tolist()],
            }
        )


def index_sentences(sentences: Sequence[Sequence[str]]) -> SentenceTokens:
    """The word ids of tokenised sentences; words of equal frequency are in alphabetical order.

    Raises:
        ValueError: if a sentence is not a list of words, there is no word, more than `MOST_TOKENS`,
            or more than `MOST_WORDS` distinct ones.
    """
    check_row("sentences", sentences, "[['the', 'cat', 'sat']]")
    for number, sentence in enumerate(sentences, start=1):
        check_row(f"sentence {number}", sentence, "['the', 'cat', 'sat']")
    counts = Counter(word for sentence in sentences for word in sentence)
    check_between("the number of tokens", counts.total(), 1, MOST_TOKENS)
    check_between("the number of distinct words", len(counts), 1, MOST_WORDS)
    words = tuple(sorted(counts, key=lambda word: (-counts[word], word)))
    ids = {word: i for i, word in enumerate(words)}
    places = [
        (ids[word], number, position)
        for number, sentence in enumerate(sentences)
        for position, word in enumerate(sentence)
    ]
    return SentenceTokens(words, *torch.tensor(places).unbind(dim=1))


def window_pairs(text: SentenceTokens, window: int = 2) -> WindowPairs:
    """Every pair of tokens at most `window` apart; a pair never crosses the end of a sentence.

    Raises:
        ValueError: if the window is not from 1 to `WIDEST_WINDOW`.
    """
    check_between("the window m", window, 1, WIDEST_WINDOW)
    offsets = torch.tensor([j for j in range(-window, window + 1) if j])
    centres = torch.arange(len(text.ids))[:, None].expand(-1, len(offsets))
    contexts = centres + offsets
    inside = (contexts >= 0) & (contexts < len(text.ids))
    inside &= text.sentences[contexts.clamp(0, len(text.ids) - 1)] == text.sentences[centres]
    return WindowPairs(text, window, centres[inside], contexts[inside])


def subsample(text: SentenceTokens, threshold: float, seed: int = 0) -> SentenceTokens:
    """The text without some occurrences of its frequent words.

        p(an occurrence of w is dropped) = max(0, 1 − √(threshold / f(w)))

    f(w) is the share of w among all tokens. The remaining words of a sentence move together, so
    that a window reaches further. Positions and ids stay those of the whole text.
    Variant: drawn once; word2vec draws again in every epoch.

    Raises:
        ValueError: if the threshold is not above 0 and at most 1, or no word remains.
    """
    if not (math.isfinite(threshold) and 0 < threshold <= 1):
        raise ValueError(f"the threshold must be above 0 and at most 1; got {threshold:g}")
    share = text.frequencies.double() / len(text.ids)
    kept = (threshold / share).sqrt()[text.ids]
    uniforms = torch.rand(
        len(text.ids), generator=torch.Generator().manual_seed(seed), dtype=torch.float64
    )
    stays = uniforms < kept
    if not bool(stays.any()):
        raise ValueError(f"the threshold must leave at least one word; got {threshold:g}")
    return SentenceTokens(text.words, text.ids[stays], text.sentences[stays], text.positions[stays])
