"""What the picture of transfer draws from: the parts of a network, and its recorded curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypedDict

import numpy as np

from drawing.payload import NumberArray, Script
from lmcore.transfer import curves
from lmcore.transfer.curves import LABELS, Score
from lmcore.transfer.curves import TestSet as Allowed
from lmcore.transfer.inputs import first_place, serialise
from lmcore.transfer.networks import part_names, part_sizes, pretrained_network, read_width
from lmcore.transfer.tasks import TASKS, Labelled, draw_examples
from lmcore.transfer.tuning import BATCH, STEPS, TuneSpec, unseen

NUMBERS = (
    "labels",
    "frozen",
    "learn",
    "mean",
    "low",
    "high",
    "least",
    "most",
    "scratch",
    "caught",
    "last",
    "best",
    "chance",
    "@say",
    "@formula",
)
PRETRAINING_HEADS = {"encoder": "masked words", "gpt": "next word", "bilm": "next word, both ways"}
READS = {
    "text": "one vector for the whole text",
    "pair": "one vector for both texts",
    "tags": "the vector of each word",
    "span": "the vector of each word, twice",
}
LONGEST = 12
"""Maximum number of tokens in the first text of the example."""


class CurveData(TypedDict):
    """A way to use a network: its accuracy at each number of labels, and the interval."""

    name: str
    mean: NumberArray
    low: NumberArray
    high: NumberArray


class PartData(TypedDict):
    """A part of the network, from the lowest."""

    name: str
    weights: int


class TransferPayload(TypedDict):
    """A network with a new head, an example that it reads, and its recorded curves."""

    network: str
    task: str
    parts: Sequence[PartData]
    lost: str
    """What the head of pre-training predicts."""
    labels: Sequence[str]
    """The labels of the new head."""
    head: int
    """The number of weights of the new head."""
    tokens: Sequence[str]
    read: Sequence[int]
    """The tokens whose vectors the head reads."""
    answer: str
    counts: NumberArray
    """The numbers of labels."""
    depths: Sequence[CurveData]
    """The curve for each number of frozen parts."""
    scratch: CurveData
    best: float
    """The expected accuracy of the best possible model."""
    best_low: float
    best_high: float
    """95 % of its scores on equally many texts are between these bounds."""
    best_name: str
    chance: float
    budget: str
    """How long each run learned."""


TRANSFER = Script("transfer", TransferPayload, NUMBERS)


@lru_cache(maxsize=32)
def transfer_picture(network: str, task: str) -> TransferPayload:
    """The payload of `lessons/transfer/transfer.js` without the live numbers."""
    its, allowed = TASKS[task], allowed_by(network, task)
    parts = part_names(network)
    example = shown_example(task)
    tokens = serialise(example, bert=network == "encoder")
    return {
        "network": network,
        "task": its.title,
        "parts": [
            {"name": name, "weights": size}
            for name, size in zip(parts, part_sizes(network), strict=True)
        ],
        "lost": PRETRAINING_HEADS[network],
        "labels": its.labels or ("first word", "last word"),
        "head": head_weights(network, task),
        "tokens": tokens,
        "read": read_places(network, task, example, len(tokens)),
        "answer": describe_answer(task, example),
        "counts": _numbers(LABELS),
        "depths": [
            _curve(f"{depth} frozen", curves.frozen_curve(network, task, depth))
            for depth in range(len(parts) + 1)
        ],
        "scratch": _curve("from scratch", curves.recorded_curve(network, task, "scratch")),
        "best": allowed.best,
        "best_low": allowed.low,
        "best_high": allowed.high,
        "best_name": best_name(network, task),
        "chance": allowed.chance,
        "budget": BUDGET,
    }


BUDGET = f"until the loss is near its least, at most {STEPS:,} steps of {BATCH} texts"


def allowed_by(network: str, task: str) -> Allowed:
    """The best possible score on the test texts, given the order in which the network reads."""
    return curves.test_set(TuneSpec(network, task))


def best_name(network: str, task: str) -> str:
    """The name of the best possible score."""
    reads_before = unseen(TuneSpec(network, task))
    return "best possible in this order" if reads_before else "best possible"


@lru_cache(maxsize=8)
def shown_example(task: str) -> Labelled:
    """The first held-out example that is instructive and fits; the first of all if none does."""
    held = draw_examples(task, 100, 0, test=True)
    fits = (each for each in held if 5 <= len(each.first) <= LONGEST and _is_telling(task, each))
    return next(fits, held[0])


def _is_telling(task: str, example: Labelled) -> bool:
    """Whether an example is instructive: it has a wrong verb, or a clause within a clause."""
    if task == "acceptable":
        return example.answer == 0 and len(example.first) >= 7
    return task != "roles" or (isinstance(example.answer, tuple) and 3 in example.answer)


def read_places(network: str, task: str, example: Labelled, count: int) -> tuple[int, ...]:
    """The places of the tokens whose vectors the head reads."""
    if TASKS[task].reads in ("tags", "span"):
        start = first_place(example)
        return tuple(range(start, start + len(example.first)))
    ends = {"encoder": (0,), "gpt": (count - 1,), "bilm": (0, count - 1)}
    return ends[network]


def describe_answer(task: str, example: Labelled) -> str:
    """The right answer in words."""
    its, answer = TASKS[task], example.answer
    if isinstance(answer, int):
        return its.labels[answer]
    if its.reads == "span":
        first, last = (int(place) for place in answer)
        return " ".join(example.first[first : last + 1])
    return " ".join(its.labels[int(tag)] for tag in answer)


@lru_cache(maxsize=32)
def head_weights(network: str, task: str) -> int:
    """The number of weights of the new head: W, b, and for a biLM also w and γ of the mixture."""
    base, _ = pretrained_network(network)
    columns = len(TASKS[task].labels) or 2
    mixture = base.config.layers + 2 if network == "bilm" else 0
    return (read_width(base) + 1) * columns + mixture


def labels_at(network: str, task: str, frozen: int) -> tuple[int, ...]:
    """The numbers of labels recorded both with this many frozen parts and from scratch."""
    scratch = curves.recorded_curve(network, task, "scratch")
    return tuple(n for n in curves.frozen_curve(network, task, frozen) if n in scratch)


def nearest_labels(network: str, task: str, labels: int, frozen: int) -> int:
    """The recorded number of labels that is nearest on a logarithmic scale."""
    known = labels_at(network, task, frozen)
    return min(known, key=lambda count: abs(math.log(count / labels)))


def numbers_at(network: str, task: str, labels: int, frozen: int) -> dict[str, float]:
    """The numbers of the sentence and the formula, at the nearest number of labels recorded."""
    sizes, allowed = part_sizes(network), allowed_by(network, task)
    labels = nearest_labels(network, task, labels, frozen)
    score = curves.frozen_curve(network, task, frozen)[labels]
    scratch = curves.recorded_curve(network, task, "scratch")
    found = {
        "labels": labels,
        "frozen": frozen,
        "learn": sum(sizes[frozen:]) + head_weights(network, task),
        "mean": score.mean,
        "low": score.low,
        "high": score.high,
        "least": score.least,
        "most": score.most,
        "scratch": scratch[labels].mean,
        "caught": caught_up(scratch, labels, score),
        "last": max(scratch),
        "best": allowed.best,
        "chance": allowed.chance,
        "@say": _sentence(score, scratch, labels, frozen, len(sizes)),
        "@formula": frozen,
    }
    return {name: float(number) for name, number in found.items()}


def caught_up(scratch: Mapping[int, Score], labels: int, score: Score) -> int:
    """The fewest labels with which training from scratch is at least as accurate; 0 if none.

    `labels` itself is excluded: the sentence with this number requires a clear difference there.
    """
    return min(
        (n for n, its in scratch.items() if n != labels and its.mean >= score.mean), default=0
    )


def _sentence(
    score: Score, scratch: Mapping[int, Score], labels: int, frozen: int, parts: int
) -> int:
    """The index of the true sentence; there are five each for all weights, some parts, the head."""
    way = 0 if frozen == 0 else 2 if frozen == parts else 1
    if score.low > scratch[labels].high:
        caught = caught_up(scratch, labels, score)
        if caught > labels:
            return 5 * way
        return 5 * way + (1 if max(scratch) > labels and not caught else 2)
    return 5 * way + (3 if score.high < scratch[labels].low else 4)


def _curve(name: str, known: Mapping[int, Score]) -> CurveData:
    """A curve at all numbers of labels; NaN where nothing was recorded."""
    scores = [known.get(labels, MISSING) for labels in LABELS]
    mean, low, high = (_numbers([score[i] for score in scores]) for i in range(3))
    return {"name": name, "mean": mean, "low": low, "high": high}


MISSING = Score(math.nan, math.nan, math.nan, 0)


def _numbers(values: Sequence[float] | Sequence[int]) -> NumberArray:
    return np.array(values, dtype=float)
