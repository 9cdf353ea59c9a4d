"""n-gram language models: the next word from the last N−1, by counting.

All smoothing methods have one form: a context *keeps* some probability for the words that followed
it, and passes the rest, the *weight* λ, to a lower-order distribution:

    p(w | context) = kept(w) + λ · lower(w)

    none          kept = c / C                    λ = 0
    add-k         kept = c / (C + k|V|)           λ = k|V| / (C + k|V|)    lower = 1/|V|
    Kneser–Ney    kept = max(c − D, 0) / C        λ = D · kinds / C        lower: a shorter context

c counts the n-gram and C its context; kinds are the different words after the context. In
Kneser–Ney the longest n-grams count how often they occur, shorter ones how many different words
precede them; below the unigram lies 1/|V|, and a context that never occurred has λ = 1.

Source: Chen & Goodman 1999, "An empirical study of smoothing techniques for language modeling":
additive smoothing, and Kneser–Ney interpolated with one discount; Kneser & Ney 1995.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_kind
from lmcore.corpora.documents import Documents, concatenate
from lmcore.models.ngram_counts import (
    NGramTable,
    check_tokens,
    concatenate_documents,
    count_ngrams,
    ngrams_by_length,
    take_or_zero,
)
from lmcore.token_ids import TextIds, text_ids
from lmcore.vocabulary import START, Vocabulary

if TYPE_CHECKING:
    from pandas import DataFrame

SMOOTHINGS = ("none", "add-k", "kneser-ney")
LONGEST = 5
LARGEST_K = 1000.0


@dataclass(frozen=True, slots=True)
class NGramConfig:
    """N, and the smoothing of n-grams that never occurred.

    `k` is added to every count (add-k only); `discount` D is subtracted from every count above 0
    (Kneser–Ney only).
    """

    order: int = 3
    smoothing: str = "kneser-ney"
    k: float = 1.0
    discount: float = 0.75

    def __post_init__(self) -> None:
        """Raises ValueError naming the setting that is out of bounds."""
        if isinstance(self.order, bool) or not isinstance(self.order, Integral):
            raise ValueError(f"the order N must be a whole number; got {self.order!r}")
        object.__setattr__(self, "order", int(self.order))  # numpy's whole numbers too
        if not 1 <= self.order <= LONGEST:
            raise ValueError(f"the order N must be from 1 to {LONGEST}; got {self.order}")
        if self.smoothing not in SMOOTHINGS:
            known = ", ".join(SMOOTHINGS)
            raise ValueError(f"smoothing must be one of {known}; got {self.smoothing!r}")
        for name in ("k", "discount"):
            if not isinstance(getattr(self, name), Real):
                raise ValueError(f"{name} must be a number; got {getattr(self, name)!r}")
        if not 0 < self.k <= LARGEST_K:
            raise ValueError(f"k must be above 0 and at most {LARGEST_K:g}; got {self.k:g}")
        if not 0 < self.discount <= 1:
            raise ValueError(f"the discount D must be above 0 and at most 1; got {self.discount:g}")

    @property
    def interpolates(self) -> bool:
        """Whether shorter contexts contribute."""
        return self.smoothing == "kneser-ney"

    def share(self, c: Any, total: Any, kinds: Any, *, types: int) -> Interpolation:
        """How the probability mass of a context is divided; takes numbers or arrays."""
        if self.smoothing == "add-k":
            whole = total + self.k * types
            return Interpolation(c / whole, self.k * types / whole)
        some = np.maximum(total, 1)  # where the context never occurred, c is 0 too
        if self.smoothing == "none":
            return Interpolation(c / some, np.zeros_like(some, dtype=float))
        given = np.where(np.equal(total, 0), 1.0, self.discount * kinds / some)
        return Interpolation(np.maximum(c - self.discount, 0.0) / some, given)


class Interpolation(NamedTuple):
    """What a context keeps for words seen after it, and the weight λ of the lower order."""

    kept: Any
    weight: Any


@dataclass(frozen=True, slots=True)
class NGramStep:
    """The sum for a context of one length: p = kept + weight · lower."""

    context: tuple[int, ...]
    continuation: bool
    """Whether the counts are of different words before the n-gram, not of its occurrences."""
    count: int
    context_count: int
    kinds: int
    kept: float
    weight: float
    """λ"""
    lower: float
    probability: float


@dataclass(frozen=True, slots=True)
class NGramTrace:
    """One probability, and the counts that make it.

    `seen` says whether the context ever occurred. Where it did not and nothing smooths, there is
    no estimate: 0 is given for every word, which makes the perplexity infinite.
    """

    token: int
    steps: tuple[NGramStep, ...]
    """From no context to the longest, for Kneser–Ney; the longest alone for the others."""
    seen: bool
    probability: float

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per length of context: context, c, C, kinds, kept, λ, lower, p; the longest last.

        A context is a tuple of ids, or of tokens if the vocabulary is given.
        """
        rows = self.steps
        return dataframes.frame(
            {
                "context": [tuple(dataframes.token_names(s.context, vocabulary)) for s in rows],
                "c": [s.count for s in rows],
                "C": [s.context_count for s in rows],
                "kinds": [s.kinds for s in rows],
                "kept": [s.kept for s in rows],
                "λ": [s.weight for s in rows],
                "lower": [s.lower for s in rows],
                "p": [s.probability for s in rows],
            }
        )


class NGramRows(NamedTuple):
    """Some rows of the model; a count of 0 is a continuation that never occurred."""

    contexts: tuple[str, ...]
    words: tuple[str, ...]
    counts: Int64[np.ndarray, "context word"]
    probabilities: Float64[np.ndarray, "context word"]

    def to_frame(self) -> DataFrame:
        """One row per context and word: context, word, c, p."""
        return dataframes.frame(
            {
                "context": np.repeat(self.contexts, len(self.words)),
                "word": np.tile(self.words, len(self.contexts)),
                "c": self.counts.reshape(-1),
                "p": self.probabilities.reshape(-1),
            }
        )


@dataclass(frozen=True, eq=False)
class NGram:
    """A language model from tables of counts, made by `fit_ngram`.

    `padded` says that they were counted on documents. Then the `<s>` that begins a document
    stands for N−1 of them, and is never predicted: its probability is 0 and |V| in the equations
    leaves it out. On one running text every type is predicted. If fewer than N−1 tokens precede,
    and no `<s>` marks them as the first, the shorter context is used.
    """

    config: NGramConfig
    vocabulary: Vocabulary
    tables: tuple[NGramTable, ...]
    padded: bool

    @cached_property
    def uniform(self) -> Float64[np.ndarray, " vocabulary"]:
        """1/|V|, the distribution below the unigram."""
        level = np.full(len(self.vocabulary), 1 / (len(self.vocabulary) - self.padded))
        if self.padded:
            level[self.vocabulary.ids[START]] = 0.0
        return level

    def log_probabilities(self, tokens: TextIds) -> Float64[Tensor, "time vocabulary"]:
        """Row t holds log p(x_{t+1} = · | the last N−1 of x_1 … x_t), in nats.

        Every row of a smoothed model sums to 1. Without smoothing, what never followed the
        context is `-inf`; where the context never occurred, all of the row is.

        Raises:
            ValueError: if there are no tokens, or one is not an id of the vocabulary.
        """
        ids = _ids(tokens)
        contexts = self._contexts(ids)[-len(ids) :]
        return torch.from_numpy(_log(np.stack([self._row(numbers) for numbers in contexts])))

    def after(self, tokens: TextIds) -> Float64[Tensor, " vocabulary"]:
        """The last row of `log_probabilities` alone, computed for that row only; same errors."""
        return torch.from_numpy(_log(self._row(self._contexts(_ids(tokens))[-1])))

    def batch_log_probability(self, documents: Documents) -> Float64[np.ndarray, " predicted"]:
        """log p, in nats, of every token but the first of each document, documents end to end.

        The numbers of `log_probabilities`, for thousands of documents at once.

        Raises:
            ValueError: if a token is not an id; or, for a padded model, if `<s>` is not the first
                token of every document, or is a later one.
        """
        check_tokens(documents.tokens, self.vocabulary)
        start = self.vocabulary.ids[START] if self.padded else None
        tokens, depth, predicted = concatenate_documents(documents, self.config.order, start)
        uniform = p = self.uniform[tokens]
        for n, (context, gram) in enumerate(ngrams_by_length(self.tables, tokens, depth), start=1):
            table = self.tables[n - 1]
            kept, weight = self._share(
                take_or_zero(table.counts, gram),
                take_or_zero(table.totals, context),
                take_or_zero(table.kinds, context),
            )
            lower = p if self.config.interpolates else uniform
            p = np.where(depth >= n, kept + weight * lower, p)
        return _log(p[predicted])

    def explain(self, context: Sequence[int], token: int) -> NGramTrace:
        """How p(token | context) is computed; only the last N−1 ids of the context matter.

        Raises:
            ValueError: if an id is not one of the vocabulary.
        """
        text = self._after(np.array(context, dtype=np.int64), token)[-self.config.order :]
        steps: list[NGramStep] = []
        p = uniform = float(self.uniform[token])
        numbers = ngrams_by_length(self.tables, text, 1 + np.arange(len(text)))
        for n, (contexts, grams) in zip(range(1, len(text) + 1), numbers, strict=False):
            table = self.tables[n - 1]
            c = take_or_zero(table.counts, grams[-1:]).item()
            total = take_or_zero(table.totals, contexts[-1:]).item()
            kinds = take_or_zero(table.kinds, contexts[-1:]).item()
            kept, weight = map(float, self._share(c, total, kinds))
            lower = p if self.config.interpolates else uniform
            p = kept + weight * lower
            continuation = self.config.interpolates and n < self.config.order
            before = tuple(text[len(text) - n : -1].tolist())
            steps.append(NGramStep(before, continuation, c, total, kinds, kept, weight, lower, p))
        shown = steps if self.config.interpolates else steps[-1:]
        return NGramTrace(token, tuple(shown), steps[-1].context_count > 0, p)

    def table(self, contexts: Sequence[str], words: Sequence[str] | None = None) -> NGramRows:
        """The rows of some contexts, each typed as text ("dog gets"); all words, or only some.

        Raises:
            ValueError: if no context is given, or a word is not in the vocabulary.
        """
        if not contexts:
            raise ValueError("contexts must hold at least one; got none")
        wanted = tuple(self.vocabulary.tokens if words is None else words)
        columns = self.vocabulary.encode(wanted)
        typed = [self.vocabulary.encode(self.vocabulary.split(each)) for each in contexts]
        found = [self._contexts(np.array(ids, dtype=np.int64))[-1] for ids in typed]
        counts = [self.tables[len(numbers) - 1].row(numbers[-1])[columns] for numbers in found]
        p = [self._row(numbers)[columns] for numbers in found]
        return NGramRows(tuple(contexts), wanted, np.stack(counts), np.stack(p))

    def _contexts(self, ids: Int64[np.ndarray, " token"]) -> list[list[int]]:
        """Before each token and after the last: the numbers of the contexts by length, from 0."""
        text = self._after(ids, 0)  # any id may stand for the next token: only contexts count
        walked = ngrams_by_length(self.tables, text, 1 + np.arange(len(text)))
        columns = np.stack([contexts for contexts, _ in walked], axis=1).tolist()
        return [numbers[: place + 1] for place, numbers in enumerate(columns)]

    def _row(self, contexts: Sequence[int]) -> Float64[np.ndarray, " vocabulary"]:
        """p of every type, given the numbers of the contexts by length, from 0."""
        p = self.uniform
        for table, context in zip(self.tables, contexts, strict=False):
            c = table.row(context)
            kept, weight = self._share(c, int(c.sum()), np.count_nonzero(c))
            p = kept + weight * (p if self.config.interpolates else self.uniform)
        return p

    def _share(self, c: Any, total: Any, kinds: Any) -> Interpolation:
        return self.config.share(c, total, kinds, types=len(self.vocabulary) - self.padded)

    def _after(
        self, context: Int64[np.ndarray, " token"], token: int
    ) -> Int64[np.ndarray, " long"]:
        """The context and a token after it; behind as many `<s>` as documents have in front."""
        text = np.append(context, token)
        check_tokens(text, self.vocabulary)
        begins = self.padded and len(context) > 0 and context[0] == self.vocabulary.ids[START]
        extra = max(self.config.order - 2, 0) if begins else 0
        return np.concatenate([np.repeat(context[:1], extra), text])


def fit_ngram(config: NGramConfig, vocabulary: Vocabulary, text: Documents | TextIds) -> NGram:
    """Count documents, each `<s> … </s>`, or one running text without ends.

    In a running text the first tokens have shorter contexts, and none is put in front.

    Raises:
        ValueError: if there is nothing to count, a token is not an id of the vocabulary, or `<s>`
            is not the first token of every document, or is a later one.
    """
    check_kind("config", config, NGramConfig)
    check_kind("the vocabulary", vocabulary, Vocabulary)
    padded = isinstance(text, Documents)
    documents = text if isinstance(text, Documents) else concatenate([text_ids(text).numpy()])
    if padded and START not in vocabulary:
        raise ValueError(f"the vocabulary must hold {START!r} to read documents; it does not")
    check_tokens(documents.tokens, vocabulary)
    start = vocabulary.ids[START] if padded else None
    laid = concatenate_documents(documents, config.order, start)
    counted = laid.predicted if padded else np.ones_like(laid.predicted)
    if not counted.any():
        raise ValueError("the text must hold at least one token to count; got none")
    order, types = config.order, len(vocabulary)
    tables = count_ngrams(laid, counted, order=order, types=types, continuation=config.interpolates)
    return NGram(config, vocabulary, tables, padded)


def _ids(tokens: TextIds) -> Int64[np.ndarray, " token"]:
    ids = text_ids(tokens)
    if not len(ids):
        raise ValueError("tokens must hold at least one id; got none")
    return ids.numpy(force=True)


def _log(p: Float64[np.ndarray, "*rows"]) -> Float64[np.ndarray, "*rows"]:
    with np.errstate(divide="ignore"):
        logs: Float64[np.ndarray, "*rows"] = np.log(p)
    return logs
