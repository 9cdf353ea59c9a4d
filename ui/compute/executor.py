"""Runs heavy computations in a few threads, with limits on their number, queue and time.

Python cannot end a thread, but it can raise an exception in one: a computation that takes too long,
or that nobody waits for any more, ends at its next step in Python. A running PyTorch operation
always finishes first.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillGoing
from typing import Generic, TypeVar

from lmcore.configuration import configuration
from lmcore.device import share_cores

T = TypeVar("T")
_inside = threading.local()


class ComputationEnded(BaseException):
    """Raised in the thread of a computation to end it; must not be caught as an error."""


class ComputationRefused(ValueError):
    """The server is too busy for a computation, or its time limit is reached."""


class Job(Generic[T]):
    """A computation that waits, runs, or is over. `began` is on the clock of `time.monotonic`."""

    def __init__(self, make: Callable[[], T]) -> None:
        self.began: float | None = None
        self.future: Future[T] = Future()
        self._make, self._lock = make, threading.Lock()
        self._thread: int | None = None
        self._told = False

    @classmethod
    def done(cls, made: T) -> Job[T]:
        """A job that is over, with its result."""
        job = cls(lambda: made)
        job.future.set_result(made)
        return job

    @property
    def seconds(self) -> float:
        """The seconds it has been running."""
        return 0.0 if self.began is None else time.monotonic() - self.began

    def end(self) -> None:
        """End it, before it begins or at its next step in Python; later calls have no effect."""
        with self._lock:
            if not self._told:
                self._told = True
                if self._thread is not None:
                    _raise_in(self._thread, ComputationEnded)

    def run(self) -> T:
        """Compute, in a thread of an executor."""
        with self._lock:
            if self._told:
                raise ComputationEnded
            self._thread = threading.get_ident()
        self.began = time.monotonic()
        _inside.job = self
        try:
            return self._make()
        finally:
            # An exception that `end` has raised, but that has not arrived yet, must not reach the
            # next job.
            with self._lock:
                self._thread, self._told = None, True
                _raise_in(threading.get_ident(), None)
            _inside.job = None


class Executor:
    """At most `threads` computations at once, `queue` that wait, `seconds` for each."""

    def __init__(self, threads: int, queue: int, seconds: float) -> None:
        self.threads, self.queue, self.seconds = threads, queue, seconds
        self.refused = self.ended = self.done = 0
        self._pool = ThreadPoolExecutor(threads, "heavy", share_cores)
        self._lock = threading.Lock()
        self._jobs: list[Job[object]] = []

    @property
    def running(self) -> int:
        """The number of running computations."""
        return len(self._jobs) - self.waiting

    @property
    def waiting(self) -> int:
        """The number of waiting computations."""
        return sum(job.began is None for job in list(self._jobs))

    def submit(self, make: Callable[[], T]) -> Job[T]:
        """Put a computation in the queue.

        Raises:
            ComputationRefused: if too many wait already.
        """
        job = Job(make)
        with self._lock:
            if len(self._jobs) >= self.threads + self.queue:
                self.refused += 1
                raise ComputationRefused(
                    f"The server is busy ({self.queue} waiting). Try again in a moment."
                )
            self._jobs.append(job)  # type: ignore[arg-type]  # a list of whatever they make
        job.future = self._pool.submit(job.run)
        job.future.add_done_callback(lambda _: self._over(job))
        return job

    def wait(self, job: Job[T], seconds: float) -> bool:
        """Wait for at most `seconds`; returns whether the job is over.

        A job past its time limit is ended.

        Raises:
            ComputationRefused: if it has taken longer than it may.
        """
        try:
            job.future.exception(seconds)
        except StillGoing:
            if job.seconds <= self.seconds:
                return False
            self.ended += 1
            job.end()
            raise ComputationRefused(
                f"This computation was stopped after {self.seconds:g} s, the time limit of this "
                "server. Choose a shorter text or a smaller model."
            ) from None
        return True

    def before(self, job: Job[T]) -> int:
        """The number of jobs ahead of this one in the queue."""
        ahead = 0
        for each in list(self._jobs):
            if each is job:
                break
            ahead += each.began is None
        return ahead

    def close(self) -> None:
        """End all jobs."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for job in list(self._jobs):
            job.end()

    def _over(self, job: Job[T]) -> None:
        with self._lock:
            self._jobs.remove(job)  # type: ignore[arg-type]  # as above
            self.done += 1


def in_computation_thread() -> bool:
    """Whether this thread runs a computation, which computes its dependencies itself."""
    return getattr(_inside, "job", None) is not None


def mark_computation_thread() -> None:
    """Mark this thread as one that computes its dependencies itself."""
    _inside.job = True


def build_executor() -> Executor:
    """An executor of the configured size; by default one thread per core."""
    said = configuration()
    threads = said.computations or len(os.sched_getaffinity(0))
    return Executor(threads, said.queue, said.computation_seconds)


def _raise_in(thread: int, exception: type[BaseException] | None) -> None:
    what = ctypes.py_object(exception) if exception else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
