"""Word vectors through time: a plane that stays, the nearest words, and their precision.

    points = (v / |v| − mean) B        B: the first two principal axes of the last snapshot

Vectors are divided by their lengths first, because neighbours are judged by the cosine. All
snapshots use one plane, so that only the points move.

Source: the same plane as `lmcore.embeddings.drift`, there without the division.
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
from lmcore.checks import check_between
from lmcore.embeddings.static.neighbours import NEIGHBOURS, largest
from lmcore.embeddings.static.vectors import TrainingRecord, word_index

if TYPE_CHECKING:
    from pandas import DataFrame

FEWEST_POINTS = 3


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotMap:
    """Words on one plane at every snapshot."""

    words: tuple[str, ...]
    points: Float64[Tensor, "snapshot word axis"]
    share: Float64[Tensor, " snapshot"]
    """The share of the words' variance at that snapshot that lies within the plane."""

    def to_frame(self) -> DataFrame:
        """One row per snapshot, word and axis: these, the coordinate."""
        table = dataframes.entries("snapshot word axis", {"coordinate": self.points})
        table["word"] = [self.words[i] for i in table["word"]]
        return table


@dataclass(frozen=True, slots=True, eq=False)
class NearestThroughTime:
    """The words nearest to one word at every snapshot, nearest first."""

    word: str
    ids: Int[Tensor, "snapshot neighbour"]
    cosines: Float64[Tensor, "snapshot neighbour"]
    products: Float64[Tensor, "snapshot neighbour"]
    """The dot products with the word's vector."""
    lengths: Float64[Tensor, "snapshot neighbour"]
    """|v| of the neighbours."""
    length: Float64[Tensor, " snapshot"]
    """|v| of the word."""

    def to_frame(self) -> DataFrame:
        """One row per snapshot and neighbour: these, id, cosine, product, length."""
        columns = {
            "id": self.ids,
            "cosine": self.cosines,
            "product": self.products,
            "length": self.lengths,
        }
        return dataframes.entries("snapshot neighbour", columns)


def project_snapshots(
    record: TrainingRecord, words: Sequence[str], others: Sequence[str] = ()
) -> SnapshotMap:
    """Some words on their plane of largest variance at the last snapshot, and others on it too.

    The mean is that of `words` at each snapshot; `others` follow them and do not turn the plane.
    Along each axis the largest number of B is positive.

    Raises:
        ValueError: if there are fewer than `FEWEST_POINTS` words, or one is not known.
    """
    if len(words) < FEWEST_POINTS:
        raise ValueError(
            f"a plane must be put through at least {FEWEST_POINTS} words; got {len(words)}"
        )
    ids = [word_index(record.words, word) for word in (*words, *others)]
    rows = F.normalize(record.vectors[:, ids], dim=-1)
    centred = rows - rows[:, : len(words)].mean(dim=1, keepdim=True)
    fitted = centred[:, : len(words)]
    basis = torch.linalg.svd(fitted[-1], full_matrices=False).Vh[:2].T
    largest = basis.gather(0, basis.abs().argmax(dim=0, keepdim=True))
    points = centred @ (basis * largest.sign())
    inside, whole = points[:, : len(words)].square().sum((1, 2)), fitted.square().sum((1, 2))
    share = torch.where(whole > 0, inside / whole, 0.0)
    return SnapshotMap((*words, *others), points, share)


def nearest_through_time(
    record: TrainingRecord, word: str, count: int = NEIGHBOURS
) -> NearestThroughTime:
    """The `count` words of the whole vocabulary nearest to a word by cosine, at every snapshot.

    Raises:
        ValueError: if the word is not known, or there are fewer than `count` others.
    """
    check_between("the neighbours", count, 1, len(record.words) - 1)
    at = word_index(record.words, word)
    rows = F.normalize(record.vectors, dim=-1)
    cosines = (rows @ rows[:, at, :, None]).squeeze(-1)
    cosines[:, at] = -torch.inf
    best = largest(cosines, count)
    lengths = record.vectors.norm(dim=-1)
    near, own = lengths.gather(1, best), lengths[:, at]
    products = (record.vectors @ record.vectors[:, at, :, None]).squeeze(-1)
    return NearestThroughTime(
        word, best, cosines.gather(1, best), products.gather(1, best), near, own
    )


def precision_through_time(
    record: TrainingRecord, similar: Mapping[str, Collection[str]], count: int = NEIGHBOURS
) -> Float64[Tensor, " snapshot"]:
    """The mean of `neighbours.neighbour_precision` at every snapshot, all words at once.

    Raises:
        ValueError: if no word has a similar one in the vocabulary, or `count` is too large.
    """
    check_between("the neighbours", count, 1, len(record.words) - 1)
    number = {word: i for i, word in enumerate(record.words)}
    planted = torch.zeros(len(record.words), len(record.words), dtype=torch.bool)
    for word, others in similar.items():
        if word in number:
            planted[number[word], [number[o] for o in others if o in number and o != word]] = True
    sizes = planted.sum(dim=1)
    judged = sizes.nonzero()[:, 0]
    if not len(judged):
        raise ValueError(f"similar must name words among the {len(number)} known; got none")
    most = sizes[judged].clamp(max=count)
    counted = torch.arange(count) < most[:, None]
    means = []
    for vectors in record.vectors:
        rows = F.normalize(vectors, dim=-1)
        cosines = rows[judged] @ rows.T
        cosines[torch.arange(len(judged)), judged] = -torch.inf
        hits = planted[judged].gather(1, cosines.topk(count).indices) & counted
        means.append((hits.sum(dim=1).double() / most).mean())
    return torch.stack(means)
