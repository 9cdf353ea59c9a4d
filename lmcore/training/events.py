"""The events that a training run yields, in order, and the history they make."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Stepped:
    """Step number `step`, counted from 1, is complete.

    `loss` is that of its batch before the update, nats per token; `norm` is the whole gradient's
    before clipping. `tokens` were predicted.
    """

    step: int
    loss: float
    norm: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The validation loss after `step` steps, nats per token, and the gradient norm per layer."""

    step: int
    loss: float
    norms: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """All steps of the spec are complete."""

    step: int


@dataclass(frozen=True, slots=True)
class Diverged:
    """The loss or the gradient is infinite, nan or far too large; `why` says what to change."""

    step: int
    why: str


TrainingEvent = Stepped | Evaluated | Finished | Diverged


@dataclass(slots=True)
class History:
    """The events of a run, in order: curves are drawn from these lists.

    `losses[i]` and `norms[i]` belong to step i + 1. Each sample is (step, text); each evaluation
    (step, loss, norm per layer).
    """

    losses: list[float] = field(default_factory=list)
    norms: list[float] = field(default_factory=list)
    evaluations: list[Evaluated] = field(default_factory=list)
    samples: list[tuple[int, str]] = field(default_factory=list)
    tokens: int = 0

    def record(self, event: TrainingEvent) -> None:
        """Record one event; one that is repeated after a resume changes nothing.

        Steps that were never reported, because the server was killed, are nan.
        """
        if isinstance(event, Stepped) and event.step > len(self.losses):
            unknown = [math.nan] * (event.step - 1 - len(self.losses))
            self.losses += unknown
            self.norms += unknown
            self.losses.append(event.loss)
            self.norms.append(event.norm)
            self.tokens += event.tokens
        if isinstance(event, Evaluated) and (
            not self.evaluations or event.step > self.evaluations[-1].step
        ):
            self.evaluations.append(event)

    def copy(self, step: int) -> History:
        """The history up to `step`."""
        return History(
            self.losses[:step],
            self.norms[:step],
            [e for e in self.evaluations if e.step <= step],
            [s for s in self.samples if s[0] <= step],
            self.tokens,
        )

    def to_frame(self) -> DataFrame:
        """The training curve, one row per step: step, loss, gradient norm, validation loss.

        Losses are in nats per token. Row 0 is before the first step; the validation loss is nan
        between evaluations.
        """
        validation = {each.step: each.loss for each in self.evaluations}
        steps = range(len(self.losses) + 1)
        return dataframes.frame(
            {
                "step": steps,
                "loss": [math.nan, *self.losses],
                "gradient norm": [math.nan, *self.norms],
                "validation loss": [validation.get(step, math.nan) for step in steps],
            }
        )
