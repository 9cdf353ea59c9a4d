"""Middleware before Streamlit: limits visitors, filters messages, measures response times.

A browser needs few of the messages that Streamlit understands. The others would let one visitor
empty the caches of all, or ask the server to write files; they are dropped here.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from html import escape
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lmcore.configuration import configuration
from ui import contents
from ui.assets import FOLDER
from ui.server import metrics
from ui.streamlit_internals.messages import is_run_end, message_kind

STREAM = "/_stcore/stream"
ALLOWED_MESSAGES = frozenset(
    ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "load_git_info")
)
SMALL_MESSAGE_BYTES = 200
"""Bytes; the message that a script has finished is smaller."""
PLAIN_STYLE = (FOLDER / "plain.css").read_text("utf-8")
LIVE_RUNS_PATH = "/live/runs"
LISTENERS = 3
"""Pictures of runs a visitor may have open, on average."""
SERVICES = {
    "_stcore",
    "static",
    "media",
    "component",
    "auth",
    "oauth2callback",
    "live",
    "lecture",
}
PROBES = {"healthz", "readyz", "metrics", "inside"}
"""First parts of addresses that are not pages."""
LISTS = {"lectures"}
"""Pages that are not lessons."""
RETRY_SECONDS = 20
"""Seconds until a refused visitor's page tries again."""


class Guard:
    """ASGI middleware before Streamlit's application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.sessions = self.listeners = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it if there is no room."""
        if scope["type"] == "websocket" and scope["path"].endswith(STREAM):
            await self._session(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == LIVE_RUNS_PATH:
            await self._listener(scope, receive, send)
        elif _from_elsewhere(scope):
            metrics.TURNED_AWAY.labels("another site's page").inc()
            await text_response("pages of other sites may not change anything here", 403)(
                scope, receive, send
            )
        elif wants_a_page(scope) and _leads_nowhere(scope["path"]):
            await missing_page()(scope, receive, send)
        elif self._full() and wants_a_page(scope):
            metrics.TURNED_AWAY.labels("no room for a page").inc()
            await busy_page()(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _full(self) -> bool:
        return self.sessions >= configuration().sessions

    async def _listener(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a listener to runs, as each keeps a connection open."""
        if self.listeners >= LISTENERS * configuration().sessions:
            metrics.TURNED_AWAY.labels("no room for a listener").inc()
            await text_response("too many listeners; try again later", 503)(scope, receive, send)
            return
        self.listeners += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.listeners -= 1

    async def _session(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._full():
            metrics.TURNED_AWAY.labels("no room for a session").inc()
            await receive()
            await send({"type": "websocket.close", "code": 1013})
            return
        visit = Visit(receive, send)
        self.sessions += 1
        metrics.SESSIONS.inc()
        try:
            await self.app(scope, visit.receive, visit.send)
        finally:
            self.sessions -= 1
            metrics.SESSIONS.dec()


class Visit:
    """One websocket, with the arrival time of its oldest unanswered message."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._asked: float | None = None

    async def receive(self) -> Message:
        """The next allowed message."""
        while True:
            message = await self._receive()
            data = message.get("bytes")
            if message["type"] != "websocket.receive" or data is None:
                return message
            metrics.RECEIVED.inc(len(data))
            kind = message_kind(data)
            if kind == "rerun_script" and self._asked is None:
                self._asked = time.perf_counter()
            if kind in ALLOWED_MESSAGES or kind is None:
                return message
            metrics.TURNED_AWAY.labels("message").inc()

    async def send(self, message: Message) -> None:
        """Pass a message on; at the end of a page's run record how long it took."""
        data = message.get("bytes") or b""
        metrics.SENT.inc(len(data))
        await self._send(message)
        if self._asked is not None and 0 < len(data) < SMALL_MESSAGE_BYTES and is_run_end(data):
            metrics.RERUNS.observe(time.perf_counter() - self._asked)
            self._asked = None


def busy_page() -> HTMLResponse:
    """A page that says the server is full, and reloads itself."""
    patience = "The class is full just now. This page tries again by itself, every few seconds."
    return HTMLResponse(
        html_page("No room for the moment", f"<p>{escape(patience)}</p>", again=RETRY_SECONDS),
        status_code=503,
        headers={"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"},
    )


def missing_page() -> HTMLResponse:
    """A page that says that there is no page at this address, and leads Home."""
    body = '<p>There is no page at this address.</p><p><a href="/">All pages</a></p>'
    return HTMLResponse(html_page("No such page", body), status_code=404)


def text_response(text: str, status: int) -> PlainTextResponse:
    """A refusal as one line of text."""
    return PlainTextResponse(text, status_code=status)


def html_page(title: str, body: str, *, again: int | None = None) -> str:
    """A page of plain HTML in the colours of the reader's system; `body` is HTML."""
    refresh = f'<meta http-equiv="refresh" content="{again}">' if again else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" '
        f'content="light dark">{refresh}<style>{PLAIN_STYLE}</style>'
        f"<title>{escape(title)} · Language Models, Live</title>"
        "</head><body><main><h1>Language Models, Live</h1>"
        f"<h2>{escape(title)}</h2>{body}</main></body></html>"
    )


def _from_elsewhere(scope: Scope) -> bool:
    """Whether a page of another site requests a change."""
    if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
        return False
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


def _leads_nowhere(path: str) -> bool:
    """Whether this address is neither Home nor a page that is built, nor a file or service.

    Streamlit would answer with a page that stays blank, as it requests its files relative to this
    address.
    """
    parts = path.strip("/").split("/")
    slugs = {page.slug for page in contents.PAGES if page.built} | LISTS
    service = parts[0] in SERVICES | PROBES or "." in parts[-1]
    return path.strip("/") != "" and not service and (len(parts) > 1 or parts[0] not in slugs)


def wants_a_page(scope: Scope) -> bool:
    """Whether a browser asks for a page to show."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    wanted: Iterable[str] = Headers(scope=scope).getlist("accept")
    return any("text/html" in each for each in wanted)
