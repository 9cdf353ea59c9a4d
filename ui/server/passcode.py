"""Passcode middleware: a visitor who has typed the passcode gets a signed cookie for a day.

It is the outermost middleware, so that without the passcode nobody opens a session, a file or a
run. Guesses are slowed down, see `ui.server.passcode_limit`.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from html import escape
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, quote

import streamlit as st
from itsdangerous import BadSignature, TimestampSigner
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.server import metrics
from ui.server.guard import html_page
from ui.server.passcode_limit import Guesses

COOKIE = "lmlive-door"
TOO_MANY = "Too many people are logging in; try again in a moment."
DAY = 86_400
"""Seconds for which a cookie is valid."""
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/metrics", "/inside/runs", "/_stcore/health"})
"""Paths open without the passcode: health checks, and requests of other replicas."""
OPEN_FOLDER = "/static/"
"""All below it is open, too: Streamlit's own scripts."""
MAX_FORM_BYTES = 2_000
"""The maximum size of a form in bytes."""
WRONG_ANSWER_SECONDS = 1.0
"""Seconds before a wrong passcode is answered."""
FORM_SECONDS = 3600
"""Seconds for which the attempts of a form are counted by themselves."""


class PasscodeMiddleware:
    """ASGI middleware, the outermost one."""

    def __init__(self, app: ASGIApp, passcode: str) -> None:
        self.app = app
        self._passcode = passcode.encode()
        secret = f"{cookie_secret()} {hashlib.sha256(self._passcode).hexdigest()}"
        self._signer = TimestampSigner(secret, salt=COOKIE)
        self._forms = TimestampSigner(secret, salt="form")
        self._guesses = Guesses()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests with a valid cookie; show the passcode form to all others."""
        path = scope.get("path", "")
        if scope["type"] == "lifespan" or _is_open(path) or self._known(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            answer = await self._answer(Request(scope, receive))
            await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method == "POST" and request.url.path == "/door":
            return await self._typed(request)
        if "text/html" in request.headers.get("accept", ""):
            asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return self._form(asked)
        return PlainTextResponse("the passcode must be typed first", status_code=401)

    async def _typed(self, request: Request) -> Response:
        form = parse_qs((await _body(request)).decode("utf-8", "replace"))
        onward = local_path(form.get("next", ["/"])[0])
        asked = self._form_of(form.get("form", [""])[0])
        given = form.get("passcode", [""])[0].strip().encode()
        right = hmac.compare_digest(given, self._passcode)
        address = request.client.host if request.client else ""
        if not await self._guesses.turn(address, asked, right=right):
            metrics.TURNED_AWAY.labels("guesses").inc()
            return self._form(onward, asked, TOO_MANY, 429)
        if not right:
            metrics.TURNED_AWAY.labels("passcode").inc()
            await asyncio.sleep(WRONG_ANSWER_SECONDS)
            return self._form(onward, asked, "That is not the passcode.", 403)
        answer = RedirectResponse(onward, status_code=303)
        answer.set_cookie(
            COOKIE,
            self._signer.sign("in").decode(),
            max_age=DAY,
            httponly=True,
            samesite="lax",
            secure=request.headers.get("x-forwarded-proto", request.url.scheme) == "https",
        )
        return answer

    def _form_of(self, signed: str) -> str:
        """The number of a form that was shown here; empty if it was not, or too long ago."""
        try:
            return self._forms.unsign(signed, max_age=FORM_SECONDS).decode()
        except BadSignature:
            return ""

    def _form(
        self, onward: str, asked: str = "", wrong: str = "", status: int = 401
    ) -> HTMLResponse:
        """The form; one that is shown again keeps its number."""
        signed = self._forms.sign(asked or secrets.token_urlsafe(9)).decode()
        said = f'<p role="alert">{escape(wrong)}</p>' if wrong else ""
        body = (
            f'{said}<form method="post" action="/door">'
            f'<input type="hidden" name="next" value="{escape(local_path(onward))}">'
            f'<input type="hidden" name="form" value="{escape(signed)}">'
            '<label>Passcode <input name="passcode" type="password" autofocus required '
            'autocomplete="current-password"></label> <button>Enter</button></form>'
        )
        return HTMLResponse(
            html_page("Passcode of the class", body), status, headers={"Cache-Control": "no-store"}
        )

    def _known(self, scope: Scope) -> bool:
        for cookies in Headers(scope=scope).getlist("cookie"):
            if found := SimpleCookie(cookies).get(COOKIE):
                try:
                    self._signer.unsign(found.value, max_age=DAY)
                except BadSignature:
                    continue
                return True
        return False


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDER)


def cookie_secret() -> str:
    """The secret with which Streamlit signs cookies: that of `[auth]`, else of its server."""
    secret: str = st.get_option("server.cookieSecret")
    if st.secrets.load_if_toml_exists() and "auth" in st.secrets:
        secret = st.secrets["auth"].get("cookie_secret", secret)
    return secret


def local_path(asked: str) -> str:
    """The path of a requested address on this server; never another host."""
    if not asked.startswith("/") or asked.startswith(("//", "/\\")):
        return "/"
    return quote(asked, safe="/?&=%+,;:~!*'()-._")


async def _body(request: Request) -> bytes:
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MAX_FORM_BYTES:
            return b""
    return data
