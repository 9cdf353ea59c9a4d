"""Linear probes: how much of a label can be read off a layer's vectors, and how much by rote.

    W = (X̃ᵀX̃ + λ n I)⁻¹ X̃ᵀ Y        X̃ standardised, Y one column per class, centred
    selectivity = accuracy of the task − accuracy of its control task

The control task has the same classes, drawn once at random for each word type: it can be learned
only by heart, word by word, so it shows what the probe can do without the model.

Source: Hewitt & Liang 2019 for control tasks. Ridge regression to the classes, with its exact
solution, stands in for their softmax regression.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.contextual.layers import LayeredModel
from lmcore.contextual.tasks import NO_LABEL, TASKS, LabelledText, labelled_texts

if TYPE_CHECKING:
    from pandas import DataFrame

RIDGE = 1e-4
"""λ, the same for all."""
MOST_WORDS = 4000
"""The most words of a task that a probe is fitted to, and the most that it is tested on."""
CHUNK = 200
"""Texts whose layers are held at once."""


class LayerSplit(NamedTuple):
    """Vectors of the words of one task in every layer, and their classes."""

    vectors: Float64[Tensor, "layer word width"]
    labels: Int[Tensor, " word"]
    types: tuple[str, ...]
    """Which word each is."""


class TaskVectors(NamedTuple):
    """The words that a probe is fitted to, and those that it is tested on."""

    train: LayerSplit
    test: LayerSplit


class ProbeScore(NamedTuple):
    """The accuracy of a probe on one layer, with its control."""

    model: str
    task: str
    layer: int
    accuracy: float
    control: float
    words: int
    """Words tested."""

    @property
    def selectivity(self) -> float:
        """The accuracy above that of the control task."""
        return self.accuracy - self.control

    def to_frame(self) -> DataFrame:
        """One row."""
        return dataframes.one_row({**self._asdict(), "selectivity": self.selectivity})


@dataclass(frozen=True, slots=True)
class LinearProbe:
    """W with the means and the spread that it was fitted with."""

    mean: Float64[Tensor, " width"]
    spread: Float64[Tensor, " width"]
    weight: Float64[Tensor, "width class"]
    bias: Float64[Tensor, " class"]

    def __call__(self, vectors: Float64[Tensor, "word width"]) -> Int[Tensor, " word"]:
        """The class with the largest score."""
        scores = ((vectors - self.mean) / self.spread) @ self.weight + self.bias
        return scores.argmax(-1)


def fit_probe(
    vectors: Float64[Tensor, "word width"],
    labels: Int[Tensor, " word"],
    classes: int,
    ridge: float = RIDGE,
) -> LinearProbe:
    """The exact solution of ridge regression to the classes.

    Raises:
        ValueError: if there is no word, or λ is not above 0.
    """
    if not len(vectors) or ridge <= 0:
        raise ValueError(f"a probe needs words and λ above 0; got {len(vectors)}, {ridge:g}")
    mean, spread = vectors.mean(0), vectors.std(0, unbiased=False)
    spread = spread.where(spread > 1e-9, 1.0)
    inputs = (vectors - mean) / spread
    goal = torch.nn.functional.one_hot(labels, classes).double()
    bias = goal.mean(0)
    gram = inputs.mT @ inputs + ridge * len(inputs) * torch.eye(inputs.shape[1], dtype=torch.double)
    weight: Tensor = torch.linalg.solve(gram, inputs.mT @ (goal - bias))
    return LinearProbe(mean, spread, weight, bias)


def collect_vectors(
    model: LayeredModel, texts: Sequence[LabelledText], tasks: Sequence[str]
) -> dict[str, LayerSplit]:
    """For each task, the vectors of the first `MOST_WORDS` words that have a label."""
    rows: dict[str, list[Tensor]] = {task: [] for task in tasks}
    labels: dict[str, list[int]] = {task: [] for task in tasks}
    types: dict[str, list[str]] = {task: [] for task in tasks}

    def take(text: LabelledText, task: str) -> list[int]:
        found = enumerate(text.labels[task][1:-1])
        places = [i for i, label in found if label != NO_LABEL]
        return places[: MOST_WORDS - len(labels[task])]

    for start in range(0, len(texts), CHUNK):
        part = texts[start : start + CHUNK]
        wanted = [text for text in part if any(take(text, task) for task in tasks)]
        words = [text.words[1:-1] for text in wanted]
        for text, its, vectors in zip(wanted, words, model.word_vectors(words), strict=True):
            for task in tasks:
                places = take(text, task)
                rows[task].append(vectors[:, places].double())
                labels[task] += [text.labels[task][1 + i] for i in places]
                types[task] += [its[i] for i in places]
    return {
        task: LayerSplit(torch.cat(rows[task], 1), torch.tensor(labels[task]), tuple(types[task]))
        for task in tasks
    }


def task_vectors(
    model: LayeredModel, count: int, seed: int = 0, tasks: Sequence[str] = tuple(TASKS)
) -> dict[str, TaskVectors]:
    """The vectors of each task in `count` documents: fitted to some, tested on those held out."""
    train, test = (collect_vectors(model, part, tasks) for part in labelled_texts(count, seed))
    return {task: TaskVectors(train[task], test[task]) for task in tasks}


def control_labels(types: Sequence[str], classes: int, seed: int = 0) -> Int[Tensor, " word"]:
    """The control task: a class for each word type, drawn at random, the same in every text."""
    drawn = {word: random.Random(f"{seed} {word}").randrange(classes) for word in set(types)}
    return torch.tensor([drawn[word] for word in types])


def layer_accuracy(vectors: TaskVectors, layer: int, classes: int) -> float:
    """The accuracy on the test words of a probe of one layer."""
    train, test = vectors
    probe = fit_probe(train.vectors[layer], train.labels, classes)
    return float((probe(test.vectors[layer]) == test.labels).double().mean())


def probe_layers(model: str, task: str, vectors: TaskVectors) -> tuple[ProbeScore, ...]:
    """The accuracy and that of the control task, layer by layer."""
    classes = len(TASKS[task].classes)
    controls = [part._replace(labels=control_labels(part.types, classes)) for part in vectors]
    control = TaskVectors(*controls)
    return tuple(
        ProbeScore(
            model,
            task,
            layer,
            layer_accuracy(vectors, layer, classes),
            layer_accuracy(control, layer, classes),
            len(vectors.test.labels),
        )
        for layer in range(len(vectors.train.vectors))
    )


def majority_accuracy(vectors: TaskVectors) -> float:
    """The accuracy of always answering the class that is most frequent in training."""
    common = vectors.train.labels.bincount().argmax()
    return float((vectors.test.labels == common).double().mean())


def word_accuracy(vectors: TaskVectors) -> float:
    """The accuracy of answering, for each word type, its own most frequent class in training.

    No probe of a static vector can do better, except by chance.
    """
    counts: dict[str, dict[int, int]] = {}
    for word, label in zip(vectors.train.types, vectors.train.labels.tolist(), strict=True):
        of_word = counts.setdefault(word, {})
        of_word[label] = of_word.get(label, 0) + 1
    usual = {word: max(found, key=found.__getitem__) for word, found in counts.items()}
    pairs = zip(vectors.test.types, vectors.test.labels.tolist(), strict=True)
    right = sum(word in usual and usual[word] == label for word, label in pairs)
    return float(right / len(vectors.test.types))


def expected_layer(accuracies: Sequence[float]) -> float:
    """Σ_l l Δ_l / Σ_l Δ_l, with Δ_l what layer l adds to the best accuracy of those below.

    NaN if no layer above layer 0 adds anything.

    Source: Tenney et al. 2019, section 3.2, whose probes read all layers up to l, mixed.
    """
    best = [max(accuracies[: layer + 1]) for layer in range(len(accuracies))]
    gains = [after - before for before, after in pairwise(best)]
    total = sum(gains)
    return (
        sum(layer * gain for layer, gain in enumerate(gains, 1)) / total if total > 0 else math.nan
    )
