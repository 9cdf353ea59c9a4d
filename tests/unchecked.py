"""Calls without run-time checks of types and shapes, which make them two to six times as long."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import count

from jaxtyping import config

CHECKED = 3
"""Of the examples that hypothesis draws for a test, so many are checked: their types are alike."""


@contextmanager
def without_checks() -> Iterator[None]:
    """For many thousands of calls of functions that other tests call with the checks."""
    before = config.jaxtyping_disable
    config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        config.update("jaxtyping_disable", before)


def first_examples_checked(test: Callable[..., object]) -> Callable[..., object]:
    """A test that hypothesis calls many times, without checks from its fourth example on."""
    calls = count(1)

    @wraps(test)
    def run(*given: object, **named: object) -> object:
        if next(calls) <= CHECKED:
            return test(*given, **named)
        with without_checks():
            return test(*given, **named)

    return run
