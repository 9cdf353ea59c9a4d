"""Where in a model each task is gained, beside the order of the classical pipeline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing.events import Name
from drawing.live import LiveNumbers
from drawing.payload import Script
from lessons.contextual import recorded_text
from lessons.contextual.elmo.mixtures_picture import ASKS
from lmcore.contextual.probes import expected_layer
from lmcore.contextual.record import MODELS, Recorded

STAGES = tuple(recorded_text.PIPELINE.split(" → "))
ROWS = (
    (0, "part of speech"),
    (1, "depth"),
    (1, "number"),
    (2, ""),
    (3, ""),
    (4, "reference"),
    (-1, "sense"),
)
"""The stage of each row, −1 if the slide has none, and the task that we probe, if any."""
LITTLE = 0.05
"""A task to which the layers add less than this is not gained in them."""
KNOWN = 0.9
"""A task that layer 0 solves so well needs no layer."""
TASKS = tuple(task for _, task in ROWS if task)


class Gained(NamedTuple):
    """A task's accuracies from layer 0 up, and what each layer adds to the best one below it."""

    task: str
    stage: int
    accuracies: tuple[float, ...]
    gains: tuple[float, ...]
    layer: float
    """The expected layer; 0 if the word alone tells it, NaN if no layer solves it."""


class GainRow(TypedDict):
    """A row of the picture: a stage of the slide, a task of ours, or both; −1: none."""

    stage: int
    task: int


class PipelinePayload(TypedDict):
    """The rows from the top, and what is written in them."""

    rows: list[GainRow]
    stages: list[str]
    tasks: list[str]
    asks: list[str]
    model: str
    layers: int
    """How many there are above layer 0."""
    most: float
    """The largest gain."""


class ProbedTask(EventDict):
    """The task that was pressed."""

    task: Name


PIPELINE = Script(
    "pipeline_order", PipelinePayload, ("task", "right # #", "gain # #", "layer #"), ProbedTask
)


def gained_tasks(record: Recorded, model: str) -> list[Gained]:
    """The tasks in the order of the rows, as recorded for a model."""
    stages = {task: stage for stage, task in ROWS if task}
    return [_gained(record, model, task, stages[task]) for task in TASKS]


def _gained(record: Recorded, model: str, task: str, stage: int) -> Gained:
    found = tuple(score.accuracy for score in recorded_text.scores_of(record, model, task))
    best = [max(found[: n + 1]) for n in range(len(found))]
    gains = (0.0, *(after - before for before, after in pairwise(best)))
    layer = expected_layer(found)
    if sum(gains) < LITTLE:
        layer = 0.0 if found[0] >= KNOWN else math.nan
    return Gained(task, stage, found, gains, layer)


def numbers(found: Sequence[Gained], task: str) -> LiveNumbers:
    """The accuracies and gains of every layer, as shares, and the expected layer of every task."""
    named = {"task": float(TASKS.index(task))}
    for n, its in enumerate(found):
        named |= {f"right {n} {k}": value for k, value in enumerate(its.accuracies)}
        named |= {f"gain {n} {k}": value for k, value in enumerate(its.gains)}
        named[f"layer {n}"] = its.layer
    return LiveNumbers("pipeline", tuple(named), np.array(list(named.values())))


def picture(found: Sequence[Gained], model: str) -> PipelinePayload:
    """The data of `lessons/contextual/pipeline_order.js` other than the numbers."""
    return {
        "rows": [
            {"stage": stage, "task": TASKS.index(task) if task else -1} for stage, task in ROWS
        ],
        "stages": list(STAGES),
        "tasks": list(TASKS),
        "asks": [ASKS[task] for task in TASKS],
        "model": MODELS[model],
        "layers": len(found[0].accuracies) - 1,
        "most": max(max(its.gains) for its in found),
    }
