"""What a training run tells the one who listens, in the order it happens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stepped:
    """Step number `step` was made, the first being 1.

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
    """Every step of the spec was made."""

    step: int


@dataclass(frozen=True, slots=True)
class Diverged:
    """The loss or gradient is no longer a number, or has blown up; `why` says what to change."""

    step: int
    why: str


TrainingEvent = Stepped | Evaluated | Finished | Diverged
