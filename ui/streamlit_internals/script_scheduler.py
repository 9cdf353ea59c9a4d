"""Runs the pages' scripts one at a time, first come, first served.

Changes: `AppSession` starts a `ScheduledScriptRunner`, which waits for its turn before it runs a
script. A script that only waits, for a computation or for a process, yields its turn meanwhile.

Gains: Python's threads share one lock, and every operation of PyTorch releases it and takes it
again, so ten scripts at once are each slower than ten in a row. With 100 students a rerun took
37 to 38 ms of the server's processor time with this patch and 59 to 68 ms without (three runs
each, on 2 cores):
    python -m benchmarks.classroom --only day --quick
    LMCORE_STREAMLIT_INTERNALS=none python -m benchmarks.classroom --only day --quick

Unnecessary once Streamlit can limit how many scripts run at the same time.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import ScriptRunner

CHECKED_VERSIONS: tuple[str, ...] = ("1.67.0",)
CONCURRENT_SCRIPTS = 1
"""Scripts that run concurrently: a second one costs both more time than it saves."""
_this_thread = threading.local()


class FairLock:
    """A lock that several threads may hold, granted in the order in which they asked."""

    def __init__(self, holders: int) -> None:
        self._free = holders
        self._lock = threading.Lock()
        self._returning: deque[threading.Lock] = deque()
        self._new: deque[threading.Lock] = deque()

    def acquire(self, *, returning: bool = False) -> None:
        """Wait for a turn; a thread that returns from a yield goes before new threads."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Lock()
            turn.acquire()
            (self._returning if returning else self._new).append(turn)
        turn.acquire()

    def release(self) -> None:
        """Let the next thread have its turn."""
        with self._lock:
            if waiting := self._returning or self._new:
                waiting.popleft().release()
            else:
                self._free += 1


SCRIPT_LOCK = FairLock(CONCURRENT_SCRIPTS)


class ScheduledScriptRunner(ScriptRunner):
    """Streamlit's script runner, which waits for its turn."""

    def _run_script(self, *args: Any, **kwargs: Any) -> None:
        SCRIPT_LOCK.acquire()
        _this_thread.has_turn = True
        try:
            super()._run_script(*args, **kwargs)
        finally:
            _this_thread.has_turn = False
            SCRIPT_LOCK.release()


@contextmanager
def yield_turn() -> Iterator[None]:
    """Let other scripts run while this one waits; nothing happens outside a scheduled script."""
    if not getattr(_this_thread, "has_turn", False):
        yield
        return
    SCRIPT_LOCK.release()
    try:
        yield
    finally:
        SCRIPT_LOCK.acquire(returning=True)


def install() -> None:
    """Make all page scripts run in turn."""
    app_session.ScriptRunner = ScheduledScriptRunner  # type: ignore[attr-defined]
