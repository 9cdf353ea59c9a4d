"""The folder of a pool's runs: temporary, or persistent over restarts of the server.

Servers may share a persistent folder. The first keeps its runs in the folder itself, each further
one in the first numbered subfolder that no other uses. The runs that a server leaves there when it
ends are adopted by the first server that is asked for one.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Container, Iterator
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

    def __init__(
        self, folder: Path, most: int, lock: int | None = None, shared: Path | None = None
    ) -> None:
        self.folder, self.most, self._shared = folder, most, shared or folder
        self.is_persistent = lock is not None
        self._locks = {} if lock is None else {folder: lock}
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
            ValueError: if the folder cannot be written.
        """
        for place in _places(folder):
            try:
                place.mkdir(parents=True, exist_ok=True)
                lock = _lock(place)
            except OSError as error:
                raise ValueError(
                    f"{variable_name('runs_folder')} must be a folder that can be written; got "
                    f"{str(folder)!r}: {error.strerror}"
                ) from error
            if lock is not None:
                return cls(place, most, lock, folder)
        raise AssertionError("there is no last number")

    def read(self) -> list[Computation]:
        """The computations that the last server left; unreadable entries stay untouched."""
        return self._read(self.folder, ())

    def adopt(self, known: Container[str]) -> list[Computation]:
        """The computations that other servers left, without runs whose names are `known`.

        They stay where they are, and are this server's from now on.
        """
        if not self.is_persistent or self._closed:
            return []
        computations: list[Computation] = []
        for place in itertools.takewhile(_is_used, _places(self._shared)):
            with contextlib.suppress(OSError):
                if place not in self._locks and (lock := _lock(place)) is not None:
                    self._locks[place] = lock
                    computations += self._read(place, known)
        return computations

    def _read(self, place: Path, known: Container[str]) -> list[Computation]:
        computations: list[Computation] = []
        names: set[str] = set()
        for folder in sorted(place.iterdir()):
            if not (folder / JOURNAL_FILE).is_file():
                continue
            for part in folder.glob(f"*{PART_SUFFIX}"):
                part.unlink(missing_ok=True)
            try:
                of, journal = read_journal(folder)
            except (ValueError, OSError) as error:
                log.warning("the run in %s is left out: %s", folder.name, error)
                continue
            if names & of.followers.keys() or any(name in known for name in of.followers):
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
            self._measured, self._used = now, self.used()
        return self._used >= self.most

    def used(self) -> int:
        """Bytes of all files of its runs, wherever they are."""
        return sum(map(used_bytes, self._locks or (self.folder,)))

    def delete(self, of: Computation) -> None:
        """Delete the files of a computation."""
        self._journals.pop(of.name, None)
        shutil.rmtree(of.folder, ignore_errors=True)

    def close(self) -> None:
        """Stop writing; delete the folder if it is temporary, else leave it to the next server."""
        if self._closed:
            return
        self._closed = True
        if not self.is_persistent:
            shutil.rmtree(self.folder, ignore_errors=True)
        for lock in self._locks.values():
            os.close(lock)


def _places(shared: Path) -> Iterator[Path]:
    """Where servers that share a folder keep their runs, one after the other."""
    yield shared
    for number in itertools.count(1):
        yield shared / str(number)


def _is_used(place: Path) -> bool:
    return (place / LOCK).is_file()


def _lock(place: Path) -> int | None:
    """The lock of a place, now held by this server; None if another holds it."""
    lock = os.open(place / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.truncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock
