"""Sentences of running text for a masked model: equal lengths together, single words masked.

A word is masked whole; only words that are one token of the vocabulary are masked, so that one
[MASK] stands for one word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

SHORTEST, LONGEST = 3, 46
"""Tokens of a sentence, without [CLS] and [SEP]."""
CHUNK = 5000
"""Sentences that are tokenized at once."""


class SentencesOfLength(NamedTuple):
    """Sentences of equal length, [CLS] and [SEP] included."""

    ids: Int[np.ndarray, "sentence time"]
    words: Bool[np.ndarray, "sentence time"]
    """Whether a token is a whole word of letters."""
    chance: Float[np.ndarray, " sentence"]
    """Proportional to how often a sentence is drawn; the sum over all lengths is 1."""


class MaskedSentences(NamedTuple):
    """A batch: the tokens with [MASK]s, where these are, and the original tokens, row by row."""

    tokens: Int[Tensor, "sentence time"]
    covered: Bool[Tensor, "sentence time"]
    targets: Int[Tensor, " covered"]


@dataclass(frozen=True, slots=True)
class SentencePool:
    """Sentences of several sources, by length."""

    by_length: tuple[SentencesOfLength, ...]
    mask: int

    @classmethod
    def make(
        cls, tokenizer: Tokenizer, sources: Mapping[str, Sequence[str]], shares: Mapping[str, float]
    ) -> SentencePool:
        """Tokenize sentences; each source is drawn in its share of the tokens.

        Raises:
            ValueError: if there is no [MASK], or a source has no sentence of `SHORTEST` to
                `LONGEST` tokens with a word.
        """
        mask = tokenizer.token_to_id("[MASK]")
        if mask is None:
            raise ValueError("the tokenizer must have [MASK]; it has none")
        rows: dict[int, list[tuple[list[int], list[bool], float]]] = {}
        for name, texts in sources.items():
            found = list(_tokenized(tokenizer, texts))
            if not found:
                raise ValueError(f"the source {name} must hold sentences; got none that fit")
            each = shares[name] / sum(len(ids) for ids, _ in found)
            for ids, words in found:
                rows.setdefault(len(ids), []).append((ids, words, each))
        return cls(
            tuple(
                SentencesOfLength(*(np.array(column) for column in zip(*rows[n], strict=True)))
                for n in sorted(rows)
            ),
            mask,
        )

    def draw(self, rng: np.random.Generator, tokens: int, rate: float) -> MaskedSentences:
        """About `tokens` tokens of sentences of one length, each with `rate` of its words masked.

        At least one word of each sentence is masked.
        """
        weights = np.array([each.chance.sum() * each.ids.shape[1] for each in self.by_length])
        group = self.by_length[rng.choice(len(weights), p=weights / weights.sum())]
        count = max(1, tokens // group.ids.shape[1])
        rows = rng.choice(len(group.ids), count, p=group.chance / group.chance.sum())
        covered = cover_words(group.words[rows], rate, rng)
        return mask_places(group.ids[rows], covered, self.mask)


def cover_words(
    words: Bool[np.ndarray, "sentence time"], rate: float, rng: np.random.Generator
) -> Bool[np.ndarray, "sentence time"]:
    """Choose words at random: `rate` of each row's on average, at least one."""
    wanted = np.maximum(1, np.floor(rate * words.sum(1) + rng.random(len(words))))
    order = np.where(words, rng.random(words.shape), 2.0).argsort(1).argsort(1)
    covered: NDArray[np.bool_] = words & (order < wanted[:, None])
    return covered


def mask_places(
    ids: Int[np.ndarray, "sentence time"], covered: Bool[np.ndarray, "sentence time"], mask: int
) -> MaskedSentences:
    """The batch in which the covered places are [MASK]."""
    return MaskedSentences(
        torch.from_numpy(np.where(covered, mask, ids)),
        torch.from_numpy(covered),
        torch.from_numpy(ids[covered]),
    )


def _tokenized(
    tokenizer: Tokenizer, texts: Sequence[str]
) -> Iterator[tuple[list[int], list[bool]]]:
    for start in range(0, len(texts), CHUNK):
        for read in tokenizer.encode_batch(list(texts[start : start + CHUNK])):
            words = whole_words(read.tokens, read.word_ids)
            if SHORTEST <= len(read.ids) - 2 <= LONGEST and any(words):
                yield read.ids, words


def whole_words(tokens: Sequence[str], word_of: Sequence[int | None]) -> list[bool]:
    """Which tokens are a word of letters by themselves."""
    pieces = np.bincount([word for word in word_of if word is not None], minlength=1)
    return [
        word is not None and int(pieces[word]) == 1 and token.isalpha()
        for token, word in zip(tokens, word_of, strict=True)
    ]
