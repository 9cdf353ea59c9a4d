"""Two losses on one text: −log p of each next token, and −log p of the label; λ adds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from torch.nn import functional as F

from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lessons.transfer import transfer_picture
from lmcore.models.gpt import GPT
from lmcore.transfer import curves
from lmcore.transfer.inputs import encode_examples, serialise
from lmcore.transfer.tuning import TuneSpec, begin

POSITIONS = np.linspace(0, 2, 41)
LABELS = curves.AUXILIARY_LABELS[0]


class Losses(NamedTuple):
    """A text, −log p of each of its tokens but the first, and −log p of its label, in nats."""

    tokens: tuple[str, ...]
    each: tuple[float, ...]
    task: float

    @property
    def language(self) -> float:
        """L₁, the mean over the tokens."""
        return sum(self.each) / len(self.each)


class RecordedData(TypedDict):
    """The share of right answers that was recorded with a λ, with its interval."""

    weight: float
    mean: float
    low: float
    high: float


class TwoLossesPayload(TypedDict):
    """A text, and what was recorded with each λ."""

    tokens: Sequence[str]
    recorded: list[RecordedData]
    labels: int


NAMES = ("weight", "task", "language", "product", "total")
TWO_LOSSES = Script("two_losses", TwoLossesPayload, (*NAMES, "b #"))


def read_losses(task: str) -> Losses:
    """The losses of our mini-GPT with a new head on a task’s example, before the first step."""
    tuned, vocabulary = begin(TuneSpec("gpt", task, LABELS))
    assert isinstance(tuned.network, GPT)
    example = transfer_picture.shown_example(task)
    batch = encode_examples(tuned.task, [example], vocabulary, bert=False)
    with torch.no_grad():
        _, hidden = tuned(batch)
        logits = tuned.network.unembed(hidden[:, :-1])[0].double()
        each = F.cross_entropy(logits, batch.ids[0, 1:], reduction="none")
        alone = float(tuned.loss(batch).double())
    return Losses(tuple(serialise(example, bert=False)), tuple(each.tolist()), alone)


def weighed(found: Losses, weight: float) -> LiveNumbers:
    """The numbers for this λ, and along its slider."""
    names = (*NAMES, *(f"b {n}" for n in range(len(found.each))))

    def row(value: float) -> list[float]:
        product = value * found.language
        return [value, found.task, found.language, product, found.task + product, *found.each]

    positions = POSITIONS.copy()
    positions[np.abs(positions - weight).argmin()] = weight
    how = "How much the language model’s loss counts"
    slider = Slider("weight", "λ", "lambda", weight, positions, how, role="loss")
    table = np.array([row(float(value)) for value in positions])
    return LiveNumbers("two-losses", names, np.array(row(weight)), (slider,), [table])


def recorded_weights(task: str, labels: int = LABELS) -> dict[float, curves.Score]:
    """The recorded accuracy with each λ."""
    return {
        weight: curves.recorded_score(TuneSpec("gpt", task, labels, auxiliary=weight))
        for weight in curves.AUXILIARY
    }


def picture(task: str, found: Losses) -> TwoLossesPayload:
    """The data of `lessons/transfer/two_losses.js` other than the numbers."""
    return {
        "tokens": list(found.tokens),
        "recorded": [
            {"weight": weight, "mean": score.mean, "low": score.low, "high": score.high}
            for weight, score in recorded_weights(task).items()
        ],
        "labels": LABELS,
    }
