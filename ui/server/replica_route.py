"""The route by which the replicas of a server ask each other for runs: POST /inside/runs.

It is closed at the proxy. A call without the signature of a replica gets 404, and so does every
call if there are no other replicas.
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
"""Threads of their own for answers: the visitors' threads may be waiting for another replica."""


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
    """The response to everybody else."""
    return PlainTextResponse("Not Found", status_code=404)


ROUTES = (Route(wire.PATH, answer, methods=["POST"]),)
