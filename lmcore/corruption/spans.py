"""SpanBERT's masking: spans of whole words are chosen until the given share is reached.

    p(n) ∝ p (1 − p)^(n−1),  n = 1 … 10,  p = 0.2          words of a span; 3.8 on average

A span begins at a random word and extends to the right. All of it becomes [MASK], or all is
replaced at random, or all is kept. Tokens that an earlier span took stay with that span.

Spans are drawn until every word is taken. The uniform number of a token is the share of tokens
taken before its word, so a threshold decides as it does for single tokens: a word is chosen if the
share was not yet reached at its turn.

Source: Joshi et al. 2020, "SpanBERT", section 3.1 (p = 0.2, at most 10, mean 3.8; complete words;
15 % in all; 80, 10 and 10 % of spans). A mean of 3.8 is that of the geometric distribution cut off
after 10 and scaled to sum to 1, as in their code; with the tail put on 10 it would be 4.46.
Variant: the last word is taken whole, where their code stops within it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.corruption.corruption import CorruptionDraws
from lmcore.corruption.whole_words import WordPieces

if TYPE_CHECKING:
    from pandas import DataFrame

P = 0.2
"""The parameter of the geometric distribution."""
LONGEST = 10
"""Words of a span."""


class Span(NamedTuple):
    """A drawn span: its first word, its length, the words to the right, and its positions.

    The positions are those that no earlier span had taken.
    """

    first: int
    drawn: int
    words: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SpanTrace:
    """The spans in the order they were drawn, then the draws they amount to."""

    spans: tuple[Span, ...]
    draws: CorruptionDraws

    def to_frame(self) -> DataFrame:
        """One row per span: first word, words drawn, words to the end, tokens it takes."""
        return dataframes.frame(
            {
                "first word": [span.first for span in self.spans],
                "words drawn": [span.drawn for span in self.spans],
                "words in the text": [span.words for span in self.spans],
                "tokens it takes": [len(span.places) for span in self.spans],
            }
        )


def lengths(p: float = P, longest: int = LONGEST) -> Float64[Tensor, " length"]:
    """The probability of 1, 2, … `longest` words.

    Raises:
        ValueError: if p is not above 0 and below 1, or `longest` is below 1.
    """
    if not 0 < p < 1:
        raise ValueError(f"p must be above 0 and below 1; got {p:g}")
    if longest < 1:
        raise ValueError(f"the longest span must have 1 word or more; got {longest}")
    weights = p * (1 - p) ** torch.arange(longest, dtype=torch.float64)
    return weights / weights.sum()


def mean_length(chances: Float64[Tensor, " length"]) -> float:
    """Σ n p(n), in words."""
    return float((chances * torch.arange(1, len(chances) + 1)).sum())


def choose_spans(
    draws: CorruptionDraws, words: WordPieces, generator: torch.Generator
) -> SpanTrace:
    """Turn the draws for single tokens into draws for spans, which share one outcome.

    Raises:
        ValueError: if the draws are of several texts, or there is no word.
    """
    if len(draws.chance) != 1 or not words:
        raise ValueError(
            "spans must be drawn for 1 text with 1 word or more; "
            f"got {len(draws.chance)} with {len(words)}"
        )
    # Python numbers: setting the entries of a tensor one by one costs more than all the rest.
    chances, drawn_ways = lengths(), draws.way[0].tolist()
    chance, way = draws.chance[0].tolist(), list(drawn_ways)
    total, taken = sum(map(len, words)), 0
    left = set(range(len(words)))
    spans = []
    while left:
        length = 1 + int(torch.multinomial(chances, 1, generator=generator))
        first = int(torch.randint(len(words), (1,), generator=generator))
        if first not in left:
            continue
        run = range(first, min(first + length, len(words)))
        fresh = [word for word in run if word in left]
        for word in fresh:
            for place in words[word]:
                chance[place], way[place] = taken / total, drawn_ways[words[first][0]]
            taken += len(words[word])
        left -= set(fresh)
        places = tuple(place for word in fresh for place in words[word])
        spans.append(Span(first, length, len(run), places))
    made = CorruptionDraws(
        draws.chance.new_tensor([chance]), draws.way.new_tensor([way]), draws.drawn
    )
    return SpanTrace(tuple(spans), made)
