"""A tagger with few labels: where it has ELMo, and the errors that this takes away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypedDict

import numpy as np
from typing_extensions import TypedDict as EventDict

from drawing.live import LiveNumbers
from drawing.payload import Script
from lessons.contextual.elmo.mixtures_picture import ASKS
from lessons.contextual.recorded_text import PLACES, tagger_means
from lmcore.contextual.record import Recorded
from lmcore.contextual.tagger import Placement


class Errors(NamedTuple):
    """A task: of 100 words, those that are wrong without ELMo, and where the tagger has it."""

    task: str
    before: float
    now: float
    low: float
    """The lowest of the seeds."""
    high: float

    @property
    def gain(self) -> float:
        """How many of 100 words become right."""
        return self.before - self.now


class TaggerPayload(TypedDict):
    """What `lessons/contextual/tagger.js` draws other than the numbers."""

    tasks: Sequence[str]
    asks: Sequence[str]
    place: Placement
    most: float
    """The top of the scale of errors."""
    named: int
    """The task that the sentence names."""


class PlacePress(EventDict):
    """Where the tagger shall have ELMo."""

    place: Literal["none", "input", "output", "both"]


TAGGER = Script(
    "tagger",
    TaggerPayload,
    ("texts", "before #", "now #", "low #", "high #", "gain #"),
    PlacePress,
)


def errors_of(record: Recorded, place: Placement) -> list[Errors]:
    """The errors of each task in the order of the recording, means over the seeds."""
    tasks = dict.fromkeys(run.task for run in record.taggers)
    found = []
    for task in tasks:
        means = tagger_means(record.taggers, task)
        mean, low, high = (100 * (1 - share) for share in means[(place, 0.0)])
        found.append(Errors(task, 100 * (1 - means[("none", 0.0)][0]), mean, high, low))
    return found


def named_task(found: Sequence[Errors]) -> int:
    """The task that gains most; where none gains, the one with most errors."""
    if max(each.gain for each in found) > 0:
        return max(range(len(found)), key=lambda n: found[n].gain)
    return max(range(len(found)), key=lambda n: found[n].before)


def numbers(record: Recorded, found: Sequence[Errors]) -> LiveNumbers:
    """The numbers of every task, in words of 100."""
    named = {
        "texts": float(record.taggers[0].texts),
        **{f"before {n}": each.before for n, each in enumerate(found)},
        **{f"now {n}": each.now for n, each in enumerate(found)},
        **{f"low {n}": each.low for n, each in enumerate(found)},
        **{f"high {n}": each.high for n, each in enumerate(found)},
        **{f"gain {n}": each.gain for n, each in enumerate(found)},
    }
    return LiveNumbers("tagger", tuple(named), np.array(list(named.values())))


def picture(record: Recorded, found: Sequence[Errors], place: Placement) -> TaggerPayload:
    """The data of the picture other than the numbers; its scale is the same at every place."""
    most = max(each.high for at in PLACES for each in errors_of(record, at))
    return {
        "tasks": [each.task for each in found],
        "asks": [ASKS[each.task] for each in found],
        "place": place,
        "most": float(5 * np.ceil(most / 5)),
        "named": named_task(found),
    }
