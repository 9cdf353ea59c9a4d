"""A replica that serves nothing: it answers as it is told, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Stub(ThreadingHTTPServer):
    """One on a host and port of loopback."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, host: str, port: int) -> None:
        self.host, self.ready, self.full = host, 200, False
        self.heard: list[tuple[str, dict[str, str]]] = []
        super().__init__((host, port), Asked)


class Asked(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: Stub

    def handle(self) -> None:
        """A check hangs up as soon as it has read enough, and so may anybody."""
        with suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        """How it is, or its own address."""
        if self.path == "/readyz":
            self._answer(self.server.ready)
            return
        self.server.heard.append((self.path, dict(self.headers.items())))
        self._answer(503 if self.server.full else 200)

    def do_POST(self) -> None:
        """Takes what it is given."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, dict(self.headers.items())))
        self._answer(200)

    do_PUT = do_POST

    def _answer(self, status: int) -> None:
        body = self.server.host.encode("ascii")
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "_streamlit_xsrf=2|a|b; Path=/; SameSite=Lax")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing to read here."""


@contextmanager
def stub(host: str, port: int) -> Iterator[Stub]:
    """One that answers until the end."""
    server = Stub(host, port)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=20)
