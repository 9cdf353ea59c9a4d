"""What goes out to a visitor within a moment goes out in one write.

Streamlit sends a page's answer as some thirty messages, each a turn of the event loop after the one
before: thirty calls of the operating system, a fifth of what the event loop does.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HOLD_SECONDS = 0.002
"""Seconds for which a message waits for those that follow it."""
MAX_HELD_BYTES = 1 << 18
"""Bytes that wait at most."""


class CoalescingTransport(asyncio.Transport):
    """A transport that keeps what is written for a moment; all else is the transport's own."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:  # type: ignore[override]  # websockets writes bytes
        """Have it sent, with what follows in a moment."""
        if not self._held:
            self._loop.call_later(HOLD_SECONDS, self.let_go)
        self._held.append(data)
        self._size += len(data)
        if self._size > MAX_HELD_BYTES:
            self.let_go()

    def let_go(self) -> None:
        """Send what is held."""
        held, self._held, self._size = self._held, [], 0
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held))

    def close(self) -> None:
        """Send the rest, and close."""
        self.let_go()
        self._transport.close()

    def is_closing(self) -> bool:
        """As the transport."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """As the transport."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """As the transport."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """As the transport."""
        self._transport.resume_reading()


class CoalescingWebSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's websocket, for its option `--ws`."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, on a transport that keeps what is written for a moment."""
        super().connection_made(
            CoalescingTransport(cast("asyncio.Transport", transport), self.loop)
        )
