"""Parameters of a test: a sample of them in `make test`, the others in `make walks` alone."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def sampled(every: Iterable[Any], sample: Collection[Any], *page: str) -> list[Any]:
    """All of `every`, those outside the sample marked as walks.

    `page` names the page of the walk, where no argument `slug` or `path` of the test does.
    """
    marks = pytest.mark.walk(*page, alone=True)
    return [
        each
        if each in sample
        else pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=marks)
        for each in every
    ]
