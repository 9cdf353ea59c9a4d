"""What the picture of transfer draws from: the parts of a network, and its recorded curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TypedDict

import numpy as np

from lessons.shared.payload import NumberArray, Script
from lmcore.transfer import curves
from lmcore.transfer.curves import LABELS, Score
from lmcore.transfer.inputs import first_place, serialise
from lmcore.transfer.networks import (
    part_names,
    part_sizes,
    pretrained_network,
    read_width,
    thrown_away,
)
from lmcore.transfer.tasks import TASKS, Labelled
from lmcore.transfer.tuning import tested_examples

NUMBERS = (
    "labels",
    "frozen",
    "learn",
    "mean",
    "low",
    "high",
    "scratch",
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
EQUATIONS = {
    "text": "ŷ = softmax(W z + b)",
    "pair": "ŷ = softmax(W z + b)",
    "tags": "ŷᵢ = softmax(W zᵢ + b)",
    "span": "p(i) = softmaxᵢ(w · zᵢ + b)",
}
"""What a head computes."""
LONGEST = 12
"""Tokens of the first text of the example in the picture."""


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
    """What the new head answers."""
    head: int
    """Weights of the new head."""
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
    chance: float


TRANSFER = Script("transfer", TransferPayload)


@lru_cache(maxsize=32)
def transfer_picture(network: str, task: str) -> TransferPayload:
    """The data of `lessons/transfer/transfer.js` besides the numbers."""
    its = TASKS[task]
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
            _curve(f"{depth} frozen", [_depth(network, task, n, depth) for n in LABELS])
            for depth in range(len(parts) + 1)
        ],
        "scratch": _curve("from scratch", [_scratch(network, task, n) for n in LABELS]),
        "best": curves.ceiling(task),
        "chance": curves.chance(task),
    }


@lru_cache(maxsize=8)
def shown_example(task: str) -> Labelled:
    """The first held-out example that is long enough to be one and short enough to be seen."""
    held = tested_examples(task)
    fits = (each for each in held if 5 <= len(each.first) <= LONGEST and _is_telling(task, each))
    return next(fits, held[0])


def _is_telling(task: str, example: Labelled) -> bool:
    """A sentence with a wrong verb, or a clause within a clause, says more than a plain one."""
    if task == "acceptable":
        return example.answer == 0 and len(example.first) >= 7
    return task != "roles" or (isinstance(example.answer, tuple) and 3 in example.answer)


def read_places(network: str, task: str, example: Labelled, count: int) -> tuple[int, ...]:
    """The tokens whose vectors the head reads, as `inputs` says."""
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
    """Weights of the new head: W and b, and of a biLM w and γ of the mixture."""
    base, _ = pretrained_network(network)
    columns = len(TASKS[task].labels) or 2
    mixture = base.config.layers + 2 if network == "bilm" else 0
    return (read_width(base) + 1) * columns + mixture


def numbers_at(network: str, task: str, labels: int, frozen: int) -> dict[str, float]:
    """The numbers of the sentence and the formula; NaN for what is not recorded."""
    sizes = part_sizes(network)
    score = _depth(network, task, labels, frozen)
    scratch = _scratch(network, task, labels)
    found = {
        "labels": labels,
        "frozen": frozen,
        "learn": sum(sizes[frozen:]) + head_weights(network, task),
        "mean": score.mean,
        "low": score.low,
        "high": score.high,
        "scratch": scratch.mean,
        "best": curves.ceiling(task),
        "chance": curves.chance(task),
        "@say": _sentence(score, scratch, frozen, len(sizes)),
        "@formula": frozen,
    }
    return {name: float(number) for name, number in found.items()}


def _sentence(score: Score, scratch: Score, frozen: int, parts: int) -> int:
    """Which sentence is true: three for fine-tuning, three for some parts, three for features."""
    way = 0 if frozen == 0 else 2 if frozen == parts else 1
    if score.low > scratch.high:
        return 3 * way
    return 3 * way + (1 if score.high < scratch.low else 2)


def _depth(network: str, task: str, labels: int, frozen: int) -> Score:
    return curves.recorded_score(curves.frozen_spec(network, task, labels, frozen)) or MISSING


def _scratch(network: str, task: str, labels: int) -> Score:
    return curves.recorded_score(curves.spec_of(network, task, "scratch", labels)) or MISSING


MISSING = Score(math.nan, math.nan, math.nan, 0)


def transfer_sentences(parts: int) -> list[str]:
    """The findings between which @say chooses."""
    ways = (
        "all weights fine-tuned",
        f"{{frozen}} of {parts} parts frozen",
        "only the head trained",
    )
    found = []
    for way in ways:
        begin = f"**{{labels}} labels**, {way}: =={{mean}}== right; "
        found += [
            begin + "the same network from scratch {scratch}.",
            begin + "here **from scratch is better**, {scratch}.",
            begin + "from scratch {scratch}: no clear difference.",
        ]
    return found


def transfer_formulas(network: str, task: str, *, hidden: bool) -> list[list[str]]:
    """What the head computes, the weights that learn, and the interval, by frozen parts.

    `hidden`: the weights that learn are to be predicted.
    """
    sizes, head = part_sizes(network), head_weights(network, task)
    formulas = list[list[str]]()
    for frozen in range(len(sizes) + 1):
        learn = "?" if hidden else f"{sum(sizes[frozen:]) + head:,}"
        weights = f"learn **[score|{learn}]** weights, keep [mask|{sum(sizes[:frozen]):,}]"
        interval = f"{len(curves.SEEDS)} seeds: {{low}} to {{high}}; best possible **{{best}}**"
        formulas.append([EQUATIONS[TASKS[task].reads], weights, interval])
    return formulas


def describe_transfer(network: str, task: str, name: str) -> str:
    """The alt text of the picture, as a template."""
    lost = thrown_away(network)
    gone = f" The head that predicted {PRETRAINING_HEADS[network]} is struck out"
    gone += f", {lost:,} weights." if lost else "; its matrix is E."
    return (
        f"{name} with a new head for “{TASKS[task].title}”, which reads {READS[TASKS[task].reads]}."
        f"{gone} {{frozen}} of its {len(part_names(network))} parts are frozen. Accuracy against "
        "the number of labels: {mean} at {labels} labels, {scratch} from scratch; the best "
        "possible is {best}, the most frequent answer {chance}."
    )


def _curve(name: str, scores: Sequence[Score]) -> CurveData:
    return {
        "name": name,
        "mean": _numbers([score.mean for score in scores]),
        "low": _numbers([score.low for score in scores]),
        "high": _numbers([score.high for score in scores]),
    }


def _numbers(values: Sequence[float] | Sequence[int]) -> NumberArray:
    return np.array(values, dtype=float)
