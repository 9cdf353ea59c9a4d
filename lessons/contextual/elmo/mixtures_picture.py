"""Layers mixed by task: the shares that each task takes, and the states that are mixed."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Name
from drawing.live import LiveNumbers
from drawing.payload import NumberArray, Script
from lessons.contextual.bilm_view import Sentence
from lmcore.contextual.record import Recorded
from lmcore.contextual.tasks import TASKS

MIXTURES = ("the last layer", "equal shares", "what was learned")
"""What a task takes of the layers."""
ASKS = {
    "part of speech": "noun or verb?",
    "number": "is the subject plural?",
    "depth": "how many clauses in?",
    "sense": "which “fine”?",
    "reference": "first noun or second?",
}


class TaskShares(NamedTuple):
    """What a task takes of each layer; NaN is what was not measured."""

    task: str
    shares: tuple[float, ...]
    gamma: float
    accuracy: float
    by_word: float
    """The accuracy of each word's most frequent answer, without its context."""


class MixturesPayload(TypedDict):
    """The tasks in their order, and the word's 2L + 1 vectors."""

    tasks: list[str]
    asks: list[str]
    word: str
    units: int
    states: NumberArray
    """xₖ, →hₖ,₁, ←hₖ,₁ and so on, each on a scale up to ±1."""
    scale: list[str]
    learned: bool
    measured: bool


class TaskPress(EventDict):
    """The task that was pressed."""

    task: Name


MIXED = Script(
    "mixtures",
    MixturesPayload,
    ("task", "top", "share", "s # #", "gamma #", "right #", "word #"),
    TaskPress,
)


def ordered_tasks(record: Recorded) -> list[str]:
    """The tasks, from the one that takes least of the last layer to the one that takes most."""
    learned = record.mixtures["bilm"]
    return sorted(TASKS, key=lambda task: float(learned[task].shares[-1]))


def task_shares(record: Recorded, mixture: str) -> list[TaskShares]:
    """What each task takes, in the order of the picture."""
    return [_shares(record, task, mixture) for task in ordered_tasks(record)]


def _shares(record: Recorded, task: str, mixture: str) -> TaskShares:
    its = record.mixtures["bilm"][task]
    by_word, count = record.baselines[task][1], len(its.weights)
    if mixture == MIXTURES[0]:
        last = (*(0.0,) * (count - 1), 1.0)
        return TaskShares(task, last, 1.0, its.single[-1], by_word)
    if mixture == MIXTURES[1]:
        return TaskShares(task, (1 / count,) * count, 1.0, float("nan"), by_word)
    return TaskShares(task, tuple(its.shares.tolist()), its.gamma, its.accuracy, by_word)


def numbers(found: list[TaskShares], task: str) -> LiveNumbers:
    """The numbers of every task; `share` is the largest of the chosen one, of layer `top`.

    right # and word # are percentages.
    """
    at = [each.task for each in found].index(task)
    most = max(found[at].shares)
    named = {
        "task": float(at),
        "top": float(found[at].shares.index(most)),
        "share": most,
        **{f"s {n} {j}": s for n, each in enumerate(found) for j, s in enumerate(each.shares)},
        **{f"gamma {n}": each.gamma for n, each in enumerate(found)},
        **{f"right {n}": 100 * each.accuracy for n, each in enumerate(found)},
        **{f"word {n}": 100 * each.by_word for n, each in enumerate(found)},
    }
    return LiveNumbers("mixtures", tuple(named), np.array(list(named.values())))


def picture(found: list[TaskShares], sentence: Sentence, mixture: str) -> MixturesPayload:
    """The data of `lessons/contextual/mixtures.js` other than the numbers."""
    vectors = [each.double() for each in sentence.trace.representations(sentence.at + 1)]
    vectors[0] = vectors[0] / vectors[0].abs().max()
    return {
        "tasks": [each.task for each in found],
        "asks": [ASKS[each.task] for each in found],
        "word": sentence.word,
        "units": len(vectors[0]),
        "states": np.stack([each.numpy() for each in vectors]),
        "scale": theme.diverging_colours(),
        "learned": mixture == MIXTURES[2],
        "measured": mixture != MIXTURES[1],
    }
