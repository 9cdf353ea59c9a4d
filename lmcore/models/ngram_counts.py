"""Counting n-grams with arrays, millions per second.

An n-gram is a pair (context, last token) packed into one integer. The context, one token shorter,
is represented by its index among the n-grams of its own length, so the integers stay small for
every N: 10⁶ contexts × 10⁴ types are 10¹⁰.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int, Int64

from lmcore.corpora.documents import Documents
from lmcore.vocabulary import START, Vocabulary

ABSENT = -1
"""Stands for the number of an n-gram that never occurred."""


@dataclass(frozen=True, slots=True, eq=False)
class NGramTable:
    """All n-grams of one length: number i is the pair (context, token) packed in `grams[i]`.

    `grams` = context · types + token, rising. The context of a single token is 0. N-grams that end
    in `<s>` are there to be contexts; their count is 0.
    """

    types: int
    """|V|"""
    grams: Int64[np.ndarray, " gram"]
    counts: Int64[np.ndarray, " gram"]
    totals: Int64[np.ndarray, " context"]
    """C: the sum of a context's counts."""
    kinds: Int64[np.ndarray, " context"]
    """How many different tokens follow a context."""

    def find(
        self, context: Int64[np.ndarray, " token"], tokens: Int64[np.ndarray, " token"]
    ) -> Int64[np.ndarray, " token"]:
        """The number of each n-gram, or ABSENT."""
        packed = context * self.types + tokens
        places = np.searchsorted(self.grams, packed)
        present = np.append(self.grams, np.iinfo(np.int64).min)[places] == packed
        return np.where(present & (context != ABSENT), places, ABSENT)

    def row(self, context: int) -> Int64[np.ndarray, " vocabulary"]:
        """How often each type follows one context; zeros if the context is ABSENT."""
        counts = np.zeros(self.types, dtype=np.int64)
        if context == ABSENT:
            return counts
        ends = [context * self.types, (context + 1) * self.types]
        first, last = np.searchsorted(self.grams, ends)
        counts[self.grams[first:last] % self.types] = self.counts[first:last]
        return counts


class TokenStream(NamedTuple):
    """Documents end to end, with the `<s>` they need in front to fill a context."""

    tokens: Int64[np.ndarray, " token"]
    depth: Int64[np.ndarray, " token"]
    """Which token of its document: the first, at depth 1, has nothing before it."""
    predicted: Bool[np.ndarray, " token"]
    """Whether it is a token that a model predicts."""


def concatenate_documents(documents: Documents, order: int, start: int | None) -> TokenStream:
    """Each document with N−1 `<s>` in front (at least the one it has).

    With no `start` nothing is put in front, and every token but the first of each is predicted.

    Raises:
        ValueError: if `start` is not the first token of every document, or is a later one.
    """
    if start is not None:
        _check_starts(documents, start)
    added = 0 if start is None else max(order - 2, 0)
    lengths = documents.lengths + added
    ends = np.cumsum(lengths)
    depth = 1 + np.arange(lengths.sum()) - np.repeat(ends - lengths, lengths)
    tokens = np.full(len(depth), start or 0, dtype=np.int64)
    tokens[depth > added] = documents.tokens
    return TokenStream(tokens, depth, depth > added + 1)


def check_tokens(tokens: Int[np.ndarray, " token"], vocabulary: Vocabulary) -> None:
    """Reject what is not an id.

    Raises:
        ValueError: naming the first such token.
    """
    wrong = (tokens < 0) | (tokens >= len(vocabulary))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise ValueError(
            f"token {place + 1} must be an id from 0 to {len(vocabulary) - 1}; got {tokens[place]}"
        )


def count_ngrams(
    text: TokenStream,
    counted: Bool[np.ndarray, " token"],
    *,
    order: int,
    types: int,
    continuation: bool,
) -> tuple[NGramTable, ...]:
    """The tables of all lengths from 1 to N, over the n-grams that end in a `counted` token.

    With `continuation` all but the longest count how many different tokens precede the
    n-gram (Kneser & Ney) instead of how often it occurs.
    """
    tables: list[NGramTable] = []
    numbers: list[Int64[np.ndarray, " token"]] = []
    context = np.zeros(len(text.tokens), dtype=np.int64)
    contexts = 1
    for n in range(1, order + 1):
        whole = text.depth >= n
        grams, places = np.unique((context * types + text.tokens)[whole], return_inverse=True)
        counts = np.bincount(places[counted[whole]], minlength=len(grams))
        number = np.full(len(context), ABSENT)
        number[whole] = places
        if continuation and n > 1:
            shorter, seen = tables[-1], number >= 0
            suffix = np.empty(len(grams), dtype=np.int64)
            suffix[number[seen]] = numbers[-1][seen]
            before = np.bincount(suffix[counts > 0], minlength=len(shorter.grams))
            tables[-1] = _table(types, shorter.grams, before, len(shorter.totals))
        tables.append(_table(types, grams, counts, contexts))
        numbers.append(number)
        context, contexts = next_contexts(number), len(grams)
    return tuple(tables)


def ngrams_by_length(
    tables: Sequence[NGramTable],
    tokens: Int64[np.ndarray, " token"],
    depth: Int64[np.ndarray, " token"],
) -> Iterator[tuple[Int64[np.ndarray, " token"], Int64[np.ndarray, " token"]]]:
    """For each length: the number of the context before every token, and of the n-gram it ends.

    ABSENT where a context or an n-gram never occurred, or begins before its document does.
    """
    context = np.zeros(len(tokens), dtype=np.int64)
    for n, table in enumerate(tables, start=1):
        context = np.where(depth >= n, context, ABSENT)
        number = table.find(context, tokens)
        yield context, number
        context = next_contexts(number)


def next_contexts(number: Int64[np.ndarray, " token"]) -> Int64[np.ndarray, " token"]:
    """The n-gram that ends in a token is the context of the next one."""
    return np.append(ABSENT, number[:-1])


def take_or_zero(
    values: Int64[np.ndarray, " gram"], places: Int64[np.ndarray, " token"]
) -> Int64[np.ndarray, " token"]:
    """The values at some places; 0 where a place is ABSENT, that is −1."""
    picked: Int64[np.ndarray, " token"] = np.append(values, 0)[places]
    return picked


def _check_starts(documents: Documents, start: int) -> None:
    number = np.repeat(np.arange(len(documents)), documents.lengths)
    here = np.bincount(number[documents.tokens == start], minlength=len(documents))
    first = np.append(documents.tokens, start)[documents.offsets[:-1]]
    wrong = (here != 1) | (first != start)
    if wrong.any():
        raise ValueError(
            f"each document must begin with {START!r} and hold it nowhere else; "
            f"got document {int(np.argmax(wrong)) + 1} of {len(documents)}, which does not"
        )


def _table(
    types: int,
    grams: Int64[np.ndarray, " gram"],
    counts: Int64[np.ndarray, " gram"],
    contexts: int,
) -> NGramTable:
    owner = grams // types
    totals = np.bincount(owner, weights=counts, minlength=contexts).astype(np.int64)
    return NGramTable(
        types, grams, counts, totals, np.bincount(owner[counts > 0], minlength=contexts)
    )
