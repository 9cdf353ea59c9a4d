"""Schedules the computations of a pool: the queue, the workers, and their answers.

Every method is called with the pool's lock held, except `on_answer`, which acquires it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from lmcore.training.pool.limits import Limits
from lmcore.training.pool.messages import (
    Began,
    Begin,
    Copied,
    Copy,
    Halt,
    Halted,
    Ready,
    RunProgress,
    Saved,
    WorkerAnswer,
)
from lmcore.training.pool.run_journal import SERVER_ENDED
from lmcore.training.pool.runs import LIVE_STATES, Computation, RunState
from lmcore.training.pool.store import Store
from lmcore.training.pool.worker_group import WorkerFactory, WorkerGroup
from lmcore.training.pool.worker_process import WorkerHandle

INTERRUPTED = "the training process ended; Resume continues from the last checkpoint"


class Scheduler:
    """The queue, the workers, and the copies in progress.

    `on_change` is called after every change of a run.
    """

    def __init__(
        self, factory: WorkerFactory, store: Store, limits: Limits, on_change: Callable[[], None]
    ) -> None:
        self.changed = threading.Condition(threading.RLock())
        self.group = WorkerGroup(factory, self.receive)
        self.queue: list[Computation] = []
        self.copies: dict[str, tuple[Computation, Computation]] = {}
        self.closed = False
        self._store, self._limits, self._on_change = store, limits, on_change

    def set(self, computation: Computation, state: RunState, why: str = "") -> None:
        """Set the state of a computation, and notify its viewers."""
        computation.state, computation.why = state, why
        computation.version += 1
        self._store.write(computation)
        self.changed.notify_all()

    def put(self, computation: Computation) -> None:
        """Put a computation in the queue."""
        self.queue.append(computation)
        self.set(computation, "queued")

    def assign(self) -> None:
        """Assign waiting computations to workers with room, in order."""
        while self.queue and not self.closed:
            try:
                worker = self.group.find_free(self.queue[0])
            except OSError as error:
                self.set(self.queue.pop(0), "failed", f"no process could be started: {error}")
                continue
            if worker is None:
                return
            of = self.queue.pop(0)
            worker.computations[of.name] = of
            self.set(of, "running")
            seconds, why = float(self._limits.seconds), self._limits.long_enough
            worker.send(Begin(of.name, of.spec, str(of.folder), of.until, seconds, why))

    def halt(self, of: Computation, state: RunState, why: str = "") -> None:
        """Halt a computation in a state: at once if it waits, else once it is saved."""
        of.wanted = state
        if of.state == "queued":
            self.queue.remove(of)
            self.set(of, state, why)
        elif of.state == "running":
            of.shared = False
            if worker := self.group.find_holder(of):
                worker.send(Halt(of.name))

    def copy(self, own: Computation, common: Computation) -> None:
        """Copy the current state of `common` to `own`, as soon as possible."""
        own.device, own.began = common.device, common.began
        own.history, own.version = common.history.copy(common.step), common.version + 1
        if common.state == "queued":
            own.inherit(common)
            self.put(own)
        elif worker := self.group.find_holder(common):
            self.copies[str(own.folder)] = own, common
            self.set(own, "copying")
            worker.send(Copy(common.name, str(own.folder)))
        else:
            own.inherit(common)
            self.set(own, common.state, common.why)

    def drop(self, computation: Computation) -> None:
        """Remove a computation and its files."""
        if computation in self.queue:
            self.queue.remove(computation)
        if worker := self.group.find_holder(computation):
            del worker.computations[computation.name]
            worker.send(Halt(computation.name, drop=True))
        self._store.delete(computation)

    def interrupt_all(self, computations: Iterable[Computation], seconds: float) -> None:
        """Halt and save all active computations as the server ends: they are interrupted."""
        live = [of for of in computations if of.state in (*LIVE_STATES, "copying")]
        for of in live:
            self.halt(of, "interrupted", SERVER_ENDED)
        self.changed.wait_for(
            lambda: not any(of.state in ("running", "copying") for of in live), seconds
        )

    # What follows is called by the threads that listen to the workers.

    def receive(self, worker: WorkerHandle, answer: WorkerAnswer | None) -> None:
        """Handle an answer of a worker; None means that the worker died."""
        with self.changed:
            if answer is None:
                self._lost(worker)
            elif isinstance(answer, Ready):
                worker.device, worker.pid = answer.device, answer.pid
            elif isinstance(answer, Copied):
                self._copied(answer)
            elif isinstance(answer, Saved):
                raise TypeError(
                    "remote workers must not send Saved: their pool writes checkpoints itself"
                )
            elif computation := worker.computations.get(answer.run):
                if isinstance(answer, Began):
                    computation.began = answer
                elif isinstance(answer, RunProgress):
                    computation.record(answer, worker.device)
                    self._store.write(computation)
                    self._on_change()
                else:
                    self._halted(worker, computation, answer)
            self.changed.notify_all()

    def _halted(self, worker: WorkerHandle, computation: Computation, answer: Halted) -> None:
        del worker.computations[computation.name]
        state: RunState = computation.wanted if answer.cause == "halted" else answer.cause
        if answer.unsaved and state == "finished":
            state = "paused"
        why = answer.why or answer.unsaved or (SERVER_ENDED if state == "interrupted" else "")
        self.set(computation, state, why)
        self._copies_too_late(computation)
        self.assign()

    def _copied(self, answer: Copied) -> None:
        own, common = self.copies.pop(answer.folder)
        if answer.unsaved:
            own.inherit(common)
        own.history = common.history.copy(answer.step)
        self.set(own, own.wanted, answer.unsaved)

    def _copies_too_late(self, common: Computation) -> None:
        """The shared computation halted or died before it was copied: copy its last checkpoint."""
        for folder, (own, of) in list(self.copies.items()):
            if of is common:
                del self.copies[folder]
                own.inherit(common)
                self.set(own, common.state, common.why)

    def _lost(self, worker: WorkerHandle) -> None:
        """The process died: its computations are interrupted, and can be resumed."""
        if worker in self.group.workers:
            self.group.workers.remove(worker)
        for computation in worker.computations.values():
            self.set(computation, "interrupted", INTERRUPTED)
            self._copies_too_late(computation)
        worker.computations.clear()
        self.assign()
