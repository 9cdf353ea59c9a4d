"""Logs as one line of JSON per entry, with the session and without any visitor's text.

An exception's own text may hold what a visitor typed, as every refusal names the value it got. So
the log has only an exception's type and where it was raised.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any

from pythonjsonlogger.json import JsonFormatter

from ui.streamlit_internals.script_context import session_id

FIELDS = "{levelname}{name}{message}"
NAMES = {"levelname": "level", "name": "from", "message": "said"}


def log_as_json() -> None:
    """Send the logs of all loggers to standard error as JSON."""
    logging.setLogRecordFactory(discreet_record_factory(logging.getLogRecordFactory()))
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(FIELDS, style="{", timestamp="at", rename_fields=NAMES))
    logging.getLogger("lmlive").setLevel(logging.INFO)
    logging.getLogger().handlers = [handler]
    # Streamlit gives each logger a handler of its own, when it is made and again later, and uvicorn
    # adds some. All records go to this handler only.
    logging.Logger.callHandlers = _to_the_root  # type: ignore[method-assign]


def _to_the_root(self: logging.Logger, record: logging.LogRecord) -> None:
    for handler in logging.getLogger().handlers:
        if record.levelno >= handler.level:
            handler.handle(record)


def discreet_record_factory(
    make: Callable[..., logging.LogRecord],
) -> Callable[..., logging.LogRecord]:
    """A record factory whose records name the session, and no exception's text."""

    def record(*given: Any, **more: Any) -> logging.LogRecord:
        made = make(*given, **more)
        made.session = _session()
        if isinstance(made.exc_info, tuple):
            made.exc_text = exception_summary(*made.exc_info)
            made.exc_info = None
        if isinstance(made.args, tuple):
            made.args = tuple(
                type(each).__name__ if isinstance(each, BaseException) else each
                for each in made.args
            )
        if isinstance(made.msg, BaseException):
            made.msg = type(made.msg).__name__
        return made

    return record


def exception_summary(
    kind: type[BaseException] | None, _: BaseException | None, trace: TracebackType | None
) -> str:
    """The exception's type and its innermost places, without the text of the lines."""
    if kind is None:
        return ""
    places = [f"{at.filename}:{at.lineno} in {at.name}" for at in traceback.extract_tb(trace)[-8:]]
    return " < ".join([kind.__name__, *reversed(places)])


def _session() -> str | None:
    session = session_id()
    return None if session is None else session[:8]
