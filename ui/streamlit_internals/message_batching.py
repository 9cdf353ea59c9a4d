"""What a page says travels to the event loop, and from there to the visitor, in parcels.

Streamlit hands each message of a run over by itself, some thirty a move: each time the
loop's thread wakes, wants Python's lock and has to be waited for, and once more for each that it
sends. Together they cost that once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.signal_util import Signal

MESSAGE = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
HOLD_SECONDS = 0.05
"""Seconds after which the next message takes all those before it along: less than an eye sees."""
_open = threading.local()


class MessageBatch(NamedTuple):
    """What goes to a visitor together."""

    messages: list[ForwardMsg]


class BatchingSignal(Signal):
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
                if now - self._since >= HOLD_SECONDS:
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
            _open.parcel = []
            try:
                for sender, said in held:
                    super().send(sender, **said)
            finally:
                parcel, _open.parcel = _open.parcel, None
            if parcel:
                parcel[0][0].all_soon([callback for _, callback in parcel])


class BatchingSession(AppSession):
    """A session that takes what is handed over together in one turn of the event loop, and gives
    what goes to its visitor as one parcel."""

    def _call_soon_on_event_loop(self, callback: Callable[[], None]) -> None:
        parcel = getattr(_open, "parcel", None)
        if parcel is None:
            super()._call_soon_on_event_loop(callback)
        else:
            parcel.append((self, callback))

    def all_soon(self, callbacks: list[Callable[[], None]]) -> None:
        """Call them on the event loop, one after the other."""
        super()._call_soon_on_event_loop(partial(self._all, callbacks))

    def _all(self, callbacks: list[Callable[[], None]]) -> None:
        told, self._message_enqueued_callback = self._message_enqueued_callback, None
        try:
            for callback in callbacks:
                callback()
        finally:
            self._message_enqueued_callback = told
        if told is not None:
            told()

    def flush_browser_queue(self) -> list[MessageBatch]:  # type: ignore[override]  # `send_batch` unpacks it
        """Streamlit's, as one `MessageBatch` or none."""
        said = super().flush_browser_queue()
        return [MessageBatch(said)] if said else []


_send = Runtime._send_message


def send_batch(runtime: Runtime, visitor: ActiveSessionInfo, parcel: MessageBatch) -> None:
    """Send what is in it, one after the other."""
    for message in parcel.messages:
        _send(runtime, visitor, message)


def install(session: type[BatchingSession] = BatchingSession) -> None:
    """From now on sessions speak in parcels, and are of that kind."""
    websocket_session_manager.AppSession = session  # type: ignore[attr-defined]
    Runtime._send_message = send_batch  # type: ignore[assignment,method-assign]
