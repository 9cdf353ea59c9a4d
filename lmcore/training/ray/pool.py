"""The runs of a Ray cluster for one replica: mirrored, so that views are cheap."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from lmcore.configuration import configuration
from lmcore.training.pool.backend import RunUnreachable
from lmcore.training.pool.mirrored import TRANSFER_SECONDS, MirroredRuns
from lmcore.training.pool.runs import RunState
from lmcore.training.ray.bridge import Bridge, ClusterLost
from lmcore.training.ray.terms import RaySettings, check_address
from lmcore.training.spec import RunSpec

ANSWER_SECONDS = 6.0
"""Seconds for the cluster to answer."""
CONTACT_SECONDS = 2.0
"""Seconds for the cluster's head to accept a call."""
RETRY_SECONDS = 2.0
"""Seconds after a failure before the cluster is called again."""


class ClusterUnreachable(RunUnreachable):
    """The cluster does not answer; it may later."""


class RayPool(MirroredRuns):
    """Runs by name in a cluster, shared by all replicas, which they outlive.

    The connection is made at the first use.
    """

    distant = True

    def __init__(self, address: str | None = None, terms: RaySettings | None = None) -> None:
        """Raises ValueError if the address is malformed, or Ray is not installed."""
        self._address = check_address(address or configuration().ray_address)
        self._terms = terms or RaySettings.configured()
        super().__init__()
        self._linking = threading.Lock()
        self._bridge: Bridge | None = None
        self._failed, self._why = 0.0, ""
        self._warming = threading.Event()

    def warm(self) -> None:
        """Start the first worker without waiting; an unreachable cluster is ignored."""
        if not self._warming.is_set():
            self._warming.set()
            threading.Thread(target=self._warm, daemon=True, name="warming").start()

    def _warm(self) -> None:
        with contextlib.suppress(ValueError):
            self._ask("warm")
        self._warming.clear()

    def start(self, spec: RunSpec, *, owner: str = "") -> str:
        """Begin a run, or follow one in progress with the same spec; returns its name.

        Raises:
            ValueError: as a pool; or if the cluster does not answer.
        """
        return self.start_all([spec], owner=owner)[0]

    def start_all(
        self, specs: Sequence[RunSpec], *, owner: str = "", instead: Collection[str] = ()
    ) -> list[str]:
        """Begin all runs or none, then stop the owner's own in `instead`; returns their names.

        Raises:
            ValueError: as `start`.
        """
        names: list[str] = self._ask("start_all", list(specs), owner, list(instead))
        self._stale()
        return names

    def adopt(self, data: bytes, *, owner: str = "") -> str:
        """Load a run from a file; returns its name.

        Raises:
            ValueError: as `start`.
        """
        name: str = self._ask("adopt", data, owner, seconds=TRANSFER_SECONDS)
        return name

    def states(self) -> Counter[RunState]:
        """The number of computations in each state."""
        counts: Counter[RunState] = self._ask("states")
        return counts

    def workers(self) -> list[int]:
        """The process ids of the workers, each on its own machine."""
        pids: list[int] = self._ask("workers")
        return pids

    def close(self) -> None:
        """Leave the cluster; its runs continue."""
        with self._linking:
            if self._bridge:
                self._bridge.end()
            self._bridge = None

    def _ask(self, verb: str, *given: Any, seconds: float | None = None) -> Any:
        """Raises ValueError for a refusal; ClusterUnreachable if the cluster does not answer."""
        with self._linking:
            if time.monotonic() < self._failed + RETRY_SECONDS and self._why:
                raise self._unreachable()
            bridge = self._bridge = self._bridge or self._connected()
        try:
            return bridge.ask(seconds or ANSWER_SECONDS, verb, *given)
        except ClusterLost as error:
            with self._linking:
                self._failed, self._why = time.monotonic(), str(error)
                if self._bridge is bridge:
                    self._bridge = None
                    bridge.end()
                raise self._unreachable() from None

    def _connected(self) -> Bridge:
        try:
            host, _, port = self._address.rpartition(":")
            if port != "auto":
                socket.create_connection((host.strip("[]"), int(port)), CONTACT_SECONDS).close()
            return Bridge(self._address, self._terms)
        except (ClusterLost, OSError, OverflowError) as error:
            self._failed, self._why = time.monotonic(), str(error)
            raise self._unreachable() from None

    def _unreachable(self) -> ClusterUnreachable:
        return ClusterUnreachable(
            f"The Ray cluster at {self._address} does not answer: {self._why}. "
            "Its runs continue; try again later."
        )
