"""The sentence, the formula and the description of a line solved at once."""

from __future__ import annotations

from lessons.descent.solved_picture import MOST_STEPS, Solved
from lmcore.numbers import format_number

FORMULA = [
    "β* = (XᵀX)⁻¹ Xᵀy = **([weight|{s 0}], [weight|{s 1}])**",
    "after {step} steps: β = ({d 0}, {d 1}), {off} away",
]


def sentence(found: Solved) -> str:
    """What the closed form gives, and how long descent takes to come as near."""
    at = "**One computation** gives β = ({s 0}, {s 1})"
    if found.near is None:
        return f"{at}; descent is not within 10⁻⁶ of it after {MOST_STEPS:,} steps."
    return f"{at}; descent needs =={{near}} steps== to come within 10⁻⁶."


def describe(found: Solved, count: int) -> str:
    """The alt text, as a template."""
    arrives = "does not come within 10⁻⁶" if found.near is None else "is within 10⁻⁶ after {near}"
    return (
        f"{count} points with the line of the closed form, ŷ = {{s 0}} + {{s 1}} x, and that of "
        "descent after {step} steps, ŷ = {d 0} + {d 1} x. The matrices of the closed form: (XᵀX)⁻¹ "
        "= ({i 0}, {i 1}; {i 2}, {i 3}), Xᵀy = ({m 0}, {m 1}). A curve has the distance of each "
        f"step at η = {format_number(found.rate)}: descent {arrives} steps."
    )
