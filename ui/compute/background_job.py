"""Runs a list of computations one after the other, while the page shows their progress.

For work of up to a minute and a half that a visitor watches and may stop, such as a benchmark.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ui.compute import process_pool
from ui.compute.script_turn import yield_turn

AT_ONCE = 2
"""Jobs computed at the same time, over all sessions; others wait."""
TURNS = threading.Semaphore(AT_ONCE)
POLL_SECONDS = 0.2
"""Seconds between two checks whether a waiting job was stopped."""
MAX_SECONDS = 90.0
"""Seconds after which a job stops by itself."""


class JobStopped(Exception):
    """Raised in a computation whose job has been stopped."""


class JobPart(NamedTuple):
    """One computation of a job; its label is shown while it runs."""

    label: str
    compute: Callable[[], Any]
    """A partial of a module-level function, computed in a process"""
    compute_here: Callable[[Callable[[], object]], Any]
    """The same in this process, for arguments that cannot be sent; calls its argument often"""


class BackgroundJob:
    """Computes `parts` in a thread of its own; `results` has those that are finished, by key.

    An error of a part ends the job, and is its `error`.
    """

    def __init__(self, parts: Mapping[Hashable, JobPart]) -> None:
        self.parts = dict(parts)
        self.results: dict[Hashable, Any] = {}
        self.label = "Waiting in the queue"
        self.error: Exception | None = None
        self._began = 0.0
        self._stopped, self._over = threading.Event(), threading.Event()
        # A daemon thread: a server that ends does not wait for it.
        threading.Thread(target=self._wait_and_run, daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether the job has ended."""
        return self._over.is_set()

    @property
    def share(self) -> float:
        """The finished share of the parts, from 0 to 1."""
        return len(self.results) / len(self.parts)

    def stop(self) -> None:
        """Stop at the next check; finished parts are kept."""
        self._stopped.set()

    def wait(self, seconds: float) -> None:
        """Wait until the job has ended, for at most this many seconds."""
        with yield_turn():
            self._over.wait(seconds)

    def _wait_and_run(self) -> None:
        try:
            while not self._stopped.is_set():
                if TURNS.acquire(timeout=POLL_SECONDS):
                    try:
                        self._run()
                    finally:
                        TURNS.release()
                    break
        finally:
            self._over.set()

    def _run(self) -> None:
        self._began = time.monotonic()
        try:
            for key, part in self.parts.items():
                self.label = part.label
                here = partial(part.compute_here, self._check)
                self.results[key] = process_pool.call_in_process(part.compute, self._check, here)
        except JobStopped:
            return
        except process_pool.COMPUTE_ERRORS as error:
            self.error = error

    def _check(self) -> None:
        if self._stopped.is_set() or time.monotonic() - self._began > MAX_SECONDS:
            raise JobStopped
