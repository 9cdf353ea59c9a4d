"""The sentences, the formula and the description of the two codes."""

from __future__ import annotations

from lessons.descent.demos_picture import PAIRS, TITLES, Demos
from lmcore.numbers import format_number

SAME = 1e-9
"""Below this, two results are the same but for rounding."""
FORMULA = [
    "β ← β − η ∂L/∂β",
    "after {epochs} epochs they differ by **{apart}**",
]


def sentences(found: Demos) -> list[str]:
    """Where both start, where both are, and where both end, in the order of @say."""
    same = bool(((found.beta[0] - found.beta[1]).abs() < SAME).all())
    at = "β = ({b 0 0}, {b 0 1})"
    if not same:
        apart = f"After {{epochs}} epochs tensors are at {at}, torch.nn {{apart}} away."
        return [apart, apart, apart]
    words = "torch.nn writes the same steps in other words"
    return [
        f"Both **start** at =={at}==: drag the epochs.",
        f"After {{epochs}} epochs **both are at** =={at}==: {words}.",
        f"**Both end at** =={at}== after {{epochs}} epochs: {words}.",
    ]


def describe(found: Demos) -> str:
    """The alt text, as a template."""
    pairs = "; ".join(f"{tensors} is {layers}" for tensors, layers in PAIRS)
    return (
        f"Two codes side by side, {TITLES[0]} and {TITLES[1]}, each with the line that it ends at "
        f"over {len(found.x)} points. The same in both: {pairs}. After {{epochs}} epochs at η = "
        f"{format_number(found.rate)} both have β = ({{b 0 0}}, {{b 0 1}}) and L = {{loss 0}}."
    )
