"""The actor that owns the runs of a cluster, for all replicas; it outlives them."""

from __future__ import annotations

import tempfile
import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from lmcore.training.pool import pool as pools
from lmcore.training.pool.control import ControlRefused
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.run_changes import HistoryCursor, RunChanges, changes_since
from lmcore.training.pool.runs import RunState, new_name
from lmcore.training.ray.terms import ACTOR, NAMESPACE, RaySettings, import_ray
from lmcore.training.ray.worker import RayWorkerFactory
from lmcore.training.spec import RunSpec

AT_ONCE = 64
"""Concurrent calls; a call that pauses a run waits for its worker."""
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


class Keeper:
    """A pool whose workers are in the cluster.

    A refusal is an answer, not an exception: Ray would log exceptions with the visitor's text in
    them.
    """

    def __init__(self, terms: RaySettings) -> None:
        self._terms, self._life = terms, new_name()
        self._first = threading.Lock()
        self._made: Pool | None = None

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

    @property
    def _pool(self) -> Pool:
        """The pool, made at the first call, so that an error reaches the caller.

        Raises:
            ValueError: as `Pool`, for its folder.
        """
        with self._first:
            if self._made is None:
                of = self._terms
                pools.RESPONSE_SECONDS = of.response_seconds
                persistent = Path(of.folder) if of.folder else None
                among = None if persistent else Path(tempfile.gettempdir())
                self._cluster = RayWorkerFactory(of)
                self._made = Pool(
                    among, persistent=persistent, limits=of.limits, factory=self._cluster
                )
            return self._made

    def warm(self) -> None:
        """Start the first worker."""
        self._pool.warm()

    def start_all(
        self, specs: Sequence[RunSpec], owner: str, instead: Collection[str]
    ) -> list[str]:
        """As the method of `Pool`."""
        pool = self._pool
        self._cluster.count()
        return pool.start_all(specs, owner=owner, instead=instead)

    def adopt(self, data: bytes, owner: str) -> str:
        """As the method of `Pool`."""
        return self._pool.adopt(data, owner=owner)

    def fork(self, name: str, owner: str) -> str:
        """As the method of `Pool`."""
        pool = self._pool
        self._cluster.count()
        return pool.fork(name, owner=owner)

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
        return changes_since(self._pool.view(name), self._pool.history(name), self._life, seen)

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


def keeper(terms: RaySettings) -> Any:
    """The actor of this cluster: the existing one, or a new one on the cluster's head.

    If it dies, Ray restarts it with the runs in its folder.
    """
    return import_ray().remote(Keeper).options(
        name=ACTOR,
        namespace=NAMESPACE,
        lifetime="detached",
        get_if_exists=True,
        max_restarts=-1,
        max_concurrency=AT_ONCE,
        num_cpus=0,
        resources={"node:__internal_head__": 0.001},
    ).remote(terms)  # fmt: skip
