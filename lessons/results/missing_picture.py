"""What four tests lacked to 100 before BERT, and how much of it BERT gained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lmcore.results.tables import load_results

FULL = 100


class Gain(NamedTuple):
    """A test: its score before BERT and with BERT, in per cent, and the printed gain."""

    test: str
    about: str
    before: float
    after: float
    gain: float

    @property
    def missing(self) -> float:
        """What was missing to 100 before."""
        return FULL - self.before

    @property
    def share(self) -> float:
        """The per cent of what was missing that BERT gained."""
        return 100 * self.gain / self.missing


def gains() -> list[Gain]:
    """The four tests of BERT’s abstract; exact arithmetic of what is printed."""
    table = load_results("bert_abstract")
    found = []
    for row in table.rows:
        after, gain = table.decimal(row, "score"), table.decimal(row, "gain")
        assert after is not None and gain is not None
        found.append(Gain(row.name, row.about, float(after - gain), float(after), float(gain)))
    return found


class MissingPayload(TypedDict):
    """The tests in their order, and their scores."""

    tests: Sequence[str]
    abouts: Sequence[str]
    before: Sequence[float]
    after: Sequence[float]
    gains: Sequence[float]
    shares: Sequence[float]
    source: str


MISSING = Script(
    "missing", MissingPayload, ("test", "before", "missing", "gain", "share", "@say", "@formula")
)
"""`gain` and `share` stand for those of all four tests when a question hides them."""


def numbers(found: Sequence[Gain], test: int) -> LiveNumbers:
    """The numbers of one test, and of each along the slider."""
    rows = [
        {
            "test": n + 1.0,
            "before": its.before,
            "missing": its.missing,
            "gain": its.gain,
            "share": its.share,
            "@say": float(n),
            "@formula": float(n),
        }
        for n, its in enumerate(found)
    ]
    table = np.array([list(row.values()) for row in rows])
    slider = Slider(
        "test",
        "test",
        "test, in the order of the abstract",
        float(test),
        table[:, 0].copy(),
        help="Which share of the missing points is gained?",
        role="weight",
    )
    return LiveNumbers("missing", tuple(rows[0]), table[test - 1], (slider,), [table])


def picture(found: Sequence[Gain]) -> MissingPayload:
    """The data of `lessons/results/missing.js` other than the numbers."""
    return {
        "tests": [each.test for each in found],
        "abouts": [each.about for each in found],
        "before": [each.before for each in found],
        "after": [each.after for each in found],
        "gains": [each.gain for each in found],
        "shares": [each.share for each in found],
        "source": f"Quoted from {load_results('bert_abstract').source}; before = score − gain",
    }
