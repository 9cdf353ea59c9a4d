"""The five ways from sentences to word vectors behind one call, with snapshots of the training.

    PPMI–SVD               counts → PPMI → U_d Σ_d^½        a snapshot for every d: 1, 2, …
    skip-gram, CBOW        negative sampling                a snapshot at about 60 steps
    GloVe                  log counts, least squares        a snapshot at each of its moments
    fastText               skip-gram over subwords          as skip-gram

Sources are named in the modules of the methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore.checks import check_between, check_kind, one_of
from lmcore.embeddings.static.counts import SMOOTHING, count_cooccurrences, mutual_information
from lmcore.embeddings.static.fasttext import FastTextConfig, build_subword_table, train_fasttext
from lmcore.embeddings.static.glove import GloveConfig, train_glove
from lmcore.embeddings.static.pairs import WindowPairs, index_sentences, window_pairs
from lmcore.embeddings.static.skipgram import Word2VecConfig, check_pairs, train_word2vec
from lmcore.embeddings.static.svd import DIMENSIONS, POWER, truncated_svd
from lmcore.embeddings.static.vectors import SNAPSHOTS, Snapshot, TrainingRecord, collect_snapshots

if TYPE_CHECKING:
    from pandas import DataFrame

METHODS = ("skip-gram", "CBOW", "PPMI–SVD", "GloVe", "fastText")
PPMI_SVD = METHODS[2]
WIDEST = 64
"""Dimensions: every snapshot of every word is kept."""


@dataclass(frozen=True, slots=True)
class VectorConfig:
    """A method with its settings; each method reads those that concern it."""

    method: str = METHODS[0]
    window: int = 2
    dimensions: int = DIMENSIONS
    negatives: int = 5
    learning_rate: float = 0.02
    epochs: int = 5
    """Passes over all pairs; GloVe makes ten steps over all cells for each."""
    smoothing: float = SMOOTHING
    """α of PPMI."""
    seed: int = 0
    snapshots: int = SNAPSHOTS
    """Moments at which the vectors are kept; 2 keep the first and the last only."""

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        object.__setattr__(self, "method", one_of("the method", self.method, METHODS))
        check_between("the dimensions d", self.dimensions, 2, WIDEST)
        check_between("epochs", self.epochs, 1, 20)
        self.sampling()
        self.glove()
        if not 0 < self.smoothing <= 1:
            raise ValueError(
                f"the smoothing α must be above 0 and at most 1; got {self.smoothing:g}"
            )

    def sampling(self) -> Word2VecConfig:
        """The configuration of skip-gram or CBOW."""
        model = self.method if self.method == "CBOW" else "skip-gram"
        return Word2VecConfig(
            self.dimensions,
            self.negatives,
            learning_rate=self.learning_rate,
            epochs=self.epochs,
            snapshots=self.snapshots,
            seed=self.seed,
            model=model,
        )

    def subwords(self) -> FastTextConfig:
        """The configuration of fastText."""
        return FastTextConfig(
            self.dimensions,
            self.negatives,
            learning_rate=self.learning_rate,
            epochs=self.epochs,
            snapshots=self.snapshots,
            seed=self.seed,
        )

    def glove(self) -> GloveConfig:
        """The configuration of GloVe."""
        return GloveConfig(
            self.dimensions,
            learning_rate=self.learning_rate,
            steps=10 * self.epochs,
            snapshots=self.snapshots,
            seed=self.seed,
        )


@dataclass(frozen=True, slots=True, eq=False)
class MethodRun:
    """The vectors of a method at each of its snapshots, with the loss curve."""

    config: VectorConfig
    record: TrainingRecord
    """For PPMI–SVD the steps are the dimensions d, and the losses the shares of ‖PPMI‖² that d
    dimensions leave unexplained."""
    inputs: Float64[Tensor, "row column"]
    """The last parameters of the input side; for fastText a row for each subword, for PPMI–SVD the
    word vectors."""
    seconds: float
    """The duration of the run, counting included."""

    def to_frame(self) -> DataFrame:
        """One row per snapshot: step (or d), examples, loss (or the share not explained)."""
        return self.record.to_frame()


def word_pairs(sentences: Sequence[Sequence[str]], window: int) -> WindowPairs:
    """The pairs of a text within ±window.

    Raises:
        ValueError: if the text or the window is out of bounds.
    """
    return window_pairs(index_sentences(sentences), window)


def train_vectors(sentences: Sequence[Sequence[str]], config: VectorConfig) -> MethodRun:
    """The word vectors of a text by one of the methods, with all snapshots.

    Raises:
        ValueError: if the text has no pair of words, too many words, or the training diverges.
    """
    check_kind("config", config, VectorConfig)
    began = perf_counter()
    pairs = word_pairs(sentences, config.window)
    if config.method == PPMI_SVD:
        record = _decompose(pairs, config)
        inputs = record.vectors[-1]
    else:
        last: list[Snapshot] = []
        record = collect_snapshots(pairs.words, _remember_last(_snapshots(pairs, config), last))
        inputs = last[0].inputs
    return MethodRun(config, record, inputs, perf_counter() - began)


def _snapshots(pairs: WindowPairs, config: VectorConfig) -> Iterator[Snapshot]:
    if config.method == "GloVe":
        return train_glove(count_cooccurrences(pairs).counts, config.glove())
    if config.method == "fastText":
        return train_fasttext(pairs, build_subword_table(pairs.words, config.subwords()))
    return train_word2vec(pairs, config.sampling())


def _remember_last(snapshots: Iterator[Snapshot], last: list[Snapshot]) -> Iterator[Snapshot]:
    """The snapshots as they come; `last` holds the latest of them."""
    for snapshot in snapshots:
        last[:] = [snapshot]
        yield snapshot


def _decompose(pairs: WindowPairs, config: VectorConfig) -> TrainingRecord:
    """PPMI–SVD as a record: snapshot i has the first i + 1 columns, and 0 in the others.

    Raises:
        ValueError: if there is no pair, or no PPMI is above 0.
    """
    check_pairs(pairs)
    information = mutual_information(count_cooccurrences(pairs).counts, config.smoothing)
    most = min(config.dimensions, len(pairs.words))
    found = truncated_svd(information.ppmi, most, POWER)
    kept = torch.ones(most, most, dtype=torch.float64).tril()
    dimensions = torch.arange(1, most + 1)
    return TrainingRecord(
        pairs.words,
        dimensions,
        torch.full((most,), len(pairs.centres)),
        (1 - found.share[:most]).clamp(min=0),
        found.vectors * kept[:, None],
    )
