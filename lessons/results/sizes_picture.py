"""Language models as circles on a line of time: the numbers of each step, the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lmcore.numbers import format_number
from lmcore.results.tables import ResultTable, Row, load_results

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
BILLION = 1e9
MOST = 5
"""Models of the longest story."""
BEST = "Best before"
STORIES = {
    "release": "GPT-2: four sizes",
    "held": "GPT-2: held back",
    "gpt": "GPT to GPT-3",
    "parrots": "Stochastic parrots",
}
_ROWS = {
    "gpt": ("GPT", "BERT-BASE", "GPT-2", "GPT-3"),
    "parrots": ("BERT-LARGE", "GPT-2", "T-NLG", "GPT-3", "Switch-C"),
}
TESTS = {
    "lambada": "LAMBADA",
    "wikitext2": "WikiText-2",
    "ptb": "Penn Treebank",
    "wikitext103": "WikiText-103",
    "billion": "One Billion Word",
}
"""The zero-shot tests of GPT-2: measure of the table → name."""


@dataclass(frozen=True, slots=True)
class Sized:
    """A model: its parameters in billions, the month of its release as a count, its perplexity."""

    name: str
    printed: str
    billions: float
    month: int
    score: float = math.nan
    perplexity: str = ""
    """The score as printed."""

    @property
    def released(self) -> str:
        """Its month in words."""
        return f"{MONTHS[self.month % 12]} {self.month // 12}"


@dataclass(frozen=True, slots=True)
class Sizes:
    """The models of a story in the order of their release.

    `best` is the best perplexity before them on `test`; nan if the story has no perplexities.
    """

    story: str
    models: tuple[Sized, ...]
    test: str
    best: float
    source: str

    @property
    def scored(self) -> bool:
        """Whether the models stand at the height of their perplexity."""
        return not math.isnan(self.best)


def sizes_of(story: str, test: str) -> Sizes:
    """The models of a story, of `STORIES`; those of GPT-2 with their perplexity on a test."""
    if story in _ROWS:
        table = load_results("model_sizes")
        models = tuple(_sized(table, table.row(name)) for name in _ROWS[story])
        return Sizes(story, models, test, math.nan, table.source)
    table = load_results("gpt2_sizes")
    models = tuple(_sized(table, row, test) for row in table.rows if row.name != BEST)
    return Sizes(story, models, test, _number(table, table.row(BEST), test), table.source)


def notes(story: str) -> tuple[str, ...]:
    """The notes of the table from which a story is told."""
    return load_results("model_sizes" if story in _ROWS else "gpt2_sizes").notes


def _sized(table: ResultTable, row: Row, test: str = "") -> Sized:
    count = _number(table, row, "parameters")
    year, month = (int(part) for part in row.month.split("-"))
    score = _number(table, row, test) if test else math.nan
    printed = table.printed(row, test) if test else ""
    at = 12 * year + month - 1
    return Sized(row.name, said_size(count), count / BILLION, at, score, printed)


def said_size(count: float) -> str:
    """Parameters in words, as on a label."""
    millions = count / 1e6
    return f"{millions:g} million" if millions < 1000 else f"{millions / 1000:,.4g} billion"


def _number(table: ResultTable, row: Row, key: str) -> float:
    found = table.decimal(row, key)
    return math.nan if found is None else float(found)


class SizesPayload(TypedDict):
    """The models in the order of their release; `scores` is empty where none are drawn."""

    models: Sequence[str]
    printed: Sequence[str]
    sizes: Sequence[float]
    """In billions of parameters: the area of a circle."""
    months: Sequence[int]
    """Since January of the first year."""
    released: Sequence[str]
    scores: Sequence[float]
    perplexities: Sequence[str]
    """The scores as printed."""
    best: float
    bestSaid: str
    test: str
    held: bool
    """Whether the last model is drawn where it was described, too."""
    year: int
    source: str


SIZES = Script(
    "sizes",
    SizesPayload,
    ("shown", "size", "times", "months", "double", "score", "fall", "@say", "@formula"),
)


def numbers(found: Sizes, shown: int) -> LiveNumbers:
    """The numbers of the last model that is shown, for each count of models.

    `times` and `fall` compare it with the first one, `double` is in months; what a story does not
    have is 0.
    """
    rows = [_numbers_of(found, n) for n in range(1, len(found.models) + 1)]
    names = tuple(rows[0])
    table = np.array([list(row.values()) for row in rows])
    slider = Slider(
        "shown",
        "models",
        "models, in the order of their release",
        float(shown),
        table[:, 0].copy(),
        help="Watch the area of the next circle",
        role="weight",
    )
    return LiveNumbers("sizes", names, table[shown - 1], (slider,), [table])


def _numbers_of(found: Sizes, shown: int) -> dict[str, float]:
    first, last = found.models[0], found.models[shown - 1]
    times, months = last.billions / first.billions, last.month - first.month
    doublings = math.log2(times)
    return {
        "shown": float(shown),
        "size": last.billions,
        "times": times,
        "months": float(months),
        "double": months / doublings if doublings > 0 else 0.0,
        "score": last.score if found.scored else 0.0,
        "fall": first.score / last.score if found.scored else 0.0,
        "@say": float(shown - 1),
        "@formula": float(shown - 1),
    }


def picture(found: Sizes) -> SizesPayload:
    """The data of `lessons/results/sizes.js` other than the numbers."""
    year = found.models[0].month // 12
    return {
        "models": [each.name for each in found.models],
        "printed": [each.printed for each in found.models],
        "sizes": [each.billions for each in found.models],
        "months": [each.month - 12 * year for each in found.models],
        "released": [each.released for each in found.models],
        "scores": [each.score for each in found.models] if found.scored else [],
        "perplexities": [each.perplexity for each in found.models if found.scored],
        "best": found.best if found.scored else 0.0,
        "bestSaid": format_number(found.best) if found.scored else "",
        "test": TESTS[found.test],
        "held": found.story == "held",
        "year": year,
        "source": f"Quoted from {found.source}",
    }
