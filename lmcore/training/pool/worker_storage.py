"""What a worker stands on: the line to the pool, and the shelf that runs are saved on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from lmcore.training.checkpoint import dump
from lmcore.training.disk import save_error_text, write_within_quota
from lmcore.training.loop import Training
from lmcore.training.pool.messages import CHECKPOINT, Begin, Command, WorkerAnswer


@runtime_checkable
class WorkerPipe(Protocol):
    """A worker's end of what leads to the pool: as a pipe's."""

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether a command has come, waiting so long for one; for ever, if None."""

    def recv(self) -> Command:
        """The next command.

        Raises:
            EOFError: if the pool is gone.
        """

    def send(self, obj: WorkerAnswer) -> None:
        """Tell the pool.

        Raises:
            OSError: if it is gone.
        """


@runtime_checkable
class CheckpointStorage(Protocol):
    """Where a worker finds what a run was saved as, and puts it."""

    def find(self, command: Begin) -> bytes | None:
        """The run as last saved, or None before the first time."""

    def keep(self, run: Training, folder: Path) -> str:
        """Save a run where `find` looks for it; why it could not be, or nothing."""


@dataclass(frozen=True, slots=True)
class DiskStorage:
    """Files beside those of the server, all of which may take `most` bytes."""

    most: int

    def find(self, command: Begin) -> bytes | None:
        """The run as last saved, or None before the first time."""
        saved = Path(command.folder) / CHECKPOINT
        return saved.read_bytes() if saved.exists() else None

    def keep(self, run: Training, folder: Path) -> str:
        """Save a run where `find` looks for it; why it could not be, or nothing."""
        data = dump(run)
        try:
            write_within_quota(data, folder / CHECKPOINT, self.most)
        except OSError as error:
            return save_error_text(error)
        return ""
