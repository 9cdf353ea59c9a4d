"""Answers the calls of other processes that show and control the runs of a pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from lmcore.training.pool.control import ControlRefused
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.run_changes import HistoryCursor, RunChanges, changes_since
from lmcore.training.pool.runs import RunState, new_name
from lmcore.training.spec import RunSpec

ALLOWED_CALLS = (
    "warm",
    "start_all",
    "adopt",
    "fork",
    "control",
    "delete",
    "control_link",
    "withdraw_link",
    "changes",
    "checkpoint",
    "live_runs",
    "processor_seconds",
    "states",
    "workers",
)
Outcome = Literal["answered", "refused", "forbidden"]


class RunService:
    """The runs of a pool for the `MirroredRuns` of other processes.

    A refusal is an answer, not an exception. `life` names this process.
    """

    def __init__(self, pool: Callable[[], Pool]) -> None:
        """`pool` is called for every call; where it raises a ValueError, that is the answer."""
        self.life, self._find_pool = new_name(), pool

    @property
    def _pool(self) -> Pool:
        return self._find_pool()

    def call(self, verb: str, *given: Any, **named: Any) -> tuple[Outcome, Any]:
        """Call a method: its outcome, and its result or the reason of the refusal."""
        if verb not in ALLOWED_CALLS:
            return "refused", f"a call must be one of {', '.join(ALLOWED_CALLS)}; got another"
        try:
            return "answered", getattr(self, verb)(*given, **named)
        except ControlRefused as error:
            return "forbidden", str(error)
        except ValueError as error:
            return "refused", str(error)

    def warm(self) -> None:
        """Start the first worker."""
        self._pool.warm()

    def start_all(
        self, specs: Sequence[RunSpec], owner: str, instead: Collection[str]
    ) -> list[str]:
        """As the method of `Pool`."""
        return self._pool.start_all(specs, owner=owner, instead=instead)

    def adopt(self, data: bytes, owner: str) -> str:
        """As the method of `Pool`."""
        return self._pool.adopt(data, owner=owner)

    def fork(self, name: str, owner: str) -> str:
        """As the method of `Pool`."""
        return self._pool.fork(name, owner=owner)

    def control(
        self,
        verb: str,
        name: str,
        seen: HistoryCursor,
        given: Sequence[Any],
        by: Collection[str] | None,
    ) -> RunChanges:
        """Pause, stop, resume or rename a run; returns its changes."""
        if verb in ("pause", "stop", "resume", "rename"):
            getattr(self._pool, verb)(name, *given, by=by)
        return self._changes(name, seen)

    def delete(self, name: str, by: Collection[str] | None) -> None:
        """As the method of `Pool`."""
        self._pool.delete(name, by=by)

    def control_link(self, name: str, by: Collection[str] | None) -> str:
        """As the method of `Pool`."""
        return self._pool.control_link(name, by=by)

    def withdraw_link(self, name: str, by: Collection[str] | None) -> None:
        """As the method of `Pool`."""
        self._pool.withdraw_link(name, by=by)

    def changes(self, asked: Mapping[str, HistoryCursor]) -> dict[str, RunChanges | str]:
        """The changes of each of these runs, or why there is no such run."""
        changes: dict[str, RunChanges | str] = {}
        for name, seen in asked.items():
            try:
                changes[name] = self._changes(name, seen)
            except ValueError as error:
                changes[name] = str(error)
        return changes

    def _changes(self, name: str, seen: HistoryCursor) -> RunChanges:
        return changes_since(self._pool.view(name), self._pool.history(name), self.life, seen)

    def checkpoint(self, name: str) -> bytes | None:
        """As the method of `Pool`."""
        return self._pool.checkpoint(name)

    def live_runs(self, owner: str) -> list[str]:
        """As the method of `Pool`."""
        return self._pool.live_runs(owner)

    def processor_seconds(self, owner: str) -> float:
        """As the method of `Pool`."""
        return self._pool.processor_seconds(owner)

    def states(self) -> Counter[RunState]:
        """As the method of `Pool`."""
        return self._pool.states()

    def workers(self) -> list[int]:
        """As the method of `Pool`."""
        return self._pool.workers()
