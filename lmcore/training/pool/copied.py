"""Runs as they were when they were copied, for a process that draws pages and trains nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NoReturn

from lmcore.training.events import History
from lmcore.training.pool.backend import RunBackend
from lmcore.training.pool.runs import RunState, RunView
from lmcore.training.spec import RunSpec

ONLY_READ = "runs can only be read here; open the page to start or to control one"


@dataclass(frozen=True, slots=True)
class RunCopy:
    """A run at one moment; `saved` is its last checkpoint, if it had one."""

    view: RunView
    history: History
    saved: bytes | None


MOST_BYTES = 200_000_000
"""Bytes of all checkpoints among copies; a run beyond them is copied without its checkpoint."""
NO_RUNS: Mapping[str, RunCopy] = MappingProxyType({})


def copy_runs(pool: RunBackend, names: Collection[str]) -> dict[str, RunCopy]:
    """Copies of the existing runs of these names, without their owners' secrets."""
    copies, left = {}, MOST_BYTES
    for name in names:
        if name in pool:
            view = replace(pool.view(name), owner="", link="")
            history = pool.history(name).copy(view.step)  # the run may go on meanwhile
            saved = pool.checkpoint(name)
            if saved is not None and len(saved) > left:
                saved = None
            left -= len(saved or b"")
            copies[name] = RunCopy(view, history, saved)
    return copies


class CopiedRuns:
    """A `RunBackend` of copies: it starts no worker and uses no folder."""

    distant = False

    def __init__(self, copies: Mapping[str, RunCopy]) -> None:
        self._copies = copies

    def warm(self) -> None:
        """Do nothing: no run will start."""

    def start(self, spec: RunSpec, *, owner: str = "") -> str:
        """Raises ValueError, like every method that starts or controls a run."""
        _refuse()

    def start_all(
        self, specs: Sequence[RunSpec], *, owner: str = "", instead: Collection[str] = ()
    ) -> list[str]:
        """As `start`."""
        _refuse()

    def adopt(self, data: bytes, *, owner: str = "") -> str:
        """As `start`."""
        _refuse()

    def fork(self, name: str, *, owner: str = "") -> str:
        """As `start`."""
        _refuse()

    def pause(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """As `start`."""
        _refuse()

    def stop(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """As `start`."""
        _refuse()

    def resume(
        self, name: str, steps: int | None = None, *, by: Collection[str] | None = None
    ) -> RunView:
        """As `start`."""
        _refuse()

    def rename(self, name: str, title: str, *, by: Collection[str] | None = None) -> RunView:
        """As `start`."""
        _refuse()

    def delete(self, name: str, *, by: Collection[str] | None = None) -> None:
        """As `start`."""
        _refuse()

    def control_link(self, name: str, *, by: Collection[str] | None = None) -> str:
        """As `start`."""
        _refuse()

    def withdraw_link(self, name: str, *, by: Collection[str] | None = None) -> None:
        """As `start`."""
        _refuse()

    def view(self, name: str) -> RunView:
        """The run as it was.

        Raises:
            ValueError: if it was not copied.
        """
        return self._copy(name).view

    def __contains__(self, name: str) -> bool:
        return name in self._copies

    def is_here(self, name: str) -> bool:
        """As `in`: what was copied is here."""
        return name in self._copies

    def history(self, name: str) -> History:
        """The history of the run as it was; raises ValueError as `view`."""
        return self._copy(name).history

    def checkpoint(self, name: str) -> bytes | None:
        """The last checkpoint of the run as it was; raises ValueError as `view`."""
        return self._copy(name).saved

    def live_runs(self, owner: str) -> list[str]:
        """No run: a copy has no owner."""
        return []

    def processor_seconds(self, owner: str) -> float:
        """No time: a copy has no owner."""
        return 0.0

    def states(self) -> Counter[RunState]:
        """The number of copies in each state."""
        return Counter(copy.view.state for copy in self._copies.values())

    def workers(self) -> list[int]:
        """No process."""
        return []

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _copy(self, name: str) -> RunCopy:
        if name not in self._copies:
            raise ValueError("There is no such run, or no longer.")
        return self._copies[name]


def _refuse() -> NoReturn:
    raise ValueError(ONLY_READ)
