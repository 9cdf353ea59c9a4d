"""The runs of a pool by name, and which computation each follows."""

from __future__ import annotations

import time
from collections.abc import Collection

from lmcore.training.pool.runs import FINAL_STATES, LIVE_STATES, Computation, Run, new_name
from lmcore.training.spec import RunSpec

DAY = 86_400.0


class Register(dict[str, Run]):
    """Name → run. A run that has not been viewed for `idle` seconds may be forgotten."""

    def __init__(self, idle: float) -> None:
        super().__init__()
        self.idle = idle

    def find(self, name: str) -> Run:
        """The run of that name.

        Raises:
            ValueError: if there is none, or no longer.
        """
        if name not in self:
            raise ValueError(
                f"The run {name[:20]!r} is no longer on the server: it was deleted by whoever "
                "controls it, or ended with the machine that trained it, or nobody viewed it, and "
                f"such runs are deleted after {format_duration(self.idle)}."
            )
        return self[name]

    def follow(self, computation: Computation, owner: str = "") -> str:
        """Add a run that follows the computation; returns its name."""
        run = Run(new_name(), computation, owner)
        self[run.name] = computation.followers[run.name] = run
        return run.name

    def restore(self, computation: Computation) -> None:
        """Register the followers of a computation from an earlier server process."""
        self.update(computation.followers)

    def computations(self) -> list[Computation]:
        """The computations of all runs, each once."""
        return list({id(run.computation): run.computation for run in self.values()}.values())

    def remove(self, run: Run) -> bool:
        """Remove a run; returns whether its computation has no followers left."""
        self.pop(run.name, None)
        del run.computation.followers[run.name]
        return not run.computation.followers

    def shared(self, spec: RunSpec) -> Computation | None:
        """A computation of that spec in progress that accepts followers."""
        for computation in self.computations():
            if computation.shared and computation.state in LIVE_STATES and computation.spec == spec:
                return computation
        return None

    def unseen(self) -> list[Run]:
        """The runs that have not been viewed for too long."""
        oldest = time.monotonic() - self.idle
        return [run for run in self.values() if run.seen < oldest]

    def count_live(self, owner: str, instead: Collection[str] = ()) -> int:
        """The number of an owner's active or waiting runs, without those in `instead`."""
        return len(set(self.live(owner)) - set(instead))

    def live(self, owner: str) -> list[str]:
        """The names of an owner's active or waiting runs."""
        runs = [run for run in self.values() if run.owner == owner]
        return [run.name for run in runs if run.computation.state in LIVE_STATES]

    def forgettable(self, idle: float) -> list[Run]:
        """The runs to forget if others need room.

        Finished ones come first, then idle ones that were not viewed for `idle` seconds; in each
        group the one not viewed for longest comes first.
        """
        over = [run for run in self.values() if run.computation.state in FINAL_STATES]
        return sorted(over, key=lambda run: run.seen) + [
            run for run in self.at_rest(idle) if run not in over
        ]

    def at_rest(self, idle: float) -> list[Run]:
        """The runs that make no steps and have not been viewed for `idle` seconds."""
        oldest = time.monotonic() - idle
        busy = (*LIVE_STATES, "copying")
        unseen = [run for run in self.values() if run.seen < oldest]
        resting = [run for run in unseen if run.computation.state not in busy]
        return sorted(resting, key=lambda run: run.seen)


def format_duration(seconds: float) -> str:
    """A duration in words."""
    return f"{seconds / DAY:.0f} days" if seconds > DAY else f"{seconds / 60:.0f} minutes"
