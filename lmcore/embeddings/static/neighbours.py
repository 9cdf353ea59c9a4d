"""What word vectors show about words: cosine, neighbours, analogies, an axis, and precision@k.

    cos(a, b) = a · b / (|a| |b|)
    a − b + c        of unit vectors; the answer is the word of the largest cosine
    t(w) = (v_w − l) · (h − l) / |h − l|²        0 at the low pole l, 1 at the high pole h

Source: Mikolov, Yih & Zweig 2013, "Linguistic regularities in continuous space word
representations" (analogies); Grand et al. 2022, "Semantic projection" (axes between poles).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_kind
from lmcore.embeddings.static.vectors import WordVectors, word_index

if TYPE_CHECKING:
    from pandas import DataFrame

NEIGHBOURS = 5
TIED = 1e-9
"""Cosines that are no further apart are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class RankedWords:
    """Words by their cosine with a query, largest first."""

    words: tuple[str, ...]
    ids: Int[Tensor, " rank"]
    cosines: Float64[Tensor, " rank"]

    def to_frame(self) -> DataFrame:
        """One row per word: word, cosine."""
        return dataframes.frame({"word": list(self.words), "cosine": self.cosines})


@dataclass(frozen=True, slots=True, eq=False)
class AxisProjection:
    """Words along the line between two poles, in the order they were given."""

    words: tuple[str, ...]
    positions: Float64[Tensor, " word"]
    """t: 0 at the low pole, 1 at the high one."""
    distances: Float64[Tensor, " word"]
    """The distance from the line, in units of the distance between the poles."""

    def to_frame(self) -> DataFrame:
        """One row per word: word, position, distance."""
        columns = {"position": self.positions, "distance": self.distances}
        return dataframes.frame({"word": list(self.words)} | columns)


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourPrecision:
    """Precision@k of each word with a planted set of similar words."""

    words: tuple[str, ...]
    neighbours: tuple[tuple[str, ...], ...]
    """The nearest words that were judged: k, or as many as the planted set has."""
    precisions: Float64[Tensor, " word"]
    """The share of these that are in the planted set."""

    @property
    def mean(self) -> float:
        """The mean over the words."""
        return float(self.precisions.mean())

    def to_frame(self) -> DataFrame:
        """One row per word: word, precision, neighbours."""
        joined = [" ".join(row) for row in self.neighbours]
        return dataframes.frame(
            {"word": list(self.words), "precision": self.precisions, "neighbours": joined}
        )


def word_cosine(vectors: WordVectors, one: str, other: str) -> float:
    """cos of two words; 0 if one of the vectors is 0.

    Raises:
        ValueError: if a word is not known.
    """
    ids = [word_index(vectors.words, word) for word in (one, other)]
    first, second = F.normalize(vectors.vectors[ids], dim=-1)
    return float(first @ second)


def largest(
    cosines: Float64[Tensor, "*row word"], count: int = NEIGHBOURS
) -> Int[Tensor, "*row best"]:
    """The indices of the `count` largest of each row, the largest first.

    Cosines that differ by rounding alone, such as those of words with the same contexts, are in the
    order of the vocabulary: which of them comes first must not depend on the processor.
    """
    falling, order = cosines.sort(descending=True)
    tied = F.pad(falling.diff() < -TIED, (1, 0)).cumsum(dim=-1)
    return order.gather(-1, torch.argsort(tied * cosines.shape[-1] + order)[..., :count])


def rank_words(
    vectors: WordVectors,
    query: Float64[Tensor, " dimension"],
    count: int = NEIGHBOURS,
    excluded: Collection[str] = (),
) -> RankedWords:
    """The `count` words whose vectors have the largest cosine with any vector.

    Raises:
        ValueError: if an excluded word is not known, or there are fewer than `count` others.
    """
    left_out = [word_index(vectors.words, word) for word in excluded]
    check_between("the neighbours", count, 1, len(vectors.words) - len(set(left_out)))
    cosines = F.normalize(vectors.vectors, dim=-1) @ F.normalize(query, dim=0)
    cosines[left_out] = -torch.inf
    best = largest(cosines, count)
    return RankedWords(tuple(vectors.words[i] for i in best.tolist()), best, cosines[best])


def nearest_words(vectors: WordVectors, word: str, count: int = NEIGHBOURS) -> RankedWords:
    """The `count` words nearest to a word by cosine; the word itself is left out.

    Raises:
        ValueError: if the word is not known, or there are fewer than `count` others.
    """
    check_kind("vectors", vectors, WordVectors, "such as run.record.word_vectors()")
    query = vectors.vectors[word_index(vectors.words, word)]
    return rank_words(vectors, query, count, (word,))


def solve_analogy(
    vectors: WordVectors,
    a: str,
    b: str,
    c: str,
    count: int = NEIGHBOURS,
    *,
    exclude_inputs: bool = True,
) -> RankedWords:
    """a − b + c: the words nearest to it, such as cats − cat + dog for the plural of dog.

    Each vector is divided by its length first. With `exclude_inputs` a, b and c cannot be answers,
    as is usual; without it one of them is often the nearest.

    Raises:
        ValueError: if a word is not known, or there are fewer than `count` others.
    """
    ids = [word_index(vectors.words, word) for word in (a, b, c)]
    plus, minus, other = F.normalize(vectors.vectors[ids], dim=-1)
    return rank_words(vectors, plus - minus + other, count, {a, b, c} if exclude_inputs else ())


def project_on_axis(
    vectors: WordVectors, words: Sequence[str], low: Sequence[str], high: Sequence[str]
) -> AxisProjection:
    """Where words lie between two poles; a pole is the mean of the vectors of its words.

    Raises:
        ValueError: if a word is not known, a pole has no word, or both poles are one point.
    """
    poles = []
    for name, pole in (("low", low), ("high", high)):
        if not pole:
            raise ValueError(f"the {name} pole must have at least 1 word; got 0")
        ids = [word_index(vectors.words, word) for word in pole]
        poles.append(vectors.vectors[ids].mean(dim=0))
    start, axis = poles[0], poles[1] - poles[0]
    length = axis.norm()
    if not bool(length > 0):
        raise ValueError(f"the poles must be two different points; got {low} and {high}")
    rows = vectors.vectors[[word_index(vectors.words, word) for word in words]] - start
    positions = rows @ axis / length.square()
    distances = (rows - positions[:, None] * axis).norm(dim=1) / length
    return AxisProjection(tuple(words), positions, distances)


def neighbour_precision(
    vectors: WordVectors, similar: Mapping[str, Collection[str]], count: int = NEIGHBOURS
) -> NeighbourPrecision:
    """Precision@k: the share of each word's k nearest words that are similar by construction.

    `similar` has for each word its planted set, without the word. If the set has fewer than `count`
    words, k is the size of the set. The neighbours are from the whole vocabulary. Words that do not
    occur in the vocabulary are left out, of the sets too.

    Raises:
        ValueError: if no word has a similar one in the vocabulary, or `count` is too large.
    """
    check_between("the neighbours", count, 1, len(vectors.words) - 1)
    known = set(vectors.words)
    planted = {word: known & set(others) - {word} for word, others in similar.items()}
    planted = {word: others for word, others in planted.items() if word in known and others}
    if not planted:
        raise ValueError(f"similar must name words among the {len(known)} known; got none")
    found = [
        nearest_words(vectors, word, min(count, len(others))).words
        for word, others in planted.items()
    ]
    shares = [
        sum(each in others for each in row) / len(row)
        for row, others in zip(found, planted.values(), strict=True)
    ]
    return NeighbourPrecision(
        tuple(planted), tuple(found), torch.tensor(shares, dtype=torch.float64)
    )
