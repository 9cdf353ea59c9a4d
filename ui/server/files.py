"""Serves Streamlit's scripts and styles compressed, from memory.

Streamlit reads each of them for every visitor, and sends it uncompressed: 2.3 MB for a first page,
230 MB for a class of a hundred that opens it together. Compressed, a first page is 0.7 MB.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import threading
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.streamlit_internals.static_files import STATIC_FOLDER

KINDS = {".js": "text/javascript", ".css": "text/css"}
PATH_PATTERN = re.compile(r"/(static/(?:js|css)/[\w.-]+\.(?:js|css))")
MOST = 512
"""The most cached files; Streamlit has about two hundred, 8 MB in all when compressed."""
CACHE_CONTROL = "public, immutable, max-age=31536000"
"""As Streamlit sets it: a changed file has another name."""
_lock = threading.Lock()


class CompressedFiles:
    """ASGI middleware that serves static files, which need no session."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file to a client that accepts gzip; pass other requests on."""
        found = await _asked(scope)
        await (self.app if found is None else found)(scope, receive, send)


async def _asked(scope: Scope) -> Response | None:
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    name = PATH_PATTERN.fullmatch(scope["path"])
    head = Headers(scope=scope)
    if name is None or "range" in head or "gzip" not in head.get("accept-encoding", ""):
        return None
    body = await asyncio.to_thread(compressed_file, name[1])
    if body is None:
        return None
    said = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding", "Cache-Control": CACHE_CONTROL}
    return Response(body, headers=said, media_type=KINDS[Path(name[1]).suffix])


def compressed_file(name: str) -> bytes | None:
    """The file of that name below `STATIC_FOLDER`, compressed; None if there is none."""
    file = STATIC_FOLDER / name
    if not file.is_file():
        return None
    with _lock:  # of simultaneous requests for a new one, the first compresses it
        return _packed(file)


@lru_cache(maxsize=MOST)
def _packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), 6, mtime=0)
