"""The folder of a pool's runs: temporary, or persistent over restarts of the server."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import tempfile
import time
from pathlib import Path

from lmcore.configuration import variable_name
from lmcore.training.disk import PART_SUFFIX, used_bytes
from lmcore.training.pool.run_journal import JOURNAL_FILE, RunJournal, read_journal
from lmcore.training.pool.runs import Computation

LOCK = "lock"
"""The file in its folder that a server keeps locked, with its process id; the operating system
releases it when the server is gone."""
MEASURE_SECONDS = 1.0
"""Seconds for which a measurement of the disk is reused."""
log = logging.getLogger(__name__)


class Store:
    """A folder with one subfolder per computation; kept for the next server if `is_persistent`."""

    def __init__(self, folder: Path, most: int, lock: int | None = None) -> None:
        self.folder, self.most, self._lock = folder, most, lock
        self.is_persistent = lock is not None
        self._closed = self._complained = False
        self._journals: dict[str, RunJournal] = {}
        self._measured, self._used = -MEASURE_SECONDS, 0

    @classmethod
    def temporary(cls, among: Path | None, most: int) -> Store:
        """A temporary store within a folder, deleted at the end."""
        return cls(Path(tempfile.mkdtemp(prefix="lmlive-runs-", dir=among)), most)

    @classmethod
    def persistent(cls, folder: Path, most: int) -> Store:
        """A persistent store.

        Raises:
            ValueError: if the folder cannot be written, or another server uses it.
        """
        name = variable_name("runs_folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise ValueError(
                f"{name} must be a folder that can be written; got {str(folder)!r}: "
                f"{error.strerror}"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            raise ValueError(
                f"{name} must be a folder of one server alone; got {str(folder)!r}, "
                "which another server is using"
            ) from error
        os.truncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
        return cls(folder, most, lock)

    def read(self) -> list[Computation]:
        """The computations that the last server left; unreadable entries stay untouched."""
        computations: list[Computation] = []
        names: set[str] = set()
        for folder in sorted(self.folder.iterdir()):
            if not (folder / JOURNAL_FILE).is_file():
                continue
            for part in folder.glob(f"*{PART_SUFFIX}"):
                part.unlink(missing_ok=True)
            try:
                of, journal = read_journal(folder)
            except (ValueError, OSError) as error:
                log.warning("the run in %s is left out: %s", folder.name, error)
                continue
            if names & of.followers.keys():
                log.warning("the run in %s is left out: another has its name", folder.name)
                continue
            names |= of.followers.keys()
            self._journals[of.name] = journal
            computations.append(of)
        return computations

    def write(self, of: Computation) -> None:
        """Write what is new of a computation; a failing disk does not harm the computation."""
        if not self.is_persistent or self._closed:
            return
        journal = self._journals.setdefault(of.name, RunJournal(of.folder / JOURNAL_FILE))
        try:
            journal.write(of, curves=not self.is_full())
        except OSError as error:
            if not self._complained:
                log.warning("the history of the runs cannot be saved: %s", error.strerror)
            self._complained = True
        else:
            self._complained = False

    def is_full(self) -> bool:
        """Whether the quota was reached at the last measurement."""
        now = time.monotonic()
        if now - self._measured >= MEASURE_SECONDS:
            self._measured, self._used = now, used_bytes(self.folder)
        return self._used >= self.most

    def delete(self, of: Computation) -> None:
        """Delete the files of a computation."""
        self._journals.pop(of.name, None)
        shutil.rmtree(of.folder, ignore_errors=True)

    def close(self) -> None:
        """Stop writing; delete the folder if it is temporary, else leave it to the next server."""
        if self._closed:
            return
        self._closed = True
        if self._lock is None:
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            os.close(self._lock)
