"""The actor that owns the runs of a cluster, for all replicas; it outlives them."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from lmcore.training.pool import pool as pools
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.service import RunService
from lmcore.training.ray.terms import ACTOR, NAMESPACE, RaySettings, import_ray
from lmcore.training.ray.worker import RayWorkerFactory
from lmcore.training.spec import RunSpec

AT_ONCE = 64
"""Concurrent calls; a call that pauses a run waits for its worker."""


class Keeper(RunService):
    """A pool whose workers are in the cluster.

    A refusal must be an answer: Ray would log exceptions with the visitor's text in them.
    """

    def __init__(self, terms: RaySettings) -> None:
        super().__init__(self._made_pool)
        self._terms = terms
        self._first = threading.Lock()
        self._made: Pool | None = None

    def _made_pool(self) -> Pool:
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

    def start_all(
        self, specs: Sequence[RunSpec], owner: str, instead: Collection[str]
    ) -> list[str]:
        """As the method of `Pool`."""
        pool = self._pool
        self._cluster.count()
        return pool.start_all(specs, owner=owner, instead=instead)

    def fork(self, name: str, owner: str) -> str:
        """As the method of `Pool`."""
        pool = self._pool
        self._cluster.count()
        return pool.fork(name, owner=owner)


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
