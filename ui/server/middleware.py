"""The middleware before the pages, in order, and the handling of errors in pages."""

from __future__ import annotations

import logging

from starlette.middleware import Middleware

from lmcore.configuration import Configuration
from ui.server import metrics
from ui.server.files import CompressedFiles
from ui.server.guard import Guard
from ui.server.page_styles import PageStyles
from ui.server.passcode import PasscodeMiddleware
from ui.server.visitors import VisitorCookies

LOG = logging.getLogger("lmlive")


def middleware_stack(said: Configuration) -> tuple[Middleware, ...]:
    """The middleware in order: passcode (if set), static files, guard, cookies, page styles."""
    passcode = said.passcode.get_secret_value()
    door = (Middleware(PasscodeMiddleware, passcode=passcode),) if passcode else ()
    inside = (
        Middleware(CompressedFiles),
        Middleware(Guard),
        Middleware(VisitorCookies),
        Middleware(PageStyles),
    )
    return (*door, *inside)


def record_fault(error: Exception) -> None:
    """Count a page's error and log its type and place; the visitor sees a short message."""
    metrics.ERRORS.labels(type(error).__name__).inc()
    LOG.error("a page failed", exc_info=error)
