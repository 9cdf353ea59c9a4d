"""The records of a pool: computations, the runs that follow them, and their histories."""

from __future__ import annotations

import contextlib
import math
import os
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lmcore import frames
from lmcore.training.checkpoint import CheckpointHeader
from lmcore.training.disk import write_atomically
from lmcore.training.events import Evaluated, Stepped, TrainingEvent
from lmcore.training.pool.messages import CHECKPOINT, Began, RunProgress
from lmcore.training.spec import RunSpec

if TYPE_CHECKING:
    from pandas import DataFrame

RunState = Literal[
    "queued",
    "running",
    "copying",
    "paused",
    "finished",
    "diverged",
    "interrupted",
    "stopped",
    "failed",
]
LIVE_STATES: tuple[RunState, ...] = ("queued", "running")
RESTING_STATES: tuple[RunState, ...] = ("paused", "interrupted", "finished", "stopped")
"""The states of a run that makes no steps and whose model can be used."""
FINAL_STATES: tuple[RunState, ...] = ("finished", "diverged", "stopped", "failed")


@dataclass(slots=True)
class History:
    """The events of a run, in order: the page draws its curves from these lists.

    `losses[i]` and `norms[i]` belong to step i + 1. Each sample is (step, text); each evaluation
    (step, loss, norm per layer).
    """

    losses: list[float] = field(default_factory=list)
    norms: list[float] = field(default_factory=list)
    evaluations: list[Evaluated] = field(default_factory=list)
    samples: list[tuple[int, str]] = field(default_factory=list)
    tokens: int = 0

    def take(self, event: TrainingEvent) -> None:
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
        return frames.frame(
            {
                "step": steps,
                "loss": [math.nan, *self.losses],
                "gradient norm": [math.nan, *self.norms],
                "validation loss": [validation.get(step, math.nan) for step in steps],
            }
        )


@dataclass(slots=True, eq=False)
class Computation:
    """The computation of one spec, for all runs that follow it.

    A `shared` one accepts further runs of the same spec while it is active; it halts at step
    `until`, in state `wanted`. `version` increases with every change.
    """

    name: str
    spec: RunSpec
    folder: Path
    state: RunState = "queued"
    why: str = ""
    rate: float = 0.0
    device: str = ""
    history: History = field(default_factory=History)
    followers: set[str] = field(default_factory=set)
    shared: bool = True
    wanted: RunState = "paused"
    until: int | None = None
    version: int = 0
    began: Began | None = None

    @classmethod
    def new(cls, spec: RunSpec, among: Path, *, shared: bool = True) -> Computation:
        """A computation that has not begun, with its own folder."""
        name = new_name()
        return cls(name, spec, among / name, shared=shared)

    @property
    def step(self) -> int:
        """The number of reported steps."""
        return len(self.history.losses)

    @property
    def saved(self) -> Path:
        """The path of its checkpoint."""
        return self.folder / CHECKPOINT

    def inherit(self, common: Computation) -> None:
        """Take over the last saved state of a computation that has halted."""
        self.history = common.history.copy(common.step)
        with contextlib.suppress(OSError):  # nothing saved, or no room: then it starts over
            self.folder.mkdir(parents=True, exist_ok=True)
            os.link(common.saved, self.saved)  # a saved file is replaced, never changed

    def take(self, told: RunProgress, device: str) -> None:
        """Record a report of the worker."""
        for event in told.events:
            self.history.take(event)
        samples = self.history.samples
        if told.sample and (not samples or told.step > samples[-1][0]):
            samples.append((told.step, told.sample))
        self.rate, self.device = told.rate, device
        self.version += 1


@dataclass(slots=True)
class Run:
    """One user's run; `seen` is the time of its last view, in seconds of a monotonic clock.

    `owner` is the visitor who began it, or empty.
    """

    name: str
    computation: Computation
    owner: str = ""
    seen: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class RunView:
    """A snapshot of a run.

    `place` is its position in the queue, from 1; 0 if it is not waiting.
    """

    name: str
    spec: RunSpec
    state: RunState
    step: int
    place: int
    why: str
    rate: float
    device: str
    followers: int
    version: int
    began: Began | None

    @classmethod
    def of(cls, run: Run, place: int) -> RunView:
        """A snapshot of the run, at that position in the queue."""
        of = run.computation
        return cls(
            run.name, of.spec, of.state, of.step, place, of.why, of.rate, of.device,
            len(of.followers), of.version, of.began,
        )  # fmt: skip


def computation_from_file(about: CheckpointHeader, data: bytes, among: Path) -> Computation:
    """The computation of a checkpoint file, in its own folder, paused where it was saved.

    Its earlier losses are not in the file; they are nan.

    Raises:
        OSError: if it cannot be written.
    """
    computation = Computation.new(about.spec, among, shared=False)
    unknown = [math.nan] * about.step
    computation.history.losses, computation.history.norms = unknown, unknown.copy()
    ended: RunState = "finished" if about.step == about.spec.steps else "paused"
    computation.state, computation.why = "diverged" if about.why else ended, about.why
    computation.folder.mkdir(parents=True)
    write_atomically(data, computation.saved)
    return computation


def new_name() -> str:
    """An unguessable name: whoever has it may view, pause and stop the run."""
    return secrets.token_urlsafe(9)
