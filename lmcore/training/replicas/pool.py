"""The runs of this replica and of all others, behind the interface of the pool."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Sequence

from lmcore.training.events import History
from lmcore.training.pool.backend import RunUnreachable
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.run_journal import NAME
from lmcore.training.pool.runs import RunState, RunView
from lmcore.training.pool.service import RunService
from lmcore.training.replicas.replica import SILENT, Address, Replica, Replicas
from lmcore.training.replicas.wire import Signer
from lmcore.training.spec import RunSpec

MOST_FOUND = 10_000
"""The most runs for which the replica that had them is cached."""


class SharedPool:
    """Runs by name, wherever they train: each call goes to the replica that has the run.

    This replica trains the runs that are begun here. A run stays with the replica that has it; a
    run that an ended replica left in a shared folder is adopted when it is asked for.
    """

    distant = False

    def __init__(self, own: Pool, named: Sequence[Address], secret: str) -> None:
        self.own, self.signer = own, Signer(secret)
        self.service = RunService(lambda: own)
        self._replicas = Replicas(named, self.signer, self.service.life)
        self._found: dict[str, Replica] = {}

    def warm(self) -> None:
        """Start a worker in advance, so that the first run need not wait for it."""
        self.own.warm()

    def start(self, spec: RunSpec, *, owner: str = "") -> str:
        """Begin a run here; returns its name.

        Raises:
            ValueError: as the pool.
        """
        return self.own.start(spec, owner=owner)

    def start_all(
        self, specs: Sequence[RunSpec], *, owner: str = "", instead: Collection[str] = ()
    ) -> list[str]:
        """Begin all runs or none here, then stop the owner's own in `instead`, wherever they are.

        Raises:
            ValueError: as the pool.
        """
        names = self.own.start_all(specs, owner=owner, instead=instead)
        for name in instead:
            with contextlib.suppress(ValueError):  # it may be over, or gone
                if not self.own.is_here(name) and self.view(name).owner == owner:
                    self.stop(name)
        return names

    def adopt(self, data: bytes, *, owner: str = "") -> str:
        """Load a run from a file, here; returns its name.

        Raises:
            ValueError: as the pool.
        """
        return self.own.adopt(data, owner=owner)

    def fork(self, name: str, *, owner: str = "") -> str:
        """Fork a run: start a new one from its checkpoint, beside it; returns its name.

        Raises:
            ValueError: as the pool.
            RunUnreachable: if a replica that may have the run does not answer.
        """
        return self._holder(name).fork(name, owner=owner)

    def pause(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """Halt after the current step, and save the run.

        Raises:
            ValueError: if there is no such run.
            ControlRefused: if `by` does not show that the caller may control it.
            RunUnreachable: if a replica that may have it does not answer.
        """
        return self._holder(name).pause(name, by=by)

    def stop(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """As `pause`, permanently."""
        return self._holder(name).stop(name, by=by)

    def resume(
        self, name: str, steps: int | None = None, *, by: Collection[str] | None = None
    ) -> RunView:
        """Continue from the last checkpoint, for `steps` steps if given."""
        return self._holder(name).resume(name, steps, by=by)

    def rename(self, name: str, title: str, *, by: Collection[str] | None = None) -> RunView:
        """Give a run a title, or none."""
        return self._holder(name).rename(name, title, by=by)

    def delete(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Remove a run with its files."""
        self._holder(name).delete(name, by=by)

    def control_link(self, name: str, *, by: Collection[str] | None = None) -> str:
        """The token with which anybody may control the run; only its owner may get it."""
        return self._holder(name).control_link(name, by=by)

    def withdraw_link(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Make the token of the control link invalid; only the run's owner may do this."""
        self._holder(name).withdraw_link(name, by=by)

    def view(self, name: str) -> RunView:
        """The run as it is, or was a moment ago.

        Raises:
            ValueError: if there is no such run.
            RunUnreachable: if a replica that may have it does not answer.
        """
        return self._holder(name).view(name)

    def __contains__(self, name: str) -> bool:
        try:
            self.view(name)
        except ValueError:
            return False
        return True

    def is_here(self, name: str) -> bool:
        """Whether this replica has the run."""
        return self.own.is_here(name)

    def history(self, name: str) -> History:
        """The run's history; its lists may grow, their entries never change.

        Raises:
            ValueError: as `view`.
        """
        return self._holder(name).history(name)

    def checkpoint(self, name: str) -> bytes | None:
        """The run as last saved, or None before the first time.

        Raises:
            ValueError: as `view`.
        """
        return self._holder(name).checkpoint(name)

    def live_runs(self, owner: str) -> list[str]:
        """The names of an owner's active or waiting runs, of the replicas that answer."""
        names = self.own.live_runs(owner)
        for each in self._replicas.now():
            with contextlib.suppress(ValueError):
                names += each.live_runs(owner)
        return names

    def processor_seconds(self, owner: str) -> float:
        """The processor time of an owner's runs, of the replicas that answer."""
        seconds = self.own.processor_seconds(owner)
        for each in self._replicas.now():
            with contextlib.suppress(ValueError):
                seconds += each.processor_seconds(owner)
        return seconds

    def states(self) -> Counter[RunState]:
        """The number of this replica's computations in each state."""
        return self.own.states()

    def workers(self) -> list[int]:
        """The process ids of this replica's workers."""
        return self.own.workers()

    def close(self) -> None:
        """End this replica's workers; in a persistent folder its runs are saved first."""
        self.own.close()

    def _holder(self, name: str) -> Pool | Replica:
        """The replica that has the run; this one if none has it, whose pool then raises the error.

        Raises:
            RunUnreachable: if no replica that answers has it, and one does not answer.
        """
        if self.own.is_here(name) or not NAME.fullmatch(name):
            return self.own
        others, silent = self._replicas.now(), False
        before = self._found.get(name)
        for each in sorted(others, key=lambda one: one is not before):
            try:
                each.view(name)
            except RunUnreachable:
                silent = True
            except ValueError:
                continue
            else:
                if len(self._found) >= MOST_FOUND:
                    self._found.clear()
                self._found[name] = each
                return each
        if silent and name not in self.own:
            raise RunUnreachable(SILENT)
        return self.own
