"""What stands before the pages, in order, and what becomes of a fault in one."""

from __future__ import annotations

import logging

from starlette.middleware import Middleware

from lmcore.configuration import Configuration
from ui.server import metrics
from ui.server.files import CompressedFiles
from ui.server.guard import Guard
from ui.server.passcode import PasscodeMiddleware

LOG = logging.getLogger("lmlive")


def middleware_stack(said: Configuration) -> tuple[Middleware, ...]:
    """The door, where a passcode is set, the files that all see alike, and the guard."""
    passcode = said.passcode.get_secret_value()
    door = (Middleware(PasscodeMiddleware, passcode=passcode),) if passcode else ()
    return (*door, Middleware(CompressedFiles), Middleware(Guard))


def record_fault(error: Exception) -> None:
    """Count a page's fault, and log its kind and place; the visitor sees that there was one."""
    metrics.ERRORS.labels(type(error).__name__).inc()
    LOG.error("a page failed", exc_info=error)
