"""Sets the cookies of `ui.visitors`: a visitor's secret, and the control links that were opened.

The secret is set with every page, so that it lasts for as long as the visitor keeps coming back.
The cookies are sent with a link from elsewhere (SameSite=Lax): a class opens its pages from a
course's page or a chat, and would otherwise be a new visitor each time. Every change is a POST:
browsers do not send the cookies with a POST from elsewhere, and `ui.server.guard` refuses it as
well.

A control link is answered by a redirect to the same page without the token, so that the token is
neither in the address nor in the history of the browser.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui import visitors
from ui.server.guard import wants_a_page

WEEK = 7 * 86_400
"""Seconds for which a browser keeps the cookies: as long as a saved run is kept that nobody
views."""
CONTROL = "control"
"""The query parameter with the tokens of a control link."""


class VisitorCookies:
    """ASGI middleware that sets the cookies with every page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; the page that comes back sets the cookie."""
        if not wants_a_page(scope):
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if CONTROL in request.query_params:
            await _without_tokens(request)(scope, receive, send)
            return
        secret = _held(request, visitors.COOKIE)
        if not visitors.SECRET.fullmatch(secret):
            secret = visitors.new_secret()
        cookies = [_cookie(request, visitors.COOKIE, secret)]
        if links := _held(request, visitors.LINKS):
            cookies.append(_links(request, links))

        async def with_cookies(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in (200, 304):
                for each in cookies:
                    MutableHeaders(raw=message["headers"]).append("set-cookie", each)
            await send(message)

        await self.app(scope, receive, with_cookies)


def _without_tokens(request: Request) -> Response:
    """A redirect to the same page, with the tokens in a cookie."""
    asked = parse_qsl(request.url.query, keep_blank_values=True)
    given = [visitors.tokens(value) for name, value in asked if name == CONTROL]
    rest = urlencode([(name, value) for name, value in asked if name != CONTROL])
    # From the path alone, so that it leads to no other host, however the path begins.
    path = "/" + request.url.path.lstrip("/\\")
    answer = RedirectResponse(path + (f"?{rest}" if rest else ""), status_code=303)
    answer.headers["Cache-Control"] = "no-store"
    held = visitors.tokens(_held(request, visitors.LINKS))
    new = [token for each in given for token in each]
    kept = visitors.joined([*(token for token in held if token not in new), *new])
    answer.headers.append("set-cookie", _links(request, kept))
    return answer


def _held(request: Request, name: str) -> str:
    """The cookie that the browser has sent; over TLS, only one that was set over TLS."""
    return request.cookies.get(_full_name(request, name), "")


def _links(request: Request, text: str) -> str:
    return _cookie(request, visitors.LINKS, visitors.joined(visitors.tokens(text)))


def _cookie(request: Request, name: str, value: str) -> str:
    setter = Response()
    setter.set_cookie(
        _full_name(request, name),
        value,
        max_age=WEEK,
        path="/",
        httponly=True,
        samesite="lax",
        secure=_by_tls(request),
    )
    return setter.headers["set-cookie"]


def _full_name(request: Request, name: str) -> str:
    return visitors.OVER_TLS + name if _by_tls(request) else name


def _by_tls(request: Request) -> bool:
    return request.headers.get("x-forwarded-proto", request.url.scheme) == "https"
