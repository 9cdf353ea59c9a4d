"""Training runs by their names: what the embedded pool and a cluster both offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable

from lmcore.training.pool.runs import History, RunState, RunView
from lmcore.training.spec import RunSpec


@runtime_checkable
class RunBackend(Protocol):
    """Runs by name: start, pause, go on, step, stop, look; from any thread.

    What cannot be done, for a name that is none or a cluster that does not answer, is a ValueError
    that says so. `distant` says that a look may have to wait for another machine.
    """

    distant: bool

    def warm(self) -> None:
        """See that the first run need not wait for a worker."""

    def start(self, spec: RunSpec, *, owner: str = "") -> str:
        """Begin a run, or follow one that is under way with the same spec; its name."""

    def start_all(
        self, specs: Sequence[RunSpec], *, owner: str = "", instead: Collection[str] = ()
    ) -> list[str]:
        """Begin them all, or none; then stop those they are to stand in for; their names."""

    def adopt(self, data: bytes, *, owner: str = "") -> str:
        """Take in a run from a file; its name."""

    def pause(self, name: str) -> RunView:
        """Halt after the step being made, saved."""

    def stop(self, name: str) -> RunView:
        """As `pause`, for good."""

    def resume(self, name: str, steps: int | None = None) -> RunView:
        """Go on from the last checkpoint; for so many steps, where given."""

    def view(self, name: str) -> RunView:
        """The run as it is now."""

    def __contains__(self, name: str) -> bool:
        """Whether there is such a run."""

    def history(self, name: str) -> History:
        """What the run has told so far; a list of it may grow, what is there does not change."""

    def checkpoint(self, name: str) -> bytes | None:
        """The run as last saved, or None before the first time."""

    def states(self) -> Counter[RunState]:
        """How many computations are in which state."""

    def workers(self) -> list[int]:
        """The process ids of the workers, each on its own machine."""

    def close(self) -> None:
        """Let go: an embedded pool ends with its workers, a cluster goes on."""
