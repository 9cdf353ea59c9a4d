"""Parameters of a test: a sample of them in `make test`, the others only in `make walks`."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def sampled(every: Iterable[Any], sample: Collection[Any], *page: str) -> list[Any]:
    """All of `every`; the parameters outside the sample are marked as walks.

    `page` names the page of the walk, unless an argument `slug` or `path` of the test names it.
    """
    marks = pytest.mark.walk(*page, alone=True)
    return [
        each
        if each in sample
        else pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=marks)
        for each in every
    ]
