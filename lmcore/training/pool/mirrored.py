"""The runs of another process, mirrored here, so that views are cheap."""

from __future__ import annotations

import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any

from lmcore.training.events import History
from lmcore.training.pool.run_changes import HistoryCursor, Mirror, RunChanges
from lmcore.training.pool.runs import RunView

FRESH_SECONDS = 0.2
"""Seconds for which a mirror is considered fresh; one call updates all viewed runs."""
WATCHED_SECONDS = 5.0
"""Seconds after its last view for which a mirror is updated."""
TRANSFER_SECONDS = 30.0
"""Seconds for an answer with a whole checkpoint."""


class MirroredRuns(ABC):
    """Runs by name that a `RunService` in another process has."""

    def __init__(self) -> None:
        self._mirrors: dict[str, Mirror] = {}
        self._looking, self._fetching = threading.Lock(), threading.Lock()

    @abstractmethod
    def _ask(self, verb: str, *given: Any, seconds: float | None = None) -> Any:
        """Call the service.

        Raises:
            ValueError: if it refuses.
            RunUnreachable: if it does not answer.
        """

    def fork(self, name: str, *, owner: str = "") -> str:
        """Fork a run: start a new one from its checkpoint; returns its name.

        Raises:
            ValueError: as `view`, or if there is no room for it.
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
        """The token with which anybody may control the run; only its owner may get it."""
        token: str = self._ask("control_link", name, by)
        self._stale()
        return token

    def withdraw_link(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Make the token of the control link invalid; only the run's owner may do this."""
        self._ask("withdraw_link", name, by)
        self._stale()

    def view(self, name: str) -> RunView:
        """The run as it was at most `FRESH_SECONDS` seconds ago.

        Raises:
            ValueError: if there is no such run.
            RunUnreachable: if the other process does not answer.
        """
        return self._mirrored(name)[0]

    def __contains__(self, name: str) -> bool:
        try:
            self.view(name)
        except ValueError:
            return False
        return True

    def is_here(self, name: str) -> bool:
        """Never: a view may have to wait for the other process."""
        return False

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
        """The processor time of an owner's present runs in that process, since it started."""
        seconds: float = self._ask("processor_seconds", owner)
        return seconds

    def _mirrored(self, name: str) -> tuple[RunView, History]:
        with self._looking:
            mirror = self._mirrors.setdefault(name, Mirror())
            mirror.wanted = time.monotonic()
        # A thread that waits here finds its run updated by the call that it waited for; a thread
        # that has a view does not wait.
        if mirror.is_old(FRESH_SECONDS) and self._fetching.acquire(blocking=mirror.is_needed):
            try:
                if mirror.is_old(FRESH_SECONDS):
                    with self._looking:  # the wait may have been long: the run is wanted now
                        mirror = self._mirrors.setdefault(name, mirror)
                        mirror.wanted = time.monotonic()
                    self._fetch()
            finally:
                self._fetching.release()
        with self._looking:
            if mirror.view is None:
                raise ValueError(mirror.gone)
            return mirror.view, mirror.history

    def _fetch(self) -> None:
        """Update all viewed runs in one call; forget mirrors that are no longer viewed."""
        oldest = time.monotonic() - WATCHED_SECONDS
        with self._looking:
            for name in [n for n, each in self._mirrors.items() if each.wanted <= oldest]:
                del self._mirrors[name]
            asked = {name: mirror.seen for name, mirror in self._mirrors.items()}
        answers: dict[str, RunChanges | str] = self._ask("changes", asked)
        with self._looking:
            for name, changes in answers.items():
                mirror = self._mirrors[name]
                if mirror.seen == asked[name]:  # else a control call has brought the rest
                    mirror.apply(changes)

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
