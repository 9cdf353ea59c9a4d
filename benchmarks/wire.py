"""The minimum of HTTP and WebSocket for a browser, cheap enough for hundreds on one core.

Nothing is compressed, and what only matters to a person is not checked: only the server is
measured.
"""

from __future__ import annotations

import asyncio
import base64
import os
import ssl
import struct
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Dropped(ConnectionError):
    """The server closed the connection, or never accepted it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens."""

    host: str
    port: int
    secure: bool

    @classmethod
    def of(cls, url: str) -> Place:
        parts = urlsplit(url)
        secure = parts.scheme in ("https", "wss")
        return cls(parts.hostname or "127.0.0.1", parts.port or (443 if secure else 80), secure)

    @property
    def origin(self) -> str:
        return f"{'https' if self.secure else 'http'}://{self.name}"

    @property
    def name(self) -> str:
        usual = 443 if self.secure else 80
        return self.host if self.port == usual else f"{self.host}:{self.port}"

    def context(self) -> ssl.SSLContext | None:
        """A TLS context that accepts self-signed certificates, as in a trial; None without TLS."""
        if not self.secure:
            return None
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context


@dataclass
class Browser:
    """The state between requests: the server's place, and the cookies."""

    place: Place
    cookies: dict[str, str] = field(default_factory=dict)
    received: int = 0

    def headers(self) -> str:
        lines = [f"Host: {self.place.name}", f"User-Agent: {AGENT}", "Accept-Language: en-US"]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        return "\r\n".join(lines)

    async def get(self, *paths: str) -> list[tuple[int, bytes]]:
        """Status and body of each path, fetched one after the other over one connection."""
        reader, writer = await self._connect()
        try:
            return [await self._one(reader, writer, path) for path in paths]
        except (OSError, EOFError) as error:
            raise Dropped(f"{paths}: {error}") from error
        finally:
            writer.close()

    async def listen(self, path: str) -> AsyncIterator[bytes]:
        """The lines of a stream of events, as they arrive."""
        reader, writer = await self._connect()
        try:
            status, headers = await self._ask(reader, writer, path, "Accept: text/event-stream")
            if status != 200:
                raise Dropped(f"{path}: status {status}")
            chunked = headers.get("transfer-encoding") == "chunked"
            rest = b""
            while part := await _chunk(reader) if chunked else await reader.read(65536):
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    yield line
        finally:
            writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        place = self.place
        try:
            return await asyncio.open_connection(
                place.host, place.port, ssl=place.context(), limit=2**20
            )
        except OSError as error:
            raise Dropped(f"{place.name}: {error}") from error

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, more: str
    ) -> tuple[int, dict[str, str]]:
        writer.write(f"GET {path} HTTP/1.1\r\n{self.headers()}\r\n{more}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {}
        for line in head[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "set-cookie":
                key, _, kept = value.partition(";")[0].strip().partition("=")
                self.cookies[key] = kept
            headers[name.lower()] = value.strip()
        return int(head[0].split()[1]), headers

    async def _one(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str
    ) -> tuple[int, bytes]:
        status, headers = await self._ask(reader, writer, path, "Accept-Encoding: gzip")
        if headers.get("transfer-encoding") == "chunked":
            parts = []
            while part := await _chunk(reader):
                parts.append(part)
            body = b"".join(parts)
        else:
            body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.received += len(body)
        return status, body


async def _chunk(reader: asyncio.StreamReader) -> bytes:
    size = int(await reader.readline() or b"0", 16)
    part = await reader.readexactly(size)
    await reader.readexactly(2)
    return part


class Socket(asyncio.Protocol):
    """The client side of one WebSocket."""

    def __init__(self, hear: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        self.hear, self.ended = hear, ended
        self.buffer = bytearray()
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.received = 0
        self.over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        self.buffer += data
        if not self.opened.done():
            self._answered()
        if self.opened.done() and not self.over:
            self._frames()

    def connection_lost(self, error: Exception | None) -> None:
        self._end(str(error or "hung up"))

    def send(self, payload: bytes, kind: int = BINARY) -> None:
        """Send a message. Its mask is zero, which leaves the payload as it is and saves time."""
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 128 | kind, 128 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 128 | kind, 254, size)
        else:
            head = struct.pack("!BBQ", 128 | kind, 255, size)
        self.transport.write(head + bytes(4) + payload)

    def close(self) -> None:
        """Close the connection as a closed tab does."""
        if not self.over:
            self.over = True
            self.send(struct.pack("!H", 1001), CLOSE)
            self.transport.close()

    def _answered(self) -> None:
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        first = bytes(self.buffer[: self.buffer.find(b"\r\n")]).decode("latin-1")
        del self.buffer[: end + 4]
        if " 101 " in first:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(Dropped(first))

    def _frames(self) -> None:
        buffer, at = self.buffer, 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4]), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10]), at + 10
            if len(buffer) - start < size or start > len(buffer):
                break
            self._frame(buffer[at], bytes(buffer[start : start + size]))
            at = start + size
        del buffer[:at]

    def _frame(self, first: int, payload: bytes) -> None:
        kind = first & 15
        if kind == PING:
            self.send(payload, PONG)
        elif kind == CLOSE:
            self._end(f"closed by the server: {int.from_bytes(payload[:2])}")
        elif kind == BINARY and first & 128:
            self.hear(payload)
        elif kind != PONG:
            self._end(f"a frame of kind {first}")

    def _end(self, why: str) -> None:
        if not self.opened.done():
            self.opened.set_exception(Dropped(why))
        if not self.over:
            self.over = True
            self.transport.close()
            self.ended(why)


async def websocket(
    browser: Browser,
    path: str,
    protocols: str,
    hear: Callable[[bytes], None],
    ended: Callable[[str], None],
) -> Socket:
    """A websocket as a browser opens it.

    Raises:
        Dropped: if the server does not accept it.
    """
    place, loop = browser.place, asyncio.get_running_loop()
    try:
        _, socket = await loop.create_connection(
            lambda: Socket(hear, ended), place.host, place.port, ssl=place.context()
        )
    except OSError as error:
        raise Dropped(f"{place.name}: {error}") from error
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {path} HTTP/1.1", browser.headers(), f"Origin: {place.origin}"]
    lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    lines += [f"Sec-WebSocket-Key: {key}", f"Sec-WebSocket-Protocol: {protocols}"]
    socket.transport.write("\r\n".join([*lines, "", ""]).encode())
    await socket.opened
    return socket
