"""What a page says travels to the event loop in parcels.

Streamlit hands each message of a run over by itself, some thirty a move: each time the
loop's thread wakes, wants Python's lock and has to be waited for. Together they cost that once.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.signal_util import Signal

MESSAGE = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
HOLD = 0.05
"""Seconds after which the next message takes all those before it along: less than an eye sees."""


class Parcels(Signal):
    """A run's events, with its messages held back for a moment; what ends a run is told at once."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[tuple[Any, dict[str, Any]]] = []
        self._since = 0.0
        self._thread: int | None = None
        self._order = threading.RLock()

    def send(self, sender: Any = None, /, **said: Any) -> None:
        """Hold a message of the run's own thread; all else, such as a spinner that a timer draws,
        goes at once, after what is held."""
        here, message = threading.get_ident(), said["event"] is MESSAGE
        with self._order:
            if message and here == self._thread:
                now = time.monotonic()
                self._since = self._since if self._held else now
                self._held.append((sender, said))
                if now - self._since >= HOLD:
                    self.hand_over()
                return
            if not message:
                self._thread = here
            self.hand_over()
            super().send(sender, **said)

    def hand_over(self) -> None:
        """Let go of what is held."""
        with self._order:
            held, self._held = self._held, []
            for sender, said in held:
                super().send(sender, **said)
