"""The runs of a Ray cluster for one replica: mirrored, so that views are cheap."""

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
from lmcore.training.events import History
from lmcore.training.pool.run_changes import HistoryCursor, Mirror, RunChanges
from lmcore.training.pool.runs import RunState, RunView
from lmcore.training.ray.bridge import Bridge, ClusterLost
from lmcore.training.ray.terms import RaySettings, check_address
from lmcore.training.spec import RunSpec

FRESH_SECONDS = 0.2
"""Seconds for which a mirror is considered fresh; one call updates all viewed runs."""
WATCHED_SECONDS = 5.0
"""Seconds after its last view for which a mirror is updated."""
ANSWER_SECONDS = 6.0
"""Seconds for the cluster to answer."""
TRANSFER_SECONDS = 30.0
"""Seconds for the cluster to answer with a whole checkpoint."""
CONTACT_SECONDS = 2.0
"""Seconds for the cluster's head to accept a call."""
RETRY_SECONDS = 2.0
"""Seconds after a failure before the cluster is called again."""


class ClusterUnreachable(ValueError):
    """The cluster does not answer; it may later."""


class RayPool:
    """Runs by name in a cluster, shared by all replicas, which they outlive.

    The connection is made at the first use.
    """

    distant = True

    def __init__(self, address: str | None = None, terms: RaySettings | None = None) -> None:
        """Raises ValueError if the address is malformed, or Ray is not installed."""
        self._address = check_address(address or configuration().ray_address)
        self._terms = terms or RaySettings.configured()
        self._mirrors: dict[str, Mirror] = {}
        self._looking, self._linking = threading.Lock(), threading.Lock()
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

    def fork(self, name: str, *, owner: str = "") -> str:
        """Begin a run of one's own that goes on where that one is; returns its name.

        Raises:
            ValueError: as `start`.
        """
        begun: str = self._ask("fork", name, owner)
        self._stale()
        return begun

    def pause(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """Halt after the current step, and save the run.

        Raises:
            ValueError: as `view`.
            ControlRefused: if `by` does not show that the caller may control it.
        """
        return self._control("pause", name, by=by)

    def stop(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """As `pause`, permanently."""
        return self._control("stop", name, by=by)

    def resume(
        self, name: str, steps: int | None = None, *, by: Collection[str] | None = None
    ) -> RunView:
        """Continue from the last checkpoint, for `steps` steps if given."""
        return self._control("resume", name, steps, by=by)

    def rename(self, name: str, title: str, *, by: Collection[str] | None = None) -> RunView:
        """Give a run a title, or none."""
        return self._control("rename", name, title, by=by)

    def delete(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Remove a run with its files."""
        self._ask("delete", name, by)
        self._stale()

    def control_link(self, name: str, *, by: Collection[str] | None = None) -> str:
        """The token with which anybody may control the run; only its owner may ask."""
        token: str = self._ask("control_link", name, by)
        self._stale()
        return token

    def withdraw_link(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Make the token of the control link worthless; only its owner may ask."""
        self._ask("withdraw_link", name, by)
        self._stale()

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
        """The run's history; its lists may grow, their entries never change.

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

    def live_runs(self, owner: str) -> list[str]:
        """The names of an owner's active or waiting runs."""
        names: list[str] = self._ask("live_runs", owner)
        return names

    def processor_seconds(self, owner: str) -> float:
        """The processor time of an owner's runs, as far as they are there, since the start."""
        seconds: float = self._ask("processor_seconds", owner)
        return seconds

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
        """Update all viewed runs in one call; forget mirrors that are no longer viewed."""
        for name in [
            n for n, each in self._mirrors.items() if now - each.wanted >= WATCHED_SECONDS
        ]:
            del self._mirrors[name]
        answers: dict[str, RunChanges | str] = self._ask(
            "changes", {name: mirror.seen for name, mirror in self._mirrors.items()}
        )
        for name, changes in answers.items():
            self._mirrors[name].apply(changes)

    def _stale(self) -> None:
        """Mark all mirrors stale: the last call may have changed any run."""
        with self._looking:
            for mirror in self._mirrors.values():
                mirror.at = -math.inf

    def _control(self, verb: str, name: str, *given: Any, by: Collection[str] | None) -> RunView:
        with self._looking:
            mirror = self._mirrors.get(name)
            seen = mirror.seen if mirror else HistoryCursor()
        changes: RunChanges = self._ask("control", verb, name, seen, given, by)
        self._stale()
        with self._looking:
            # Another thread may have updated it meanwhile: then the next view gets the rest.
            mirror = self._mirrors.setdefault(name, Mirror())
            if mirror.seen == seen or changes.since == (0, 0, 0):
                mirror.apply(changes)
        return changes.view

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
