"""The interface to training runs, which the local pool and a Ray cluster implement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable

from lmcore.training.events import History
from lmcore.training.pool.runs import RunState, RunView
from lmcore.training.spec import RunSpec


class RunUnreachable(ValueError):
    """The replica that may have the run does not answer now."""


@runtime_checkable
class RunBackend(Protocol):
    """Runs by name: start, pause, resume, step, stop, view; callable from any thread.

    An unknown name raises a ValueError that says so; if it cannot be determined now whether there
    is such a run, the error is a `RunUnreachable`. `distant` means that runs train on other
    machines.

    Calls that control a run have the caller's proofs in `by` (see `control`); if these include
    neither its owner nor the token of its control link, the calls raise `ControlRefused`. Calls
    without `by` are the server's own.
    """

    distant: bool

    def warm(self) -> None:
        """Start a worker in advance, so that the first run need not wait for it."""

    def start(self, spec: RunSpec, *, owner: str = "") -> str:
        """Begin a run, or follow one in progress with the same spec; returns its name."""

    def start_all(
        self, specs: Sequence[RunSpec], *, owner: str = "", instead: Collection[str] = ()
    ) -> list[str]:
        """Begin all runs or none, then stop the owner's own in `instead`; returns their names."""

    def adopt(self, data: bytes, *, owner: str = "") -> str:
        """Load a run from a file; returns its name."""

    def fork(self, name: str, *, owner: str = "") -> str:
        """Fork a run: start a new one from its checkpoint; returns its name."""

    def pause(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """Halt after the current step, and save the run."""

    def stop(self, name: str, *, by: Collection[str] | None = None) -> RunView:
        """As `pause`, permanently."""

    def resume(
        self, name: str, steps: int | None = None, *, by: Collection[str] | None = None
    ) -> RunView:
        """Continue from the last checkpoint, for `steps` steps if given."""

    def rename(self, name: str, title: str, *, by: Collection[str] | None = None) -> RunView:
        """Give a run a title, or none."""

    def delete(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Remove a run with its files."""

    def control_link(self, name: str, *, by: Collection[str] | None = None) -> str:
        """The token with which anybody may control the run; only its owner may get it."""

    def withdraw_link(self, name: str, *, by: Collection[str] | None = None) -> None:
        """Make the token of the control link invalid; only the run's owner may do this."""

    def view(self, name: str) -> RunView:
        """The run as it is now."""

    def __contains__(self, name: str) -> bool:
        """Whether there is such a run."""

    def is_here(self, name: str) -> bool:
        """Whether there is such a run in this process: its view waits for no disk or process."""

    def history(self, name: str) -> History:
        """The run's history so far; its lists may grow, their entries never change."""

    def checkpoint(self, name: str) -> bytes | None:
        """The run as last saved, or None before the first time."""

    def live_runs(self, owner: str) -> list[str]:
        """The names of an owner's active or waiting runs."""

    def processor_seconds(self, owner: str) -> float:
        """The processor time of an owner's present runs, since the server started."""

    def states(self) -> Counter[RunState]:
        """The number of computations in each state."""

    def workers(self) -> list[int]:
        """The process ids of the workers, each on its own machine."""

    def close(self) -> None:
        """Disconnect: a local pool ends with its workers, a cluster continues."""
