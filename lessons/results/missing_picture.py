"""What tests lacked to 100 before a pre-trained model, and how much of it the model gained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lmcore.results.tables import load_results

FULL = 100


class Gain(NamedTuple):
    """A test: its score before the model and with it, in per cent, and the gain."""

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
        """The per cent of what was missing that the model gained."""
        return 100 * self.gain / self.missing


class Gaps(NamedTuple):
    """A model, and the table with its tests: the score with it, and the one before or the gain."""

    label: str
    table: str
    after: str
    before: str
    """The column of the score before; empty where the table prints the gain instead."""
    formula: str
    """How the number that is not printed comes about."""


GAPS = {
    "bert": Gaps("BERT", "bert_abstract", "score", "", "before = score − gain"),
    "elmo": Gaps("ELMo", "elmo", "elmo", "baseline", "gain = with ELMo − the same system without"),
}
MODELS = {name: each.label for name, each in GAPS.items()}


def gains(model: str) -> list[Gain]:
    """The tests of a model in the order of its table; exact arithmetic of what is printed."""
    gaps = GAPS[model]
    table = load_results(gaps.table)
    found = []
    for row in table.rows:
        after, other = table.decimal(row, gaps.after), table.decimal(row, gaps.before or "gain")
        assert after is not None and other is not None
        before, gain = (other, after - other) if gaps.before else (after - other, other)
        found.append(Gain(row.name, row.about, float(before), float(after), float(gain)))
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
"""`gain` and `share` stand for those of all tests when a question hides them."""


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
        "test, in the order of the table",
        float(test),
        table[:, 0].copy(),
        help="Which share of the missing points is gained?",
        role="weight",
    )
    return LiveNumbers("missing", tuple(rows[0]), table[test - 1], (slider,), [table])


def picture(found: Sequence[Gain], model: str) -> MissingPayload:
    """The data of `lessons/results/missing.js` other than the numbers."""
    gaps = GAPS[model]
    return {
        "tests": [each.test for each in found],
        "abouts": [each.about for each in found],
        "before": [each.before for each in found],
        "after": [each.after for each in found],
        "gains": [each.gain for each in found],
        "shares": [each.share for each in found],
        "source": f"Quoted from {load_results(gaps.table).source}; {gaps.formula}",
    }
