"""The workers of a pool: how many there may be, and which has room for a computation."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch

from lmcore.training.pool.runs import Computation
from lmcore.training.pool.worker_process import AnswerCallback, ProcessHandle, WorkerHandle

RUNS_PER_WORKER = 40
"""The most computations in one worker; further ones wait."""
WORKER_BYTES = 400_000_000
"""The most memory of all computations in one worker: weights, gradients, optimiser."""


@runtime_checkable
class WorkerFactory(Protocol):
    """Starts workers, on this machine or in a cluster."""

    def limit(self) -> int:
        """The most workers there may be now."""

    def start_worker(self, on_answer: AnswerCallback) -> WorkerHandle:
        """Start another worker.

        Raises:
            OSError: if that is impossible.
        """


@dataclass(frozen=True, slots=True)
class LocalWorkerFactory:
    """Starts worker processes on this machine, whose files may take `most` bytes."""

    workers: int
    most: int

    def limit(self) -> int:
        """The most workers there may be now."""
        return self.workers

    def start_worker(self, on_answer: AnswerCallback) -> WorkerHandle:
        """Start another worker.

        Raises:
            OSError: if the machine cannot.
        """
        return ProcessHandle(on_answer, self.most)


def default_workers() -> int:
    """One for the GPU; without one, every core but one, and at least one."""
    if torch.cuda.is_available():
        return 1
    return max(1, len(os.sched_getaffinity(0)) - 1)


class WorkerGroup:
    """The workers of one factory, each started when it is first needed."""

    def __init__(self, factory: WorkerFactory, on_answer: AnswerCallback) -> None:
        self.workers: list[WorkerHandle] = []
        self._factory, self._on_answer = factory, on_answer

    def start_worker(self) -> WorkerHandle:
        """Start another worker.

        Raises:
            OSError: if that is impossible.
        """
        worker = self._factory.start_worker(self._on_answer)
        self.workers.append(worker)
        return worker

    def find_free(self, computation: Computation) -> WorkerHandle | None:
        """The worker with the fewest computations, if it has room; else a new one, if allowed.

        Raises:
            OSError: as `start_worker`.
        """
        idle = [worker for worker in self.workers if not worker.computations]
        if not idle and len(self.workers) < self._factory.limit():
            return self.start_worker()
        worker = min(self.workers, key=lambda worker: len(worker.computations))
        taken = sum(each.spec.bytes for each in worker.computations.values())
        full = len(worker.computations) >= RUNS_PER_WORKER
        crowded = worker.computations and taken + computation.spec.bytes > WORKER_BYTES
        return None if full or crowded else worker

    def find_holder(self, computation: Computation) -> WorkerHandle | None:
        """The worker of a computation."""
        for worker in self.workers:
            if computation.name in worker.computations:
                return worker
        return None
