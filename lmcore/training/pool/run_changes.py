"""The changes of a run since a replica's last request, and the mirror that applies them."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from lmcore.training.events import Evaluated, History
from lmcore.training.pool.runs import RunView


@dataclass(frozen=True, slots=True)
class HistoryCursor:
    """How much of a run's history a mirror has, and from which process of the pool."""

    life: str = ""
    losses: int = 0
    evaluations: int = 0
    samples: int = 0


@dataclass(frozen=True, slots=True)
class RunChanges:
    """A run's current state, and its history from `since` on."""

    view: RunView
    life: str
    since: tuple[int, int, int]
    losses: Sequence[float]
    norms: Sequence[float]
    evaluations: Sequence[Evaluated]
    samples: Sequence[tuple[int, str]]
    tokens: int


def changes_since(view: RunView, history: History, life: str, seen: HistoryCursor) -> RunChanges:
    """The changes a mirror lacks; all data, if its own is from an earlier process of the pool."""
    if seen.life != life:
        seen = HistoryCursor()
    there = len(history.norms)  # a loss is appended before its norm
    at = min(seen.losses, there)
    known = min(seen.evaluations, len(history.evaluations))
    samples = min(seen.samples, len(history.samples))
    return RunChanges(
        view,
        life,
        (at, known, samples),
        history.losses[at:there],
        history.norms[at:there],
        history.evaluations[known:],
        history.samples[samples:],
        history.tokens,
    )


@dataclass(slots=True)
class Mirror:
    """A copy of a run as of time `at`; `wanted` is the time of its last view.

    For an unknown run there is no view, and `gone` says why.
    """

    wanted: float = field(default_factory=time.monotonic)
    at: float = -math.inf
    gone: str = ""
    view: RunView | None = None
    history: History = field(default_factory=History)
    life: str = ""

    @property
    def is_needed(self) -> bool:
        """Whether there is no view yet, or none since a call that may have changed the run."""
        return self.view is None or self.at == -math.inf

    def is_old(self, seconds: float) -> bool:
        """Whether its last update is at least `seconds` seconds old, or there was none."""
        return time.monotonic() - self.at >= seconds

    @property
    def seen(self) -> HistoryCursor:
        """How much of the history the mirror has."""
        history = self.history
        counts = len(history.losses), len(history.evaluations), len(history.samples)
        return HistoryCursor(self.life, *counts)

    def apply(self, changes: RunChanges | str) -> None:
        """Apply changes; lists that are being read may grow, but their entries never change."""
        self.at = time.monotonic()
        if isinstance(changes, str):
            self.view, self.gone = None, changes
            return
        mine, seen, (at, known, samples) = self.history, self.seen, changes.since
        if (at, known, samples) != (seen.losses, seen.evaluations, seen.samples):
            mine = History(
                mine.losses[:at], mine.norms[:at], mine.evaluations[:known], mine.samples[:samples]
            )
        mine.losses.extend(changes.losses)
        mine.norms.extend(changes.norms)
        mine.evaluations.extend(changes.evaluations)
        mine.samples.extend(changes.samples)
        mine.tokens = changes.tokens
        self.history, self.view, self.life, self.gone = mine, changes.view, changes.life, ""
