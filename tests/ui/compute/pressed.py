"""A computation that runs until its visitor stops it; the next time, it returns at once."""

import threading
import time
from collections.abc import Callable

PRESSES: list[Callable[[], None]] = []
"""Functions that press *Stop* while a computation runs: each is used once."""


def seven(of: str = "") -> int:
    """7, of any text; if a press of *Stop* is planned, start it and never return."""
    if PRESSES:
        threading.Thread(target=PRESSES.pop(), daemon=True).start()
        while True:
            time.sleep(0.01)
    return 7
