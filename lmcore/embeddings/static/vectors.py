"""Words with their vectors, and snapshots of the vectors during training.

A training is an iterator of snapshots: the caller may stop after any of them, and
`collect_snapshots` puts all of them into one record, which can be replayed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_one_of
from lmcore.optimization.updates import OPTIMIZERS

if TYPE_CHECKING:
    from pandas import DataFrame

SNAPSHOTS = 60
WIDEST_VECTOR = 300
HIGHEST_RATE = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """One vector for each word.

    Raises:
        ValueError: if there is not one row per word.
    """

    words: tuple[str, ...]
    vectors: Float64[Tensor, "word dimension"]

    def __post_init__(self) -> None:
        """Raises ValueError if there is not one row per word."""
        if len(self.vectors) != len(self.words):
            raise ValueError(
                f"vectors must have one row for each of {len(self.words)} words; "
                f"got {len(self.vectors)}"
            )

    def to_frame(self) -> DataFrame:
        """One row per word and dimension: word, dimension, value."""
        table = dataframes.entries("word dimension", {"value": self.vectors})
        table["word"] = [self.words[i] for i in table["word"]]
        return table


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The state of a training after `step` updates."""

    step: int
    seen: int
    """Training examples so far."""
    loss: float
    """Nats per example for word2vec and fastText; GloVe's objective J for GloVe."""
    vectors: Float64[Tensor, "word dimension"]
    """The word vectors."""
    inputs: Float64[Tensor, "row column"]
    """The parameters of the input side: a row for each word, or for each subword. In GloVe the last
    column is the bias."""
    outputs: Float64[Tensor, "word column"]
    """The parameters of the output side: the vectors of the words as contexts."""

    def to_frame(self) -> DataFrame:
        """One row: step, examples, loss."""
        return dataframes.one_row({"step": self.step, "examples": self.seen, "loss": self.loss})


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRecord:
    """The word vectors at several steps of one training."""

    words: tuple[str, ...]
    steps: Int[Tensor, " snapshot"]
    seen: Int[Tensor, " snapshot"]
    losses: Float64[Tensor, " snapshot"]
    vectors: Float64[Tensor, "snapshot word dimension"]

    def word_vectors(self, snapshot: int = -1) -> WordVectors:
        """The vectors at one snapshot; by default at the last."""
        return WordVectors(self.words, self.vectors[snapshot])

    def to_frame(self) -> DataFrame:
        """One row per snapshot: step, examples, loss."""
        columns = {"step": self.steps, "examples": self.seen, "loss": self.losses}
        return dataframes.entries("snapshot", columns)


def collect_snapshots(words: tuple[str, ...], snapshots: Iterable[Snapshot]) -> TrainingRecord:
    """All snapshots of a training as one record.

    Raises:
        ValueError: if there is no snapshot.
    """
    kept = [(each.step, each.seen, each.loss, each.vectors) for each in snapshots]
    if not kept:
        raise ValueError("a record must have at least 1 snapshot; got 0")
    steps, seen, losses, vectors = zip(*kept, strict=True)
    return TrainingRecord(
        words,
        torch.tensor(steps),
        torch.tensor(seen),
        torch.tensor(losses, dtype=torch.float64),
        torch.stack(vectors),
    )


def word_index(words: tuple[str, ...], word: str) -> int:
    """The index of a word.

    Raises:
        ValueError: if it is not among `words`.
    """
    if word not in words:
        raise ValueError(f"a word must be one of the {len(words)} known; got {word!r:.40}")
    return words.index(word)


def check_training(dimensions: int, optimizer: str, learning_rate: float, snapshots: int) -> None:
    """Raises ValueError if a setting that all trainings share is out of bounds."""
    check_between("the dimensions d", dimensions, 1, WIDEST_VECTOR)
    check_one_of("the optimiser", optimizer, OPTIMIZERS)
    if not (math.isfinite(learning_rate) and 0 < learning_rate <= HIGHEST_RATE):
        raise ValueError(
            f"the learning rate η must be above 0 and at most {HIGHEST_RATE:g}; "
            f"got {learning_rate:g}"
        )
    check_between("the number of snapshots", snapshots, 2, 200)
