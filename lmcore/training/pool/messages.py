"""What the server and a worker process say to each other, over a pipe between the two."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from lmcore.training.events import TrainingEvent
from lmcore.training.spec import RunSpec

CHECKPOINT = "checkpoint.safetensors"
"""The name of the file in a run's folder."""

Cause = Literal["halted", "finished", "diverged", "failed"]


@dataclass(frozen=True, slots=True)
class Begin:
    """Take a run up: from its checkpoint in `folder` if there is one, else from its start.

    It halts by itself once step `until` is made, where that is given, and once it has computed for
    `seconds`, which `why` then explains. A worker that does not see the folder is given `data`,
    the checkpoint itself.
    """

    run: str
    spec: RunSpec
    folder: str
    until: int | None = None
    seconds: float = math.inf
    why: str = ""
    data: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Halt:
    """Save the run and let go of it; or, with `drop`, only let go."""

    run: str
    drop: bool = False


@dataclass(frozen=True, slots=True)
class Copy:
    """Save the run as it is now into another folder, and go on."""

    run: str
    folder: str


@dataclass(frozen=True, slots=True)
class Quit:
    """End the process; what has not been saved is lost."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """What happened in a run up to `step`, since the last time.

    `rate` is in tokens per second of the run's own time; `sample` is text written by the model as
    it is after `step`, or empty.
    """

    run: str
    step: int
    events: tuple[TrainingEvent, ...]
    rate: float
    sample: str = ""


@dataclass(frozen=True, slots=True)
class Began:
    """What the run turned out to be: |V|, the number of weights, and the grammar's own loss."""

    run: str
    types: int
    parameters: int
    truth: float | None


@dataclass(frozen=True, slots=True)
class Halted:
    """The run makes no more steps and is no longer in the worker; `step` is saved on disk.

    If it could not be, `unsaved` says why.
    """

    run: str
    step: int
    cause: Cause
    why: str = ""
    unsaved: str = ""


@dataclass(frozen=True, slots=True)
class Copied:
    """The checkpoint of `run` at `step` lies in `folder`; or `unsaved` says why not."""

    run: str
    step: int
    folder: str
    unsaved: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """A checkpoint by a worker that does not see the folder it belongs into."""

    folder: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has imported what it needs; `pid` is its process, on its own machine."""

    device: str
    pid: int = 0


Command = Begin | Halt | Copy | Quit
WorkerAnswer = Began | RunProgress | Halted | Copied | Saved | Ready
