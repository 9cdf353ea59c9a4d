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

AT_ONCE = 1
"""Pages that run side by side: a second one costs both more time than it saves."""
_mine = threading.local()


class Turns:
    """A lock that so many may hold, given in the order they came."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._lock = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()

    def take(self) -> None:
        """Wait for a turn."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Lock()
            called.acquire()
            self._waiting.append(called)
        called.acquire()

    def give(self) -> None:
        """Let the next one have it."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


TURNS = Turns(AT_ONCE)


class InTurn(ScriptRunner):
    """Streamlit's, but that a page waits for its turn to run."""

    def _run_script(self, *given: Any, **more: Any) -> None:
        TURNS.take()
        _mine.held = True
        try:
            super()._run_script(*given, **more)
        finally:
            _mine.held = False
            TURNS.give()


@contextmanager
def aside() -> Iterator[None]:
    """Others may run while this page waits."""
    if not getattr(_mine, "held", False):
        yield
        return
    TURNS.give()
    try:
        yield
    finally:
        TURNS.take()


def begin() -> None:
    """From now on pages run in turn."""
    app_session.ScriptRunner = InTurn  # type: ignore[attr-defined]
