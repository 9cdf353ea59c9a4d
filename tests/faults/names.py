"""A DNS server, as Docker has one inside: it gives the addresses of all replicas for one name."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

ADDRESS_RECORD, INTERNET = 1, 1
FOUND, NO_SUCH_NAME = 0x8180, 0x8183


@dataclass
class Names:
    """The answers: name → IPv4 addresses. They may change while the server runs."""

    known: dict[str, list[str]] = field(default_factory=dict)
    port: int = 0

    def answer(self, asked: bytes) -> bytes:
        """The reply to one query, in the format of RFC 1035."""
        end = asked.index(b"\0", 12)
        name = _joined(asked[12:end])
        (kind,) = struct.unpack("!H", asked[end + 1 : end + 3])
        addresses = self.known.get(name, []) if kind == ADDRESS_RECORD else []
        flags = FOUND if name in self.known else NO_SUCH_NAME
        head = asked[:2] + struct.pack("!5H", flags, 1, len(addresses), 0, 0)
        return head + asked[12 : end + 5] + b"".join(map(_record, addresses))


def _joined(labels: bytes) -> str:
    parts = []
    while labels:
        parts.append(labels[1 : labels[0] + 1])
        labels = labels[labels[0] + 1 :]
    return b".".join(parts).decode("ascii")


def _record(address: str) -> bytes:
    """An A record for the name at byte 12 of the reply, valid for one second."""
    return struct.pack("!3HIH", 0xC00C, ADDRESS_RECORD, INTERNET, 1, 4) + socket.inet_aton(address)


@contextmanager
def name_server(known: dict[str, Iterable[str]]) -> Iterator[Names]:
    """Run a DNS server on loopback."""
    names = Names({name: list(addresses) for name, addresses in known.items()})
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        names.port = listening.getsockname()[1]
        thread = threading.Thread(target=_serve, args=(listening, names), daemon=True)
        thread.start()
        try:
            yield names
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"", ("127.0.0.1", names.port))  # an empty message ends it
            thread.join(timeout=10)


def _serve(listening: socket.socket, names: Names) -> None:
    while True:
        asked, sender = listening.recvfrom(4096)
        if not asked:
            return
        listening.sendto(names.answer(asked), sender)
