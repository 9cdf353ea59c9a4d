"""The turns of the pages' scripts: one runs at a time, first come, first served.

Scripts take turns only where `streamlit_internals/script_scheduler.py` is switched on. A script
that only waits, for a computation or for a process, yields its turn meanwhile.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CONCURRENT_SCRIPTS = 1
"""Scripts that run concurrently: a second one costs both more time than it saves."""
_this_thread = threading.local()


class FairLock:
    """A lock that several threads may hold, granted in the order of the requests."""

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


@contextmanager
def take_turn() -> Iterator[None]:
    """Wait for this thread's turn, and hold it."""
    SCRIPT_LOCK.acquire()
    _this_thread.has_turn = True
    try:
        yield
    finally:
        _this_thread.has_turn = False
        SCRIPT_LOCK.release()


def call_before_waiting(function: Callable[[], None]) -> None:
    """Have this thread call a function whenever its script is about to wait."""
    _this_thread.before_waiting = function


@contextmanager
def yield_turn() -> Iterator[None]:
    """Let other scripts run while this one waits; nothing happens outside a scheduled script."""
    if (before_waiting := getattr(_this_thread, "before_waiting", None)) is not None:
        before_waiting()
    if not getattr(_this_thread, "has_turn", False):
        yield
        return
    SCRIPT_LOCK.release()
    try:
        yield
    finally:
        SCRIPT_LOCK.acquire(returning=True)
