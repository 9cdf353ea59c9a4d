"""Health and metrics routes for a proxy, an orchestrator and Prometheus.

GET /healthz   200 while the process answers
GET /readyz    200 once it accepts visitors, 503 before that and during shutdown
GET /metrics   what `ui.server.metrics` counts
"""

from __future__ import annotations

import logging

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ui.server.metrics import REGISTRY
from ui.server.selfcheck import Finding

LOG = logging.getLogger("lmlive")


class Readiness:
    """Whether the server accepts visitors, and what was missing at its start."""

    def __init__(self) -> None:
        self.open = False
        self.missing: tuple[Finding, ...] = ()

    def begin(self, missing: tuple[Finding, ...]) -> None:
        """Mark the server as ready."""
        self.open, self.missing = True, missing
        for each in missing:
            LOG.warning("missing: %s; %s", each.what, each.so)
        LOG.info("ready")

    def end(self) -> None:
        """Mark the server as shutting down."""
        self.open = False
        LOG.info("ending: runs are saved where a folder is set for them")


READY = Readiness()


async def healthz(_: Request) -> Response:
    """The liveness route: the process and its event loop respond."""
    return JSONResponse({"status": "ok"})


async def readyz(_: Request) -> Response:
    """The readiness route; missing parts are listed but do not affect the status."""
    missing = [{"what": each.what, "so": each.so} for each in READY.missing]
    said = {"status": "ready" if READY.open else "not ready", "missing": missing}
    return JSONResponse(said, status_code=200 if READY.open else 503)


def metrics(_: Request) -> Response:
    """The metrics route, in Prometheus's text format."""
    return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE_LATEST)


ROUTES = (Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics))
