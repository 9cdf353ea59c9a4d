"""Six ways to make one vector of the layers: which are taken, and how well each does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing.events import Place
from drawing.live import LiveNumbers
from drawing.payload import Script
from lmcore.contextual.mixing import TABLE_7
from lmcore.contextual.record import Recorded

WAYS = tuple(TABLE_7)
"""From the worst to the best in the BERT paper."""
BERT_LAYERS, BERT_WIDTH = 12, 768
MINILM_LAYERS, MINILM_WIDTH = 6, 384
FAR = 2.0
"""A lowest score is beside a broken axis if it is this many spreads of the others below them."""


class Scores(NamedTuple):
    """The scores of the six ways, in the order of `WAYS`."""

    title: str
    measure: str
    values: tuple[float, ...]

    @property
    def best(self) -> int:
        """The first of the ways with the highest score."""
        return self.values.index(max(self.values))

    @property
    def is_broken(self) -> bool:
        """Whether the axis leaves out a stretch between the lowest score and the others."""
        lowest, *others = sorted(self.values)
        return others[0] - lowest > FAR * (others[-1] - others[0])


class LayerWay(TypedDict):
    """A way: its name, the layers that it takes, 0 the embedding, and how they are combined."""

    name: str
    layers: list[int]
    ends: bool
    """Whether they are put end to end; otherwise summed."""
    size: str


class ScoreAxisData(TypedDict):
    """The axis of one model."""

    title: str
    measure: str
    broken: bool
    best: int


class LayerChoicesPayload(TypedDict):
    """The six ways, and the two axes."""

    ways: list[LayerWay]
    depth: int
    axes: list[ScoreAxisData]


class LayerWayPress(EventDict):
    """The way that was pressed, by its place."""

    way: Place


LAYER_CHOICES = Script(
    "layer_choices", LayerChoicesPayload, ("way", "bert #", "ours #"), LayerWayPress
)


def layers_of(way: str, depth: int) -> list[int]:
    """The layers that a way takes of a model with this many above the embedding."""
    last = list(range(depth - 3, depth + 1))
    return {
        "first layer": [0],
        "last layer": [depth],
        "sum of all layers": list(range(1, depth + 1)),
        "second-to-last layer": [depth - 1],
        "sum of the last four": last,
        "last four, end to end": last,
    }[way]


def size_of(way: str, width: int) -> int:
    """The numbers of the vector that a way makes."""
    return 4 * width if way == WAYS[-1] else width


def both_scores(record: Recorded, task: str) -> tuple[Scores, Scores]:
    """The scores of the BERT paper, and MiniLM’s on a task."""
    ours = tuple(record.combinations[task][way] for way in WAYS)
    return (
        Scores("BERT, named entities", "F1, quoted", tuple(TABLE_7.values())),
        Scores(f"MiniLM, {task}", "accuracy, measured", ours),
    )


def numbers(found: Sequence[Scores], way: int) -> LiveNumbers:
    """All scores, and the way that is chosen."""
    bert, ours = found
    named = {"way": float(way)}
    named |= {f"bert {n}": value for n, value in enumerate(bert.values)}
    named |= {f"ours {n}": value for n, value in enumerate(ours.values)}
    return LiveNumbers("layer-choices", tuple(named), np.array(list(named.values())))


def picture(found: Sequence[Scores]) -> LayerChoicesPayload:
    """The data of `lessons/contextual/layer_choices.js` other than the numbers."""
    return {
        "ways": [
            {
                "name": way,
                "layers": layers_of(way, BERT_LAYERS),
                "ends": way == WAYS[-1],
                "size": f"{size_of(way, BERT_WIDTH):,} numbers",
            }
            for way in WAYS
        ],
        "depth": BERT_LAYERS,
        "axes": [
            {
                "title": its.title,
                "measure": its.measure,
                "broken": its.is_broken,
                "best": its.best,
            }
            for its in found
        ],
    }
