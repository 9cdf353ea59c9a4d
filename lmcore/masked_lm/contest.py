"""Compares five readers on the same gaps: their expected accuracy, and the words they depend on.

    accuracy     mean p(w | all the other words), w the reader's likeliest word
    divergence   mean KL(p ‖ q), nats per gap
    move(j)      ½ Σ_w |q(w) − q'(w)|, q' with another word at position j: 0 if j is not read

p is the grammar's exact posterior, q the reader's. No reader can exceed the mean of max_w p(w | …);
no left-to-right reader can exceed the accuracy of the grammar's best choice given the words before
the gap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.corpora import masked_words
from lmcore.corpora.automaton import Automaton
from lmcore.corpora.documents import Documents, concatenate
from lmcore.masked_lm import readers as cloze_readers
from lmcore.masked_lm.filling_in import GapQuestion
from lmcore.masked_lm.filling_in import gap_log_probabilities as asked
from lmcore.masked_lm.readers import EMBEDDING, PLACES, ClozeReader
from lmcore.models.bert import BERT

if TYPE_CHECKING:
    from pandas import DataFrame

SEED = 5
"""The seed of the gaps, one per document."""
REPLACEMENTS = 8
"""How many other words are tried at a position; the largest change of the prediction counts."""

GapPredictor: TypeAlias = Callable[
    [Sequence[GapQuestion]], Float64[np.ndarray, "question vocabulary"]
]
"""log q of every type at the gap of each text."""


class ContestResult(NamedTuple):
    """The measures of a reader over many gaps."""

    name: str
    accuracy: float
    divergence: float
    """nan for a reader that names one word without probabilities"""
    parameters: int


class Contest(NamedTuple):
    """All readers on the same gaps, and the best possible accuracy, left to right and at all."""

    gaps: int
    left: float
    best: float
    results: tuple[ContestResult, ...]

    def to_frame(self) -> DataFrame:
        """One row per reader: reader, expected accuracy, share of the best, KL, parameters."""
        return dataframes.frame(
            {
                "reader": [each.name for each in self.results],
                "expected accuracy": [each.accuracy for each in self.results],
                "share of the best": [each.accuracy / self.best for each in self.results],
                "KL, nats per gap": [each.divergence for each in self.results],
                "parameters": [each.parameters for each in self.results],
            }
        )


def reader_predictor(reader: ClozeReader, *, together: bool = False) -> GapPredictor:
    """The predictions of one of the four small readers, text by text.

    With `together` all texts are one padded batch, which is faster and may differ in the last
    digit.
    """

    def ask_together(
        questions: Sequence[GapQuestion],
    ) -> Float64[np.ndarray, "question vocabulary"]:
        ids = torch.from_numpy(concatenate([q.ids for q in questions]).padded(reader.padding))
        places = torch.tensor([q.place for q in questions])
        with torch.inference_mode():
            logits = reader(ids).logits[torch.arange(len(ids)), places]
        rows: Float64[np.ndarray, "question vocabulary"] = logits.double().log_softmax(-1).numpy()
        return rows

    def ask(questions: Sequence[GapQuestion]) -> Float64[np.ndarray, "question vocabulary"]:
        rows = [
            cloze_readers.gap_log_probabilities(reader, torch.tensor(q.ids), q.place)
            for q in questions
        ]
        return torch.stack(rows).numpy()

    return ask_together if together else ask


def bert_predictor(network: BERT) -> GapPredictor:
    """The predictions of a BERT, with [MASK] in the gap."""
    return lambda questions: asked(network, questions)


def contest(
    readers: Mapping[str, tuple[GapPredictor, int]], documents: Documents, world: Automaton
) -> Contest:
    """Measure each reader, by its name, with the number of its parameters.

    Raises:
        ValueError: if there is no document.
    """
    if not len(documents):
        raise ValueError("readers must be judged on at least one document; got none")
    rng = np.random.default_rng(SEED)
    questions = [
        GapQuestion(tuple(document.tolist()), int(rng.integers(1, len(document) - 1)))
        for document in documents
    ]
    exact = np.array([masked_words.posterior(world, q.ids, q.place) for q in questions])
    rows = np.arange(len(questions))
    before = [world.next_probabilities(np.array([q.ids[: q.place]]))[0, -1] for q in questions]
    left = exact[rows, np.array(before).argmax(axis=1)].mean()
    results = []
    for name, (ask, parameters) in readers.items():
        log_q = ask(questions)[:, : exact.shape[1]]
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.where(exact > 0, exact * (np.log(exact) - log_q), 0.0)
        accuracy = exact[rows, log_q.argmax(axis=1)].mean()
        results.append(
            ContestResult(name, float(accuracy), float(each.sum(axis=1).mean()), parameters)
        )
    return Contest(len(questions), float(left), float(exact.max(axis=1).mean()), tuple(results))


def shuffle_context(ids: Sequence[int], place: int, seed: int) -> tuple[int, ...]:
    """The same words in another order; the gap, the first token and the last stay in place."""
    mixed = list(ids)
    for token, at in zip(ids, shuffled_places(len(ids), place, seed), strict=True):
        mixed[at] = token
    return tuple(mixed)


def shuffled_places(count: int, place: int, seed: int) -> tuple[int, ...]:
    """Where each of `count` tokens goes; the gap, the first token and the last stay in place."""
    open_places = [t for t in range(1, count - 1) if t != place]
    order = np.random.default_rng(seed).permutation(len(open_places))
    to = list(range(count))
    for at, of in zip(open_places, order.tolist(), strict=True):
        to[open_places[of]] = at
    return tuple(to)


def prediction_changes(
    ask: GapPredictor, question: GapQuestion, types: int, *, seed: int = SEED
) -> Float64[Tensor, " time"]:
    """How much the prediction changes when the word at each position is replaced; 0 at the gap."""
    rng = np.random.default_rng(seed)
    others = rng.choice(types, size=REPLACEMENTS, replace=False).tolist()
    ids = list(question.ids)
    changed = [
        GapQuestion((*ids[:at], other, *ids[at + 1 :]), question.place)
        for at in range(len(ids))
        for other in others
    ]
    q = np.exp(ask([question, *changed]))
    far = 0.5 * np.abs(q[1:] - q[0]).sum(axis=1).reshape(len(ids), len(others)).max(axis=1)
    far[question.place] = 0.0
    return torch.from_numpy(far)


class PlaceBlock(NamedTuple):
    """The projection of a word by the block of W for one position of the window."""

    place: int
    length: float
    """‖W_k E[w]‖"""
    cosine: float
    """Cosine with the projection by the block just before the gap"""


def window_blocks(reader: ClozeReader, word: Int[Tensor, ""] | int) -> tuple[PlaceBlock, ...]:
    """The projections of a word by a window reader: each position has weights of its own.

    Raises:
        ValueError: if the reader has no window.
    """
    if reader.kind != "window":
        raise ValueError(f"the reader must have a window; got {reader.kind!r}")
    weight = reader.dense.weight.detach().view(-1, len(PLACES), EMBEDDING).double()
    made = torch.einsum("hkd,d->kh", weight, reader.embedding.weight[int(word)].detach().double())
    beside = made[PLACES.index(-1)]
    return tuple(
        PlaceBlock(place, float(row.norm()), float(torch.cosine_similarity(row, beside, dim=0)))
        for place, row in zip(PLACES, made, strict=True)
    )
