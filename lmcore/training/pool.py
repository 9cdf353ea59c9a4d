"""A bounded pool of worker processes, and the runs in them; every method may come from any thread.

Equal specs share one computation. A run that is paused or stopped while others follow the same
computation gets a copy of its own, taken at that step; the others notice nothing.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from pathlib import Path

from lmcore.training.crew import Crew, default_workers
from lmcore.training.handle import Handle
from lmcore.training.messages import Answer, Began, Begin, Copied, Copy, Halt, Halted, Ready, Told
from lmcore.training.runs import LIVE, OVER, Computation, History, Run, RunView, State, new_name
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
        self._idle = idle
        self._changed = threading.Condition(threading.RLock())
        self._runs: dict[str, Run] = {}
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
        with self._changed:
            self._forget()
            if len(self._runs) >= MOST_RUNS:
                raise ValueError(
                    f"the server must have fewer than {MOST_RUNS} runs to begin another; "
                    "stop one, or try again in a while"
                )
            computation = self._shared(spec) or self._new(spec)
            run = Run(new_name(), computation)
            self._runs[run.name] = run
            computation.followers.add(run.name)
            self._assign()
            return run.name

    def pause(self, name: str) -> RunView:
        """Halt after the step being made, saved; what had not begun leaves the queue."""
        return self._rest(name, "paused")

    def stop(self, name: str) -> RunView:
        """As `pause`, for good; the model stays as it is."""
        return self._rest(name, "stopped")

    def resume(self, name: str, steps: int | None = None) -> RunView:
        """Go on from the last checkpoint; for so many steps, where given."""
        with self._changed:
            run = self._run(name)
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
            run = self._run(name)
            run.seen = time.monotonic()
            of = run.computation
            place = self._queue.index(of) + 1 if of in self._queue else 0
            return RunView(
                name, of.spec, of.state, of.step, place, of.why, of.rate, of.device,
                len(of.followers), of.version, of.began,
            )  # fmt: skip

    def __contains__(self, name: str) -> bool:
        """Whether there is such a run, still."""
        with self._changed:
            return name in self._runs

    def history(self, name: str) -> History:
        """What the run has told so far; a list of it may grow, what is there does not change."""
        with self._changed:
            return self._run(name).computation.history

    def checkpoint(self, name: str) -> bytes | None:
        """The run as last saved, or None before the first time."""
        with self._changed:
            saved = self._run(name).computation.saved
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

    def _run(self, name: str) -> Run:
        if name not in self._runs:
            raise ValueError(
                f"the run must be one the server still has; got {name[:20]!r}: "
                f"runs nobody looks at are forgotten after {self._idle / 60:.0f} minutes"
            )
        return self._runs[name]

    def _shared(self, spec: RunSpec) -> Computation | None:
        computations = {id(run.computation): run.computation for run in self._runs.values()}
        for computation in computations.values():
            if computation.shared and computation.state in LIVE and computation.spec == spec:
                return computation
        return None

    def _new(self, spec: RunSpec) -> Computation:
        name = new_name()
        computation = Computation(name, spec, self._folder / name)
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
            run = self._run(name)
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
        own = Computation(new_name(), common.spec, self._folder / new_name(), shared=False)
        common.followers.discard(run.name)
        own.followers.add(run.name)
        own.device, own.began, run.computation = common.device, common.began, own
        own.history, own.version = common.history.copy(common.step), common.version + 1
        if common.state == "queued":
            self._queue.append(own)
        elif worker := self._crew.holder(common):
            own.state = "copying"
            self._copies[str(own.folder)] = own, common
            worker.send(Copy(common.name, str(own.folder)))
        else:
            own.inherit(common)
            self._set(own, common.state, common.why)

    def _forget(self) -> None:
        """Drop the runs nobody looked at for long, or one that is over if there is no room left."""
        oldest = time.monotonic() - self._idle
        copied = {common for _, common in self._copies.values()}
        for run in list(self._runs.values()):
            if run.seen < oldest and run.computation not in copied:
                self._remove(run)
        over = [run for run in self._runs.values() if run.computation.state in OVER]
        if over and len(self._runs) >= MOST_RUNS:
            self._remove(min(over, key=lambda run: run.seen))

    def _remove(self, run: Run) -> None:
        del self._runs[run.name]
        run.computation.followers.discard(run.name)
        if not run.computation.followers:
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
