"""Two scores or two costs compared: difference, ratio, and the share of the errors removed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

FULL = 100.0
"""The highest score in per cent."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number before and after."""

    before: float
    after: float
    difference: float
    ratio: float
    """after / before; nan if before is 0."""
    removed: float
    """The share of the errors removed, from 1 downwards; nan if the numbers are not scores."""

    def to_frame(self) -> DataFrame:
        """One row: before, after, difference, ratio, removed."""
        return dataframes.one_row({name: getattr(self, name) for name in self.__slots__})


def compare(before: float, after: float, *, scores: bool = False) -> Comparison:
    """Compare two numbers; with `scores` they are in per cent, and errors are the rest to 100."""
    ratio = after / before if before else math.nan
    removed = error_reduction(before, after) if scores and before < FULL else math.nan
    return Comparison(before, after, after - before, ratio, removed)


def error_reduction(before: float, after: float) -> float:
    """The share of the errors removed: (after − before) / (100 − before), negative for a loss.

    Both are scores in per cent, so that 100 − score are the errors. Feng's slide “Experiment” calls
    it the relative increase.

    Raises:
        ValueError: if a score is not from 0 to 100, or there were no errors before.
    """
    for name, score in (("before", before), ("after", after)):
        if not 0 <= score <= FULL:
            raise ValueError(f"the score {name} must be from 0 to 100 %; got {score:g}")
    if before == FULL:
        raise ValueError("the score before must be below 100 %, so that there are errors; got 100")
    return (after - before) / (FULL - before)
