"""The worker's interfaces to the pool and to the storage of checkpoints."""

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
    """A worker's end of its connection to the pool, like that of a pipe."""

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether a command has arrived within `timeout` seconds; None waits for ever."""

    def recv(self) -> Command:
        """The next command.

        Raises:
            EOFError: if the pool is gone.
        """

    def send(self, obj: WorkerAnswer) -> None:
        """Send an answer to the pool.

        Raises:
            OSError: if the pool is gone.
        """


@runtime_checkable
class CheckpointStorage(Protocol):
    """Loads and saves the checkpoints of a worker's runs."""

    def load(self, command: Begin) -> bytes | None:
        """The last checkpoint of a run, or None if there is none."""

    def save(self, run: Training, folder: Path) -> str:
        """Save a run for `load`; returns why that failed, or an empty string."""


@dataclass(frozen=True, slots=True)
class DiskStorage:
    """Checkpoints as files on this machine, which may take `most` bytes in all."""

    most: int

    def load(self, command: Begin) -> bytes | None:
        """The last checkpoint of a run, or None if there is none."""
        saved = Path(command.folder) / CHECKPOINT
        return saved.read_bytes() if saved.exists() else None

    def save(self, run: Training, folder: Path) -> str:
        """Save a run for `load`; returns why that failed, or an empty string."""
        data = dump(run)
        try:
            write_within_quota(data, folder / CHECKPOINT, self.most)
        except OSError as error:
            return save_error_text(error)
        return ""
