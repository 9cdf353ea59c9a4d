"""The worker processes of a pool: how many there may be, and which of them has room."""

from __future__ import annotations

import os

import torch

from lmcore.training.handle import Handle, Heard
from lmcore.training.runs import Computation

SIDE_BY_SIDE = 40
"""Computations that take turns in one worker; the rest wait."""
WORKER_BYTES = 400_000_000
"""Weights, gradients and optimiser of all the computations in one worker."""


def default_workers() -> int:
    """One for the GPU; without one, every core but one, and at least one."""
    if torch.cuda.is_available():
        return 1
    return max(1, len(os.sched_getaffinity(0)) - 1)


class Crew:
    """At most `limit` workers, each started when it is first needed."""

    def __init__(self, limit: int, heard: Heard) -> None:
        self.workers: list[Handle] = []
        self._limit, self._heard = limit, heard

    def hire(self) -> Handle:
        """Start one more.

        Raises:
            OSError: if the machine cannot.
        """
        worker = Handle(self._heard)
        self.workers.append(worker)
        return worker

    def roomy(self, computation: Computation) -> Handle | None:
        """The worker with the fewest computations, if it has room; a new one if there may be.

        Raises:
            OSError: as `hire`.
        """
        idle = [worker for worker in self.workers if not worker.computations]
        if not idle and len(self.workers) < self._limit:
            return self.hire()
        worker = min(self.workers, key=lambda worker: len(worker.computations))
        taken = sum(each.spec.bytes for each in worker.computations.values())
        full = len(worker.computations) >= SIDE_BY_SIDE
        crowded = worker.computations and taken + computation.spec.bytes > WORKER_BYTES
        return None if full or crowded else worker

    def holder(self, computation: Computation) -> Handle | None:
        """The worker that has it."""
        for worker in self.workers:
            if computation.name in worker.computations:
                return worker
        return None
