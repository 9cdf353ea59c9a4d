"""What is held and what is expanded where nothing is ever pruned, and where beam search prunes.

    never pruned   1 + k + k² + … + k^T beginnings held
    pruned to k    1 + k·(T − 1) beginnings expanded

for k children of each beginning, T steps, and no text that ends.

Source: lecture "How to use an LM for Generation", `generateBeam`, and errata X42.
"""

from __future__ import annotations

from typing import NamedTuple


class Frontier(NamedTuple):
    """Counts of beginnings."""

    held: int
    """Without pruning."""
    expanded: int
    """By beam search."""


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
