"""A stub replica: it answers with the status that a test sets, and records its requests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Stub(ThreadingHTTPServer):
    """A stub on a host and port of loopback."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, host: str, port: int) -> None:
        self.host, self.ready, self.full = host, 200, False
        self.heard: list[tuple[str, dict[str, str]]] = []
        super().__init__((host, port), Asked)


class Asked(BaseHTTPRequestHandler):
    """The handler of one request."""

    protocol_version = "HTTP/1.1"
    server: Stub

    def handle(self) -> None:
        """Ignore lost connections: a health check hangs up as soon as it has read enough."""
        with suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        """Answer /readyz with the status that is set, any other path with 503 if full, else 200."""
        if self.path == "/readyz":
            self._answer(self.server.ready)
            return
        self.server.heard.append((self.path, dict(self.headers.items())))
        self._answer(503 if self.server.full else 200)

    def do_POST(self) -> None:
        """Read the body, record the request, and answer 200."""
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
        """Log nothing."""


@contextmanager
def stub(host: str, port: int) -> Iterator[Stub]:
    """Run a stub."""
    server = Stub(host, port)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=20)
