"""The route by which the replicas of a server ask each other for runs: POST /inside/runs.

It is closed at the proxy. Whoever calls it without the signature of a replica finds nothing, and
so does everybody where there are no other replicas.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lmcore.training.replicas import wire
from lmcore.training.replicas.pool import SharedPool
from ui import runs

THREADS = ThreadPoolExecutor(8, thread_name_prefix="for other replicas")
"""Answers wait for no thread of a visitor: those may wait for another replica themselves."""


async def answer(request: Request) -> Response:
    """The answer to another replica."""
    pool, body = runs.pool(), b""
    async for part in request.stream():
        body += part
        if len(body) > wire.LARGEST_CALL:
            return nothing()
    if not isinstance(pool, SharedPool):
        return nothing()
    signature = request.headers.get(wire.SIGNATURE, "")
    answers = asyncio.get_running_loop().run_in_executor(
        THREADS, wire.answer, pool.service, pool.signer, body, signature
    )
    try:
        said, signed = await answers
    except wire.NoReplica:
        return nothing()
    return Response(said, media_type="application/json", headers={wire.SIGNATURE: signed})


def nothing() -> Response:
    """What everybody else is answered."""
    return PlainTextResponse("Not Found", status_code=404)


ROUTES = (Route(wire.PATH, answer, methods=["POST"]),)
