"""A relay between a browser and a server; it can cut all of its connections at once."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Relay:
    """Listens on `port` and passes bytes to and from the server's port."""

    server: int
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    _ends: list[socket.socket] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The address that a browser opens."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def cut(self) -> int:
        """End every open connection, and return how many there were. New ones are accepted."""
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        return len(ends) // 2

    def accept(self) -> None:
        """Pass on every connection until the listener is closed."""
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.server))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_pass, args=(one, other), daemon=True).start()


def _pass(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def relayed(server: int) -> Iterator[Relay]:
    """Run a relay to the server on that port."""
    relay = Relay(server)
    thread = threading.Thread(target=relay.accept, daemon=True)
    thread.start()
    try:
        yield relay
    finally:
        relay.listener.shutdown(socket.SHUT_RDWR)
        relay.listener.close()
        relay.cut()
        thread.join(5)
