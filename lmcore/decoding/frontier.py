"""The cost of a search without pruning, compared with beam search.

    without pruning   1 + k + k² + … + k^T prefixes held
    pruned to k       1 + k·(T − 1) prefixes expanded

for k children per prefix, T steps, and no text that ends.

Source: lecture "How to use an LM for Generation", `generateBeam`, and errata X42.
"""

from __future__ import annotations

from typing import NamedTuple


class Frontier(NamedTuple):
    """Counts of prefixes."""

    held: int
    """Prefixes held without pruning."""
    expanded: int
    """Prefixes expanded by beam search."""


def frontier(width: int, steps: int) -> Frontier:
    """The counts for that width k and that many steps T.

    Raises:
        ValueError: if one of them is below 1.
    """
    if width < 1 or steps < 1:
        raise ValueError(
            f"the width and the number of steps must be 1 or more; got {width} and {steps}"
        )
    held = sum(width**n for n in range(steps + 1))
    return Frontier(held, 1 + width * (steps - 1))
