"""Types and shapes are checked at run time, in the first calls of each function in each test.

Checking every call would take up to two thirds of a test's time. The later calls of a test have
arguments of the same types: the steps of a training run, the examples that hypothesis draws.
"""

from collections import Counter
from collections.abc import Callable
from functools import wraps
from types import CodeType, FunctionType
from typing import Any

import jaxtyping

FIRST = 3
"""The number of calls of a function that are checked in a test."""
calls: Counter[CodeType] = Counter()
"""The number of checked calls of each function in the current test."""
always_checked = jaxtyping.jaxtyped


def jaxtyped(*, typechecker: Any) -> Callable[[Any], Any]:
    """`jaxtyping.jaxtyped`, as its import hook calls it, but only the first calls are checked."""

    def decorate(given: Any) -> Any:
        if isinstance(given, FunctionType):
            return at_first(given, lambda: always_checked(given, typechecker=typechecker))
        unchecked = vars(given).get("__init__") if isinstance(given, type) else None
        checked = always_checked(given, typechecker=typechecker)
        if isinstance(unchecked, FunctionType) and checked.__init__ is not unchecked:
            init = checked.__init__
            checked.__init__ = at_first(unchecked, lambda: init)
        return checked

    return decorate


def at_first(unchecked: FunctionType, check: Callable[[], Any]) -> Any:
    """`unchecked`, whose first calls go to the function that `check` makes at the first of them."""
    code, checked = unchecked.__code__, None

    @wraps(unchecked)
    def call(*given: Any, **named: Any) -> Any:
        nonlocal checked
        if calls[code] >= FIRST:
            return unchecked(*given, **named)
        if checked is None:
            checked = check()
        found = checked(*given, **named)
        calls[code] += 1  # a call that fails is checked again: hypothesis repeats it
        return found

    return call
