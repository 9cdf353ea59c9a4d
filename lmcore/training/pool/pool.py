"""A bounded pool of workers, and the runs in them; every method may come from any thread.

Equal specs share one computation. A run that is paused or stopped while others follow the same
computation gets a copy taken at that step; the others are not affected. Only a computation that the
server itself interrupted continues for all runs that share it, as soon as one of them is resumed.

A run belongs to its owner: calls that control it have the caller's proofs in `by`, see
`lmcore.training.pool.control`.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from lmcore.configuration import configuration
from lmcore.training import checkpoint
from lmcore.training.disk import save_error_text
from lmcore.training.events import History
from lmcore.training.pool.control import (
    NOT_THE_OWNER,
    NOT_YOURS,
    ControlRefused,
    check_title,
    holds,
    new_token,
)
from lmcore.training.pool.limits import Limits
from lmcore.training.pool.register import DAY, Register
from lmcore.training.pool.runs import (
    FINAL_STATES,
    LIVE_STATES,
    Computation,
    Run,
    RunState,
    RunView,
    computation_from_file,
)
from lmcore.training.pool.scheduler import Scheduler
from lmcore.training.pool.store import Store
from lmcore.training.pool.worker_group import LocalWorkerFactory, WorkerFactory, default_workers
from lmcore.training.spec import RunSpec

IDLE = 1800.0
"""Seconds without a view after which a run is forgotten; in a persistent folder only if room is
needed."""
RETENTION_SECONDS = 7 * DAY
"""Seconds after which a run in a persistent folder is forgotten."""
RESPONSE_SECONDS = 2.0
"""Seconds a call waits for the worker to respond."""
CLOSING = 4.0
"""Seconds for saving the runs when the server ends."""


class Pool:
    """Runs by name: start, pause, resume, step, stop, view.

    Their files are in a temporary folder within `folder`, or in `persistent`, where they outlive
    the server. Arguments that are not given come from the server's configuration.
    """

    distant = False

    def __init__(
        self,
        folder: Path | None = None,
        *,
        persistent: Path | None = None,
        workers: int | None = None,
        idle: float | None = None,
        limits: Limits | None = None,
        factory: WorkerFactory | None = None,
    ) -> None:
        """Raises ValueError if `persistent` cannot be written."""
        settings = configuration()
        if folder is None and persistent is None and settings.runs_folder:
            persistent = Path(settings.runs_folder)
        self.limits = limits or Limits.configured()
        most = self.limits.bytes
        self._store = (
            Store.persistent(persistent, most) if persistent else Store.temporary(folder, most)
        )
        self._runs = Register(idle or (RETENTION_SECONDS if persistent else IDLE))
        self._deleted: list[Run] = []
        there = LocalWorkerFactory(workers or settings.workers or default_workers(), most)
        self._scheduler = Scheduler(factory or there, self._store, self.limits, self._forget)
        self._changed = self._scheduler.changed
        for computation in self._store.read():
            self._runs.restore(computation)

    def warm(self) -> None:
        """Start the first worker, so that the first run need not wait for it."""
        with self._changed:
            if not self._scheduler.group.workers and not self._scheduler.closed:
                self._scheduler.group.start_worker()

    def start(self, spec: RunSpec, *, owner: str = "") -> str:
        """Begin a run, or follow one in progress with the same spec; returns its name.

        Raises:
            ValueError: as `start_all`.
        """
        return self.start_all([spec], owner=owner)[0]

    def start_all(
        self, specs: Sequence[RunSpec], *, owner: str = "", instead: Collection[str] = ()
    ) -> list[str]:
        """Begin all runs or none, then stop the owner's own in `instead`; returns their names.

        Raises:
            ValueError: if the server has no room for them, or the owner too many active runs.
        """
        with self._changed:
            if owner:
                self.limits.check_owner(self._runs.count_live(owner, instead), len(specs))
            self._make_room(len(specs))
            names = [self._follow(self._runs.shared(s) or self._new(s), owner) for s in specs]
            self._scheduler.assign()
            earlier = [n for n in instead if n in self._runs and self._runs[n].owner == owner]
        for name in earlier:
            self.stop(name)
        return names

    def adopt(self, data: bytes, *, owner: str = "") -> str:
        """Load a run from a file: it is paused where it was saved; returns its name.

        Its curves begin there: earlier losses are not in the file, and are nan.

        Raises:
            ValueError: if it is not such a file, or the server has too many runs or no disk.
        """
        about = checkpoint.check_checkpoint(data)
        with self._changed:
            self._make_room(1, len(data))
            try:
                computation = computation_from_file(about, data, self._store.folder)
            except OSError as error:
                raise ValueError(
                    "The run was not loaded, because it could not be saved: "
                    f"{save_error_text(error)}"
                ) from error
            return self._follow(computation, owner)

    def fork(self, name: str, *, owner: str = "") -> str:
        """Start a new run from another's current checkpoint; returns its name.

        From a run that has finished, diverged or failed, the new run begins at step 0. Two forks of
        the same step share a computation until one of them halts.

        Raises:
            ValueError: as `start`, or if there is no such run.
        """
        with self._changed:
            common = self._settled(name)
            if owner:
                self.limits.check_owner(self._runs.count_live(owner), 1)
            self._make_room(1)
            if common.state in LIVE_STATES:
                return self._follow(common, owner)
            if common.state in FINAL_STATES and common.state != "stopped":
                spec = common.spec
                begun = self._follow(self._runs.shared(spec) or self._new(spec), owner)
            else:
                own = Computation.new(common.spec, self._store.folder, shared=False)
                self._scheduler.copy(own, common)
                begun = self._follow(own, owner)
                self._go_on(own)
            self._scheduler.assign()
            return begun

    def pause(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """Halt after the current step, and save the run; a waiting run leaves the queue.

        Raises:
            ValueError: if there is no such run.
            ControlRefused: if `by` does not show that the caller may control it.
        """
        return self._halt(name, "paused", by)

    def stop(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """As `pause`, permanently; the model stays as it is."""
        return self._halt(name, "stopped", by)

    def resume(
        self, name: str, steps: int | None = None, *, by: Collection[str] | None = None
    ) -> RunView:
        """Continue from the last checkpoint, for `steps` steps if given.

        Raises:
            ValueError: as `pause`, or if its owner has too many active runs.
            ControlRefused: as `pause`.
        """
        with self._changed:
            run = self._controlled(name, by)
            rests = run.computation.state in ("paused", "interrupted")
            if rests and run.owner:
                self.limits.check_owner(self._runs.count_live(run.owner), 1)
            if rests and (steps is not None or run.computation.state == "paused"):
                self._part(run)
            computation = run.computation
            if rests:
                self._go_on(computation, steps)
                self._scheduler.assign()
                if steps is not None:
                    self._changed.wait_for(
                        lambda: computation.state not in LIVE_STATES, RESPONSE_SECONDS
                    )
            return self.view(name)

    def rename(self, name: str, title: str, *, by: Collection[str] | None = None) -> RunView:
        """Give a run a title, or none.

        Raises:
            ValueError: as `pause`, or if the title is not allowed.
            ControlRefused: as `pause`.
        """
        with self._changed:
            run = self._controlled(name, by)
            run.title = check_title(title)
            self._store.write(run.computation)
            return self.view(name)

    def delete(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Remove a run with its files; those that share its computation are not affected.

        Raises:
            ValueError: as `pause`.
            ControlRefused: as `pause`.
        """
        with self._changed:
            run = self._controlled(name, by)
            del self._runs[name]
            self._deleted.append(run)
            self._forget()
            self._scheduler.assign()

    def control_link(self, name: str, *, by: Collection[str] | None = None) -> str:
        """The token with which anybody may control the run, made when it is first asked for.

        Raises:
            ValueError: if there is no such run.
            ControlRefused: if `by` does not show that the caller owns it.
        """
        with self._changed:
            run = self._owned(name, by)
            run.link = run.link or new_token()
            self._store.write(run.computation)
            return run.link

    def withdraw_link(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Make the token of the control link invalid, whoever has it.

        Raises:
            ValueError: as `control_link`.
            ControlRefused: as `control_link`.
        """
        with self._changed:
            run = self._owned(name, by)
            run.link = ""
            self._store.write(run.computation)

    def view(self, name: str) -> RunView:
        """The run as it is now.

        Raises:
            ValueError: if there is no such run, or no longer.
        """
        with self._changed:
            run = self._find(name)
            run.seen = time.monotonic()
            queue = self._scheduler.queue
            place = queue.index(run.computation) + 1 if run.computation in queue else 0
            return RunView.of(run, place)

    def __contains__(self, name: str) -> bool:
        with self._changed:
            self._seek(name)
            return name in self._runs

    def is_here(self, name: str) -> bool:
        """Whether there is such a run, without a search for what other servers left."""
        with self._changed:
            return name in self._runs

    def history(self, name: str) -> History:
        """The run's history so far; its lists may grow, their entries never change."""
        with self._changed:
            return self._find(name).computation.history

    def checkpoint(self, name: str) -> bytes | None:
        """The run as last saved, or None before the first time."""
        with self._changed:
            saved = self._find(name).computation.saved
        try:
            return saved.read_bytes()
        except FileNotFoundError:
            return None

    def live_runs(self, owner: str) -> list[str]:
        """The names of an owner's active or waiting runs."""
        with self._changed:
            return self._runs.live(owner)

    def processor_seconds(self, owner: str) -> float:
        """The processor time of an owner's present runs on this server, since it started.

        A computation that several of them share counts once.
        """
        with self._changed:
            own = [run.computation for run in self._runs.values() if owner and run.owner == owner]
            return math.fsum(of.seconds for of in {id(of): of for of in own}.values())

    def states(self) -> Counter[RunState]:
        """The number of computations in each state."""
        with self._changed:
            return Counter(of.state for of in self._runs.computations())

    def workers(self) -> list[int]:
        """The process ids of the workers."""
        with self._changed:
            return [worker.pid for worker in self._scheduler.group.workers]

    def close(self) -> None:
        """End the workers; no process is left. In a persistent folder the runs are saved first."""
        with self._changed:
            if self._scheduler.closed:
                return
            self._scheduler.closed = True
            computations = self._runs.computations()
            if self._store.is_persistent:
                self._scheduler.interrupt_all(computations, CLOSING)
            workers, self._scheduler.group.workers = self._scheduler.group.workers, []
        for worker in workers:
            worker.end()
        with self._changed:
            self._forget()
            for computation in self._runs.computations():
                self._store.write(computation)
            self._store.close()

    # What follows is called with the lock held.

    def _new(self, spec: RunSpec) -> Computation:
        computation = Computation.new(spec, self._store.folder)
        self._scheduler.queue.append(computation)
        return computation

    def _follow(self, computation: Computation, owner: str) -> str:
        name = self._runs.follow(computation, owner)
        self._store.write(computation)
        return name

    def _find(self, name: str) -> Run:
        self._seek(name)
        return self._runs.find(name)

    def _seek(self, name: str) -> None:
        """Adopt what ended servers left in the folder, if the run is not known."""
        if name not in self._runs:
            for computation in self._store.adopt(self._runs):
                self._runs.restore(computation)

    def _controlled(self, name: str, by: Collection[str] | None) -> Run:
        run = self._find(name)
        if not holds(by, run.owner, run.link):
            raise ControlRefused(NOT_YOURS)
        return run

    def _owned(self, name: str, by: Collection[str] | None) -> Run:
        run = self._find(name)
        if not holds(by, run.owner):
            raise ControlRefused(NOT_THE_OWNER)
        return run

    def _settled(self, name: str) -> Computation:
        """The computation of a run, once it is no longer being copied."""

        def settled() -> bool:
            return self._find(name).computation.state != "copying"

        if not self._changed.wait_for(settled, RESPONSE_SECONDS):
            raise ValueError("This run is being copied; try again in a moment.")
        return self._runs.find(name).computation

    def _go_on(self, computation: Computation, steps: int | None = None) -> None:
        computation.until = None if steps is None else computation.step + steps
        computation.shared, computation.wanted = False, "paused"
        self._scheduler.put(computation)

    def _halt(self, name: str, state: RunState, by: Collection[str] | None) -> RunView:
        with self._changed:
            run = self._controlled(name, by)
            if run.computation.state in LIVE_STATES or state == "stopped":
                self._part(run)
            of = run.computation
            self._scheduler.halt(of, state)
            self._changed.wait_for(lambda: of.state not in ("running", "copying"), RESPONSE_SECONDS)
            if state == "stopped" and of.state in ("paused", "interrupted"):
                self._scheduler.set(of, state)
            return self.view(name)

    def _part(self, run: Run) -> None:
        """Give a run that shares its computation a copy of its own, at the same step."""
        common = run.computation
        if len(common.followers) == 1 or common.state in FINAL_STATES:
            return
        own = Computation.new(common.spec, self._store.folder, shared=False)
        own.followers[run.name] = common.followers.pop(run.name)
        run.computation = own
        self._scheduler.copy(own, common)
        self._store.write(common)

    def _make_room(self, wanted: int, size: int = 0) -> None:
        """Forget old runs; raise ValueError if that leaves no room for `wanted` more."""
        self._forget()
        for run in self._runs.forgettable(IDLE)[
            : max(0, len(self._runs) + wanted - self.limits.runs)
        ]:
            self._remove(run)
        self.limits.check_number(len(self._runs), wanted)
        there = self._store.used()
        for run in self._runs.at_rest(IDLE):
            if there + size < self.limits.bytes:
                break
            self._remove(run)
            there = self._store.used()
        self.limits.check_disk(there, size)

    def _forget(self) -> None:
        """Remove deleted runs and those that have not been viewed for long.

        A run whose computation is part of a copy in progress stays until that is done.
        """
        copying = {of for pair in self._scheduler.copies.values() for of in pair}
        for run in [*self._deleted, *self._runs.unseen()]:
            if run.computation not in copying:
                self._remove(run)
        self._deleted = [run for run in self._deleted if run.computation in copying]

    def _remove(self, run: Run) -> None:
        if self._runs.remove(run):
            self._scheduler.drop(run.computation)
        else:
            self._store.write(run.computation)
