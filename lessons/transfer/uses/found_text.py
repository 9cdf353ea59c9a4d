"""The sentence, the formula and the description of the passages that were found."""

from __future__ import annotations

from drawing.live import quoted
from lessons.transfer.uses.found_picture import Search

FORMULA = ["cos(q, p) = q·p / (‖q‖ ‖p‖)"]


def sentence(search: Search) -> str:
    """The cosine of the nearest passage, and whether the two ways agree, as a template."""
    if search.first is None:
        return "**No passage** shares a word with the question."
    shared = "shares {shared} of the question’s {words} words"
    if search.by_meaning is None:
        return f"Nearest **by shared words**: cosine =={{c 0 0}}==. It {shared}."
    return (
        f"Nearest **by meaning**: cosine =={{c 0 0}}==; it {shared}. Found both ways: {{both}} of "
        f"{len(search.by_meaning)}."
    )


def formula(search: Search) -> list[str]:
    """The cosine of the nearest passage."""
    if search.first is None:
        return FORMULA
    return [f"{FORMULA[0]} = [activation|**{{c 0 0}}**]", "no labels, no training"]


def describe(search: Search) -> str:
    """The alt text."""
    found = ". ".join(
        f"{name}: "
        + "; ".join(f"{hit.cosine:.3f} {quoted(search.texts[hit.place])}" for hit in hits)
        for name, _, hits in search.ways
    )
    return f"{quoted(search.question)} {found}"
