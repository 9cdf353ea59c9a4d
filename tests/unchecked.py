"""Calls without run-time checks of types and shapes, which make them two to six times as long."""

from collections.abc import Iterator
from contextlib import contextmanager

from jaxtyping import config


@contextmanager
def without_checks() -> Iterator[None]:
    """For many thousands of calls of functions that other tests call with the checks."""
    before = config.jaxtyping_disable
    config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        config.update("jaxtyping_disable", before)
