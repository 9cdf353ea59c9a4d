"""The events that a training run yields, in order."""

from __future__ import annotations

from dataclasses import dataclass


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
