"""Which systems no other system beats: at least as good in both numbers, and better in one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lmcore.results.tables import Better


def find_frontier(
    first: Sequence[float],
    second: Sequence[float],
    *,
    better_first: Better = "low",
    better_second: Better = "high",
) -> list[int]:
    """The places of the systems that no other system beats, the best in the first number first.

    A system with a missing number (nan) is left out. Of equal systems, all are included.

    Raises:
        ValueError: if there are not as many numbers of both.
    """
    if len(first) != len(second):
        raise ValueError(f"both must have as many numbers; got {len(first)} and {len(second)}")
    signs = (1 if better_first == "low" else -1, 1 if better_second == "low" else -1)
    costs = [(signs[0] * a, signs[1] * b) for a, b in zip(first, second, strict=True)]
    known = [i for i, pair in enumerate(costs) if not any(map(math.isnan, pair))]
    unbeaten = [i for i in known if not any(_beats(costs[j], costs[i]) for j in known)]
    return sorted(unbeaten, key=costs.__getitem__)


def _beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one != other and one[0] <= other[0] and one[1] <= other[1]
