"""A computation that goes on until its visitor stops it; asked for again, it is quick."""

import threading
import time
from collections.abc import Callable

PRESSES: list[Callable[[], None]] = []
"""Who presses *Stop* while the next computation goes on."""


def seven() -> int:
    """7, or nothing ever where somebody presses *Stop*."""
    if PRESSES:
        threading.Thread(target=PRESSES.pop(), daemon=True).start()
        while True:
            time.sleep(0.01)
    return 7
