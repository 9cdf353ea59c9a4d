"""Co-occurrence counts of words, the places they were counted at, PMI and PPMI.

    X_wc          how often c is in the window of w
    PMI(w, c)     log( p(w, c) / (p(w) p_α(c)) )        natural logarithm
    PPMI(w, c)    max(0, PMI(w, c))
    p_α(c)        (Σ_w X_wc)^α / Σ_c' (Σ_w X_wc')^α

With α below 1 rare context words get more probability, which lowers their PMI. Where the count is
0 the PMI is −∞; both measures are set to 0 there.

Source: Church & Hanks 1990 (PMI); Levy, Goldberg & Dagan 2015, sections 2.1 and 3.2 (PPMI, α).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.dataframes import Trace
from lmcore.embeddings.static.pairs import WindowPairs
from lmcore.embeddings.static.vectors import word_index

if TYPE_CHECKING:
    from pandas import DataFrame

SMOOTHING = 0.75
"""α of Levy, Goldberg & Dagan 2015."""


@dataclass(frozen=True, slots=True, eq=False)
class CooccurrenceCounts:
    """X, and the pairs that were counted; X is symmetric."""

    pairs: WindowPairs
    counts: Float64[Tensor, "word word"]
    """Rows are the centre words, columns the context words."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the rows and of the columns."""
        return self.pairs.words

    def to_frame(self) -> DataFrame:
        """One row per count above 0: word, context, count."""
        rows, columns = self.counts.nonzero(as_tuple=True)
        return dataframes.frame(
            {
                "word": [self.words[i] for i in rows.tolist()],
                "context": [self.words[i] for i in columns.tolist()],
                "count": self.counts[rows, columns],
            }
        )


@dataclass(frozen=True, slots=True, eq=False)
class CellPlaces:
    """Where one cell of X was counted, in reading order; all numbers count from 0."""

    sentences: Int[Tensor, " place"]
    positions: Int[Tensor, " place"]
    """The position of the centre word in its sentence."""
    context_positions: Int[Tensor, " place"]

    def to_frame(self) -> DataFrame:
        """One row per place: sentence, position, context position."""
        return dataframes.frame(
            {
                "sentence": self.sentences,
                "position": self.positions,
                "context position": self.context_positions,
            }
        )


@dataclass(frozen=True, slots=True, eq=False)
class MutualInformation(Trace):
    """PMI of every cell, step by step; natural logarithms."""

    joint: Float64[Tensor, "word context"]
    """p(w, c) = X_wc / Σ X"""
    word: Float64[Tensor, " word"]
    """p(w)"""
    context: Float64[Tensor, " context"]
    """p_α(c)"""
    expected: Float64[Tensor, "word context"]
    """p(w) p_α(c): the probability if the two words were independent"""
    pmi: Float64[Tensor, "word context"]
    ppmi: Float64[Tensor, "word context"]


def count_cooccurrences(pairs: WindowPairs) -> CooccurrenceCounts:
    """X: how many pairs there are of each centre word and each context word."""
    types = len(pairs.words)
    cells = pairs.centre_ids * types + pairs.context_ids
    counts = torch.bincount(cells, minlength=types**2).view(types, types)
    return CooccurrenceCounts(pairs, counts.double())


def cell_places(counts: CooccurrenceCounts, word: str, context: str) -> CellPlaces:
    """The places at which `context` was counted in the window of `word`; X_wc of them.

    Raises:
        ValueError: if a word is not known.
    """
    pairs = counts.pairs
    centre, other = word_index(counts.words, word), word_index(counts.words, context)
    here = (pairs.centre_ids == centre) & (pairs.context_ids == other)
    centres, contexts = pairs.centres[here], pairs.contexts[here]
    text = pairs.text
    return CellPlaces(text.sentences[centres], text.positions[centres], text.positions[contexts])


def mutual_information(
    counts: Float64[Tensor, "word context"], smoothing: float = 1.0
) -> MutualInformation:
    """PMI and PPMI of a table of counts; `smoothing` is α, 1 for none.

    Raises:
        ValueError: if a count is negative or not finite, all are 0, or α is not above 0 and at
            most 1.
    """
    if not (math.isfinite(smoothing) and 0 < smoothing <= 1):
        raise ValueError(f"the smoothing α must be above 0 and at most 1; got {smoothing:g}")
    if not bool((counts.isfinite() & (counts >= 0)).all()) or not bool(counts.any()):
        raise ValueError(
            "counts must be finite, none below 0 and one above 0; "
            f"got {float(counts.min()):g} to {float(counts.max()):g}"
        )
    joint = counts / counts.sum()
    word = joint.sum(dim=1)
    smoothed = counts.sum(dim=0).pow(smoothing)
    context = smoothed / smoothed.sum()
    expected = word[:, None] * context
    pmi = torch.where(counts > 0, (joint / expected).log(), 0.0)
    return MutualInformation(joint, word, context, expected, pmi, pmi.clamp(min=0))
