"""The processor time of this server and its processes since it started, and of a visitor's runs."""

from __future__ import annotations

import time
from dataclasses import dataclass

import psutil

from ui import runs


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """Seconds of processor time since `began`, in seconds since 1970; `now` is the same clock.

    `ended` is the time of processes that have ended, whatever they computed. `distant` says that
    training runs on other machines, whose time is not included.
    """

    began: float
    now: float
    pages: float
    training: float
    computing: float
    ended: float
    distant: bool = False

    @property
    def total(self) -> float:
        """The sum of all parts."""
        return self.pages + self.training + self.computing + self.ended

    @property
    def hours(self) -> float:
        """Hours that the server has been running."""
        return (self.now - self.began) / 3600


def processor_time() -> ProcessorTime:
    """The processor time of the server's processes until now."""
    server = psutil.Process()
    used, workers = server.cpu_times(), set(runs.workers())
    parts = {"training": 0.0, "computing": 0.0}
    for child in server.children(recursive=True):
        parts["training" if child.pid in workers else "computing"] += _seconds(child)
    return ProcessorTime(
        server.create_time(),
        time.time(),
        pages=used.user + used.system,
        ended=getattr(used, "children_user", 0.0) + getattr(used, "children_system", 0.0),
        distant=runs.pool().distant,
        **parts,
    )


def own_seconds() -> float:
    """The processor time of the training runs of the visitor.

    Raises:
        ValueError: if a cluster that has them does not answer.
    """
    return runs.pool().processor_seconds(runs.owner())


def _seconds(process: psutil.Process) -> float:
    try:
        used = process.cpu_times()
    except psutil.Error:  # it ended meanwhile: its time is part of `ended`
        return 0.0
    return float(used.user + used.system)
