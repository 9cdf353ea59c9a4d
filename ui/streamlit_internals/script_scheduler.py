"""Pages run a few at a time, first come, first served.

Python's threads share one lock, and every operation of PyTorch lets go of it and wants it back: ten
pages that run at once are each slower than ten one after the other. A page that only waits, for a
computation or for a process, steps aside meanwhile.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import ScriptRunner

from ui.streamlit_internals.message_batching import BatchingSignal

CONCURRENT_SCRIPTS = 1
"""Pages that run side by side: a second one costs both more time than it saves."""
_mine = threading.local()


class FairLock:
    """A lock that so many may hold, given in the order they came."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._lock = threading.Lock()
        self._back: deque[threading.Lock] = deque()
        self._new: deque[threading.Lock] = deque()

    def take(self, *, back: bool = False) -> None:
        """Wait for a turn; who comes back from stepping aside has waited before, and goes first."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Lock()
            called.acquire()
            (self._back if back else self._new).append(called)
        called.acquire()

    def give(self) -> None:
        """Let the next one have it."""
        with self._lock:
            if waiting := self._back or self._new:
                waiting.popleft().release()
            else:
                self._free += 1


SCRIPT_LOCK = FairLock(CONCURRENT_SCRIPTS)


class ScheduledScriptRunner(ScriptRunner):
    """Streamlit's, but that a page waits for its turn, and its messages travel together."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.on_event = BatchingSignal()

    def _run_script(self, *given: Any, **more: Any) -> None:
        SCRIPT_LOCK.take()
        _mine.held, _mine.parcels = True, self.on_event
        try:
            super()._run_script(*given, **more)
        finally:
            _mine.held = False
            SCRIPT_LOCK.give()


@contextmanager
def yield_turn() -> Iterator[None]:
    """Others may run while this page waits."""
    if not getattr(_mine, "held", False):
        yield
        return
    _mine.parcels.hand_over()
    SCRIPT_LOCK.give()
    try:
        yield
    finally:
        SCRIPT_LOCK.take(back=True)


def install() -> None:
    """From now on pages run in turn."""
    app_session.ScriptRunner = ScheduledScriptRunner  # type: ignore[attr-defined]
