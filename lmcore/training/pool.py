"""A bounded pool of worker processes, and the runs in them; every method may come from any thread.

Equal specs share one computation. A run that is paused or stopped while others follow the same
computation gets a copy of its own, taken at that step; the others notice nothing.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from lmcore.training import checkpoint
from lmcore.training.crew import Crew, default_workers
from lmcore.training.handle import Handle
from lmcore.training.messages import Answer, Began, Begin, Copied, Copy, Halt, Halted, Ready, Told
from lmcore.training.register import Register
from lmcore.training.runs import LIVE, OVER, Computation, History, Run, RunView, State, of_file
from lmcore.training.spec import RunSpec

MOST_RUNS = 300
"""Runs known at once; more are refused."""
INTERRUPTED = "the process that computed it is gone; it can go on from where it was last saved"
IDLE = 1800.0
"""Seconds after which a run nobody looked at is forgotten."""
OBEYED = 2.0
"""Seconds a call waits for the worker to obey."""


class Pool:
    """Runs by name: start, pause, go on, step, stop, look."""

    def __init__(
        self, folder: Path | None = None, *, workers: int | None = None, idle: float = IDLE
    ) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="lmlive-runs-", dir=folder))
        self._crew = Crew(workers or default_workers(), self._heard)
        self._changed = threading.Condition(threading.RLock())
        self._runs = Register(idle)
        self._queue: list[Computation] = []
        self._copies: dict[str, tuple[Computation, Computation]] = {}
        self._closed = False

    def warm(self) -> None:
        """Start the first worker, so that the first run need not wait for it."""
        with self._changed:
            if not self._crew.workers and not self._closed:
                self._crew.hire()

    def start(self, spec: RunSpec) -> str:
        """Begin a run, or follow one that is under way with the same spec; its name.

        Raises:
            ValueError: if the server has too many runs.
        """
        return self.start_all([spec])[0]

    def start_all(self, specs: Sequence[RunSpec]) -> list[str]:
        """Begin them all, or none; their names.

        Raises:
            ValueError: if the server has no room for so many.
        """
        with self._changed:
            self._make_room(len(specs))
            names = [self._runs.follow(self._runs.shared(s) or self._new(s)) for s in specs]
            self._assign()
            return names

    def adopt(self, data: bytes) -> str:
        """Take in a run from a file: it rests where it was saved, and can go on; its name.

        Its curves begin there: the losses before are not in the file, and are nan.

        Raises:
            ValueError: if it is not such a file, or the server has too many runs.
        """
        about = checkpoint.sound(data)
        with self._changed:
            self._make_room(1)
            return self._runs.follow(of_file(about, data, self._folder))

    def pause(self, name: str) -> RunView:
        """Halt after the step being made, saved; what had not begun leaves the queue."""
        return self._rest(name, "paused")

    def stop(self, name: str) -> RunView:
        """As `pause`, for good; the model stays as it is."""
        return self._rest(name, "stopped")

    def resume(self, name: str, steps: int | None = None) -> RunView:
        """Go on from the last checkpoint; for so many steps, where given."""
        with self._changed:
            run = self._runs.find(name)
            if steps is not None and run.computation.state == "interrupted":
                self._part(run)
            computation = run.computation
            if computation.state in ("paused", "interrupted"):
                computation.until = None if steps is None else computation.step + steps
                computation.shared, computation.wanted = False, "paused"
                self._set(computation, "queued")
                self._queue.append(computation)
                self._assign()
                if steps is not None:
                    self._changed.wait_for(lambda: computation.state not in LIVE, OBEYED)
            return self.view(name)

    def view(self, name: str) -> RunView:
        """The run as it is now.

        Raises:
            ValueError: if there is no such run, or no longer.
        """
        with self._changed:
            run = self._runs.find(name)
            run.seen = time.monotonic()
            of = run.computation
            place = self._queue.index(of) + 1 if of in self._queue else 0
            return RunView.of(run, place)

    def __contains__(self, name: str) -> bool:
        with self._changed:
            return name in self._runs

    def history(self, name: str) -> History:
        """What the run has told so far; a list of it may grow, what is there does not change."""
        with self._changed:
            return self._runs.find(name).computation.history

    def checkpoint(self, name: str) -> bytes | None:
        """The run as last saved, or None before the first time."""
        with self._changed:
            saved = self._runs.find(name).computation.saved
        try:
            return saved.read_bytes()
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """End the workers; no process is left."""
        with self._changed:
            self._closed = True
            workers, self._crew.workers = self._crew.workers, []
        for worker in workers:
            worker.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    # What follows is called with the lock held.

    def _new(self, spec: RunSpec) -> Computation:
        computation = Computation.new(spec, self._folder)
        self._queue.append(computation)
        return computation

    def _set(self, computation: Computation, state: State, why: str = "") -> None:
        computation.state, computation.why = state, why
        computation.version += 1
        self._changed.notify_all()

    def _assign(self) -> None:
        """Give what waits to workers that have room, in order."""
        while self._queue and not self._closed:
            try:
                worker = self._crew.roomy(self._queue[0])
            except OSError as error:
                self._set(self._queue.pop(0), "failed", f"no process could be started: {error}")
                continue
            if worker is None:
                return
            of = self._queue.pop(0)
            worker.computations[of.name] = of
            self._set(of, "running")
            worker.send(Begin(of.name, of.spec, str(of.folder), of.until))

    def _rest(self, name: str, state: State) -> RunView:
        with self._changed:
            run = self._runs.find(name)
            if run.computation.state in LIVE or state == "stopped":
                self._part(run)
            of = run.computation
            of.wanted = state
            if of.state == "queued":
                self._queue.remove(of)
                self._set(of, state)
            elif of.state == "running":
                of.shared = False
                if worker := self._crew.holder(of):
                    worker.send(Halt(of.name))
            self._changed.wait_for(lambda: of.state not in ("running", "copying"), OBEYED)
            if state == "stopped" and of.state in ("paused", "interrupted"):
                self._set(of, state)
            return self.view(name)

    def _part(self, run: Run) -> None:
        """Give a run that shares its computation one of its own, at the same step."""
        common = run.computation
        if len(common.followers) == 1 or common.state in OVER:
            return
        own = Computation.new(common.spec, self._folder, shared=False)
        common.followers.discard(run.name)
        own.followers.add(run.name)
        own.device, own.began, run.computation = common.device, common.began, own
        own.history, own.version = common.history.copy(common.step), common.version + 1
        if common.state == "queued":
            own.inherit(common)
            self._queue.append(own)
        elif worker := self._crew.holder(common):
            own.state = "copying"
            self._copies[str(own.folder)] = own, common
            worker.send(Copy(common.name, str(own.folder)))
        else:
            own.inherit(common)
            self._set(own, common.state, common.why)

    def _make_room(self, wanted: int) -> None:
        """Forget what may be forgotten; refuse if that leaves no room for so many runs more."""
        self._forget()
        for run in self._runs.over()[: max(0, len(self._runs) + wanted - MOST_RUNS)]:
            self._remove(run)
        if len(self._runs) + wanted > MOST_RUNS:
            raise ValueError(
                f"the server must have fewer than {MOST_RUNS} runs to begin another; "
                "stop one, or try again in a while"
            )

    def _forget(self) -> None:
        """Drop the runs nobody looked at for long; one that is being copied stays until it is."""
        copied = {common for _, common in self._copies.values()}
        for run in self._runs.unseen():
            if run.computation not in copied:
                self._remove(run)

    def _remove(self, run: Run) -> None:
        if self._runs.remove(run):
            self._drop(run.computation)

    def _drop(self, computation: Computation) -> None:
        if computation in self._queue:
            self._queue.remove(computation)
        if worker := self._crew.holder(computation):
            del worker.computations[computation.name]
            worker.send(Halt(computation.name, drop=True))
        shutil.rmtree(computation.folder, ignore_errors=True)

    # What follows is called by the threads that listen to the workers.

    def _heard(self, worker: Handle, answer: Answer | None) -> None:
        with self._changed:
            if answer is None:
                self._lost(worker)
            elif isinstance(answer, Ready):
                worker.device = answer.device
            elif isinstance(answer, Copied):
                self._copied(answer)
            elif computation := worker.computations.get(answer.run):
                if isinstance(answer, Began):
                    computation.began = answer
                elif isinstance(answer, Told):
                    computation.take(answer, worker.device)
                    self._forget()
                else:
                    self._halted(worker, computation, answer)
            self._changed.notify_all()

    def _halted(self, worker: Handle, computation: Computation, answer: Halted) -> None:
        del worker.computations[computation.name]
        if answer.cause == "halted":
            self._set(computation, computation.wanted)
        else:
            self._set(computation, answer.cause, answer.why)
        self._copies_too_late(computation)
        self._assign()

    def _copied(self, answer: Copied) -> None:
        own, common = self._copies.pop(answer.folder)
        own.history = common.history.copy(answer.step)
        self._set(own, own.wanted)

    def _copies_too_late(self, common: Computation) -> None:
        """The common run is over or lost before a copy could be taken: it is as it was saved."""
        for folder, (own, of) in list(self._copies.items()):
            if of is common:
                del self._copies[folder]
                own.inherit(common)
                self._set(own, common.state, common.why)

    def _lost(self, worker: Handle) -> None:
        """The process is gone: what it computed is interrupted, and goes on when told."""
        if worker in self._crew.workers:
            self._crew.workers.remove(worker)
        for computation in worker.computations.values():
            self._set(computation, "interrupted", INTERRUPTED)
            self._copies_too_late(computation)
        worker.computations.clear()
        if not self._closed:
            self._assign()
