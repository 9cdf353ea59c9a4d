"""The runs that a pool knows, by their names, and who follows which computation."""

from __future__ import annotations

import time

from lmcore.training.runs import LIVE, OVER, Computation, Run, new_name
from lmcore.training.spec import RunSpec


class Register(dict[str, Run]):
    """Name → run. One that nobody has looked at for `idle` seconds may be forgotten."""

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
                f"the run must be one the server still has; got {name[:20]!r}: "
                f"runs nobody looks at are forgotten after {self.idle / 60:.0f} minutes"
            )
        return self[name]

    def follow(self, computation: Computation) -> str:
        """The name of a new run that shows the computation."""
        run = Run(new_name(), computation)
        self[run.name] = run
        computation.followers.add(run.name)
        return run.name

    def remove(self, run: Run) -> bool:
        """Forget a run; whether its computation has no followers now."""
        del self[run.name]
        run.computation.followers.discard(run.name)
        return not run.computation.followers

    def shared(self, spec: RunSpec) -> Computation | None:
        """A computation of that spec which is under way and takes in followers."""
        computations = {id(run.computation): run.computation for run in self.values()}
        for computation in computations.values():
            if computation.shared and computation.state in LIVE and computation.spec == spec:
                return computation
        return None

    def unseen(self) -> list[Run]:
        """The runs nobody has looked at for too long."""
        oldest = time.monotonic() - self.idle
        return [run for run in self.values() if run.seen < oldest]

    def over(self) -> list[Run]:
        """The runs that are over, the one longest out of sight first."""
        over = [run for run in self.values() if run.computation.state in OVER]
        return sorted(over, key=lambda run: run.seen)
