"""One small head on a kept network: the numbers of its answer, and what the picture draws."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypedDict

import numpy as np
import torch
from torch import Tensor

from drawing.live import LiveNumbers, Slider, live_numbers
from drawing.payload import NumberArray, Script
from lessons.transfer import heads_view, transfer_picture
from lessons.transfer.heads_view import Reading
from lessons.transfer.transfer_picture import PartData
from lessons.transfer.transfer_state import NETWORK_NAMES, TransferState
from lmcore.transfer import curves
from lmcore.transfer.curves import FROZEN_LABELS, Score
from lmcore.transfer.heads import SPAN, HeadTrace
from lmcore.transfer.networks import part_names, part_sizes
from lmcore.transfer.tasks import TASKS

Shown = Literal["head", "scores", "shares", "answer", "freeze"]
"""A key of `use_state.HEAD_SHOWN`."""
LETTERS = {"text": "C", "pair": "C", "tags": "K", "span": "S"}
"""How a head reads → the letter of its matrix: classes, k tags, span."""
TAG_NAMES = "S subject, V verb; inside a clause s subject, v verb, o object; – none of these"


class SmallHeadPayload(TypedDict):
    """A network, a text that it reads, and the head on it."""

    shown: str
    name: str
    parts: list[PartData]
    tokens: list[str]
    read: list[int]
    """The places of the tokens whose vectors the head reads."""
    reads: str
    letter: str
    labels: list[str]
    legend: str
    head: int
    weights: NumberArray
    """W, label by label."""
    vectors: NumberArray
    """z of each place that is read."""
    followed: int
    """Which of these places is followed."""
    right: list[int]
    """The right label of each place; −1 where it is not known."""
    labelled: int
    """How many labels the recorded runs had."""
    chance: float


PATTERNS = ("s # #", "p # #", "kept", "learn", "frozen", "mean", "mean #", "low #", "high #")
SMALL_HEAD = Script("small_head", SmallHeadPayload, (*PATTERNS, "right", "@say", "@formula"))


class HeadState(NamedTuple):
    """What the picture shows: the network and its task, the text, and which step of the answer."""

    now: TransferState
    reading: Reading
    shown: Shown

    @property
    def trace(self) -> HeadTrace:
        """The head's answer."""
        return self.reading.traces[self.now.network]

    @property
    def is_span(self) -> bool:
        """Whether the labels are the two ends of an answer."""
        return self.trace.labels == SPAN

    @property
    def best(self) -> list[int]:
        """The likeliest label of each place; for a span, the likeliest place of each end."""
        return self.trace.probabilities.argmax(0 if self.is_span else 1).tolist()

    @property
    def right(self) -> list[int]:
        """The right label of each place; −1 where it is not known, or has none."""
        answer = self.reading.example.answer
        if not self.reading.known:
            return [-1] * len(self.trace.places)
        if isinstance(answer, int):
            return [answer]
        places = [int(each) for each in answer]
        if not self.is_span:
            return places
        return [places.index(n) if n in places else -1 for n in range(len(self.trace.places))]

    @property
    def correct(self) -> int:
        """How many answers are right: of one text, of all words, or of both ends."""
        if self.is_span:
            return sum(self.right[place] == end for end, place in enumerate(self.best))
        return sum(a == b for a, b in zip(self.best, self.right, strict=True))


def depths(now: TransferState) -> list[Score]:
    """The recorded accuracy with each number of frozen parts."""
    return [
        curves.recorded_score(curves.frozen_spec(now.network, now.task, FROZEN_LABELS[0], depth))
        for depth in range(now.parts + 1)
    ]


def numbers(state: HeadState) -> LiveNumbers:
    """The numbers of the answer; where the freeze line is shown, also at each of its places."""
    now = state.now
    frozen = now.frozen if state.shown == "freeze" else now.parts
    every = [_at_depth(state, depth) for depth in range(now.parts + 1)]
    if state.shown != "freeze":
        return live_numbers("small-head", every[frozen], [], {})
    places = np.arange(now.parts + 1, dtype=float)
    slider = Slider(
        "frozen",
        "frozen parts",
        "frozen parts",
        float(frozen),
        places,
        "How many of the lowest parts stay as pre-training left them",
        role="mask",
    )
    swept = {name: torch.stack([each[name] for each in every])[None] for name in every[0]}
    return live_numbers("small-head", every[frozen], [slider], swept)


def _at_depth(state: HeadState, frozen: int) -> dict[str, Tensor]:
    """The numbers with so many parts frozen."""
    now, trace = state.now, state.trace
    sizes, scores = part_sizes(now.network), depths(now)
    found: dict[str, float] = {
        "kept": sum(sizes[:frozen]),
        "learn": sum(sizes[frozen:]) + transfer_picture.head_weights(now.network, now.task),
        "frozen": frozen,
        "mean": scores[frozen].mean,
        "right": state.correct,
        "@say": _sentence(state.shown, frozen, now.parts),
        "@formula": frozen if state.shown == "freeze" else 0,
    }
    for depth, score in enumerate(scores):
        found |= {f"mean {depth}": score.mean, f"low {depth}": score.low}
        found |= {f"high {depth}": score.high}
    for kind, table in (("s", trace.scores), ("p", trace.probabilities)):
        for place, row in enumerate(table.tolist()):
            found |= {f"{kind} {place} {label}": value for label, value in enumerate(row)}
    return {name: torch.tensor(float(value), dtype=torch.float64) for name, value in found.items()}


def _sentence(shown: Shown, frozen: int, parts: int) -> int:
    """Which sentence is true: with a freeze line, that of no, of some or of all frozen parts."""
    if shown != "freeze" or not frozen:
        return 0
    return 2 if frozen == parts else 1


def picture(state: HeadState) -> SmallHeadPayload:
    """The data of `lessons/transfer/small_head.js` other than the numbers."""
    now, trace = state.now, state.trace
    its = TASKS[now.task]
    read = transfer_picture.read_places(
        now.network, now.task, state.reading.example, len(trace.tokens)
    )
    return {
        "shown": state.shown,
        "name": NETWORK_NAMES[now.network],
        "parts": [
            {"name": name, "weights": size}
            for name, size in zip(part_names(now.network), part_sizes(now.network), strict=True)
        ],
        "tokens": list(trace.tokens),
        "read": list(read),
        "reads": its.reads,
        "letter": LETTERS[its.reads],
        "labels": [*trace.labels],
        "legend": TAG_NAMES if its.reads == "tags" else "",
        "head": transfer_picture.head_weights(now.network, now.task),
        "weights": trace.weights.double().numpy().reshape(-1),
        "vectors": trace.vectors.double().numpy().reshape(-1),
        "followed": followed(state),
        "right": state.right,
        "labelled": FROZEN_LABELS[0],
        "chance": transfer_picture.allowed_by(now.network, now.task).chance,
    }


def followed(state: HeadState) -> int:
    """Which of the places that are read is followed: the first with a tag, or a likeliest end."""
    return heads_view.shown_read(state.trace)
