"""Puts the styles of the desk into the page that Streamlit serves.

A style that arrives with the first rerun comes after the first paint: everything would move once.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from drawing.theme import page_colours
from ui import contents
from ui.assets import FOLDER

DESK = (FOLDER / "desk.css").read_text("utf-8")
DONE = ", ".join(
    f'html[data-done~="{page.slug}"] .st-key-path-{page.slug} a::after'
    for page in contents.PAGES
    if page.star
)
"""The pages of Home's path that this browser has stored as done (ui/browser/progress.js)."""
STYLE = (
    f"<style>{page_colours()}\n{DESK}\n"
    f'{DONE} {{ content: "✓" / "done"; font-weight: 700; }}</style>'
).encode()
BODY_END = b"</body>"
"""In the body, a style comes after those that Streamlit writes into the head, and outranks them."""


class PageStyles:
    """ASGI middleware that adds a style to every page that Streamlit serves."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a page that comes back has the style in its body."""
        if scope["type"] != "http" or "/live/" in scope["path"]:  # which have styles of their own
            await self.app(scope, receive, send)
            return
        began: Message | None = None
        body = b""

        async def styled(message: Message) -> None:
            nonlocal began, body
            if message["type"] == "http.response.start" and _is_page(message):
                began = message
            elif began is not None and message["type"] == "http.response.body":
                body += message.get("body", b"")
                if not message.get("more_body"):
                    body = body.replace(BODY_END, STYLE + BODY_END, 1)
                    headers = MutableHeaders(raw=began["headers"])
                    if "content-length" in headers:
                        headers["content-length"] = str(len(body))
                    await send(began)
                    await send({"type": "http.response.body", "body": body})
            else:
                await send(message)

        await self.app(_uncompressed(scope), receive, styled)


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    found = headers.get("content-type", "").startswith("text/html")
    return found and message["status"] == 200 and "content-encoding" not in headers


def _uncompressed(scope: Scope) -> Scope:
    """The request without its header for compression; scripts and styles are served before this."""
    if "text/html" not in Headers(scope=scope).get("accept", ""):
        return scope
    kept = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    return {**scope, "headers": kept}
