"""The runs of a Ray cluster, as one replica sees them: mirrored, so that looking costs little."""

from __future__ import annotations

import contextlib
import math
import socket
import threading
import time
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from lmcore.configuration import configuration
from lmcore.training.pool.run_changes import HistoryCursor, Mirror, RunChanges
from lmcore.training.pool.runs import History, RunState, RunView
from lmcore.training.ray.bridge import Bridge, ClusterLost
from lmcore.training.ray.terms import RaySettings, check_address
from lmcore.training.spec import RunSpec

FRESH_SECONDS = 0.2
"""Seconds for which a mirror is believed: one call brings all that are looked at up to date."""
WATCHED_SECONDS = 5.0
"""Seconds after the last look for which a mirror is kept so."""
ANSWER_SECONDS = 6.0
"""Seconds the cluster has to answer."""
TRANSFER_SECONDS = 30.0
"""Seconds it has where a whole checkpoint travels."""
CONTACT_SECONDS = 2.0
"""Seconds the cluster's head has to take a call at all."""
RETRY_SECONDS = 2.0
"""Seconds after a failure in which the cluster is not asked again."""


class ClusterUnreachable(ValueError):
    """The cluster does not answer; it may later."""


class RayPool:
    """Runs by name, in a cluster where every replica finds them, and where they go on without it.

    Nothing is asked of the cluster before it is needed.
    """

    distant = True

    def __init__(self, address: str | None = None, terms: RaySettings | None = None) -> None:
        """Raises ValueError if the address is none, or Ray is not installed."""
        self._address = check_address(address or configuration().ray_address)
        self._terms = terms or RaySettings.configured()
        self._mirrors: dict[str, Mirror] = {}
        self._looking, self._linking = threading.Lock(), threading.Lock()
        self._bridge: Bridge | None = None
        self._failed, self._why = 0.0, ""
        self._warming = threading.Event()

    def warm(self) -> None:
        """Start the first worker, and nobody waits for it; a cluster that is away is no matter."""
        if not self._warming.is_set():
            self._warming.set()
            threading.Thread(target=self._warm, daemon=True, name="warming").start()

    def _warm(self) -> None:
        with contextlib.suppress(ValueError):
            self._ask("warm")
        self._warming.clear()

    def start(self, spec: RunSpec, *, owner: str = "") -> str:
        """Begin a run, or follow one that is under way with the same spec; its name.

        Raises:
            ValueError: as a pool; or if the cluster does not answer.
        """
        return self.start_all([spec], owner=owner)[0]

    def start_all(
        self, specs: Sequence[RunSpec], *, owner: str = "", instead: Collection[str] = ()
    ) -> list[str]:
        """Begin them all, or none; then stop those they are to stand in for; their names.

        Raises:
            ValueError: as `start`.
        """
        names: list[str] = self._ask("start_all", list(specs), owner, list(instead))
        self._stale()
        return names

    def adopt(self, data: bytes, *, owner: str = "") -> str:
        """Take in a run from a file; its name.

        Raises:
            ValueError: as `start`.
        """
        name: str = self._ask("adopt", data, owner, seconds=TRANSFER_SECONDS)
        return name

    def pause(self, name: str) -> RunView:
        """Halt after the step being made, saved."""
        return self._steer("pause", name)

    def stop(self, name: str) -> RunView:
        """As `pause`, for good."""
        return self._steer("stop", name)

    def resume(self, name: str, steps: int | None = None) -> RunView:
        """Go on from the last checkpoint; for so many steps, where given."""
        return self._steer("resume", name, steps)

    def view(self, name: str) -> RunView:
        """The run as it was at most `FRESH_SECONDS` seconds ago.

        Raises:
            ValueError: if there is no such run, or the cluster does not answer.
        """
        return self._mirrored(name)[0]

    def __contains__(self, name: str) -> bool:
        try:
            self.view(name)
        except ValueError:
            return False
        return True

    def history(self, name: str) -> History:
        """What the run has told; a list of it may grow, what is there does not change.

        Raises:
            ValueError: as `view`.
        """
        return self._mirrored(name)[1]

    def checkpoint(self, name: str) -> bytes | None:
        """The run as last saved, or None before the first time.

        Raises:
            ValueError: as `view`.
        """
        data: bytes | None = self._ask("checkpoint", name, seconds=TRANSFER_SECONDS)
        return data

    def states(self) -> Counter[RunState]:
        """How many computations are in which state."""
        found: Counter[RunState] = self._ask("states")
        return found

    def workers(self) -> list[int]:
        """The process ids of the workers, each on its own machine."""
        found: list[int] = self._ask("workers")
        return found

    def close(self) -> None:
        """Leave the cluster; its runs go on."""
        with self._linking:
            if self._bridge:
                self._bridge.end()
            self._bridge = None

    def _mirrored(self, name: str) -> tuple[RunView, History]:
        with self._looking:
            now = time.monotonic()
            mirror = self._mirrors.setdefault(name, Mirror())
            mirror.wanted = now
            if now - mirror.at >= FRESH_SECONDS:
                self._fetch(now)
            if mirror.view is None:
                raise ValueError(mirror.gone)
            return mirror.view, mirror.history

    def _fetch(self, now: float) -> None:
        """Bring all that are looked at up to date in one call; forget those that no one wants."""
        for name in [
            n for n, each in self._mirrors.items() if now - each.wanted >= WATCHED_SECONDS
        ]:
            del self._mirrors[name]
        told: dict[str, RunChanges | str] = self._ask(
            "news", {name: mirror.seen for name, mirror in self._mirrors.items()}
        )
        for name, news in told.items():
            self._mirrors[name].take(news)

    def _stale(self) -> None:
        """What was just asked for may have changed any run."""
        with self._looking:
            for mirror in self._mirrors.values():
                mirror.at = -math.inf

    def _steer(self, verb: str, name: str, steps: int | None = None) -> RunView:
        with self._looking:
            mirror = self._mirrors.get(name)
            seen = mirror.seen if mirror else HistoryCursor()
        told: RunChanges = self._ask("steer", verb, name, seen, steps)
        self._stale()
        with self._looking:
            # Somebody else may have looked meanwhile: then the next look brings the rest.
            mirror = self._mirrors.setdefault(name, Mirror())
            if mirror.seen == seen or told.since == (0, 0, 0):
                mirror.take(told)
        return told.view

    def _ask(self, verb: str, *given: Any, seconds: float | None = None) -> Any:
        """Raises ValueError for what is refused; Unreachable if nobody answers."""
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
            f"the Ray cluster that trains must answer; got none from {self._address}: {self._why}. "
            "Runs go on there; try again in a while"
        )
