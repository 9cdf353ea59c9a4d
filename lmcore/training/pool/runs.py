"""The records of a pool: computations, the runs that follow them, and their histories."""

from __future__ import annotations

import contextlib
import math
import os
import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from lmcore.training.checkpoint import CheckpointHeader
from lmcore.training.disk import write_atomically
from lmcore.training.events import History
from lmcore.training.pool.control import holds
from lmcore.training.pool.messages import CHECKPOINT, Began, RunProgress
from lmcore.training.spec import RunSpec

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


@dataclass(slots=True, eq=False)
class Computation:
    """The computation of one spec, for all runs that follow it, by their names.

    A `shared` one accepts further runs of the same spec while it is active; it halts at step
    `until`, in state `wanted`. `version` increases with every change. `seconds` is the processor
    time that it used on this server, since the server started.
    """

    name: str
    spec: RunSpec
    folder: Path
    state: RunState = "queued"
    why: str = ""
    rate: float = 0.0
    seconds: float = 0.0
    device: str = ""
    history: History = field(default_factory=History)
    followers: dict[str, Run] = field(default_factory=dict, repr=False)
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

    def record(self, progress: RunProgress, device: str) -> None:
        """Record a report of the worker."""
        for event in progress.events:
            self.history.record(event)
        samples = self.history.samples
        if progress.sample and (not samples or progress.step > samples[-1][0]):
            samples.append((progress.step, progress.sample))
        self.rate, self.device = progress.rate, device
        self.seconds += progress.seconds
        self.version += 1


@dataclass(slots=True, eq=False)
class Run:
    """One user's run; `seen` is the time of its last view, in seconds of a monotonic clock.

    `owner` is the visitor who began it, `link` the token of its control link; either may be empty.
    Its `title` is the name that its owner gave it, or empty.
    """

    name: str
    computation: Computation
    owner: str = ""
    link: str = field(default="", repr=False)
    title: str = ""
    seen: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class RunView:
    """A snapshot of a run.

    `place` is its position in the queue, from 1; 0 if it is not waiting. `mine` says whether the
    viewer may control it; False if that was not determined.
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
    title: str = ""
    owner: str = field(default="", repr=False)
    link: str = field(default="", repr=False)
    mine: bool = False

    @classmethod
    def of(cls, run: Run, place: int) -> RunView:
        """A snapshot of the run, at that position in the queue."""
        of = run.computation
        return cls(
            run.name, of.spec, of.state, of.step, place, of.why, of.rate, of.device,
            len(of.followers), of.version, of.began, run.title, run.owner, run.link,
        )  # fmt: skip

    def controlled_by(self, proofs: Collection[str]) -> bool:
        """Whether anyone who has these proofs may control the run."""
        return holds(proofs, self.owner, self.link)


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
    """An unguessable name: anyone who has it may view the run."""
    return secrets.token_urlsafe(9)
