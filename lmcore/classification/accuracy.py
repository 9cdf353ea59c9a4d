"""The share of reviews that a classifier gets right, with Wilson's 95 % interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxtyping import Int
from torch import Tensor

from lmcore import dataframes
from lmcore.networks.seeds import share_interval

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many of `total` reviews are classified correctly."""

    correct: int
    total: int

    @property
    def interval(self) -> tuple[float, float, float]:
        """The accuracy and the ends of its interval; nan where there is no review."""
        if self.total == 0:
            return float("nan"), float("nan"), float("nan")
        return share_interval(self.correct, self.total)

    @property
    def share(self) -> float:
        """The accuracy; nan where there is no review."""
        return self.interval[0]

    def to_frame(self) -> DataFrame:
        """One row: correct, total, accuracy and the ends of its interval."""
        names = ("accuracy", "low", "high")
        counts = {"correct": self.correct, "total": self.total}
        return dataframes.one_row(counts | dict(zip(names, self.interval, strict=True)))


def measure_accuracy(predicted: Int[Tensor, " review"], labels: Int[Tensor, " review"]) -> Accuracy:
    """How many predicted labels are the true ones."""
    return Accuracy(int((predicted == labels).sum()), len(labels))
