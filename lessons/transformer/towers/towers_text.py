"""The sentences, the formula and the description of the towers."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.transformer.towers.towers_state import Tower
from lmcore.transformer.parameters import Sizes

HEAVY_GROUND = 1 / 3
"""The share of its embeddings from which a tower's sentence speaks of them."""
TAILS = (
    "every floor is as heavy as there.",
    "a floor grows with d².",
    "a floor shrinks with d².",
    "{groundShare2} % of them are in its embeddings.",
    "one set of weights serves all floors.",
    "its E is {e2} wide, and a matrix {e2} × {d2} widens it.",
)
"""Why the second tower is as heavy as it is; the number @say chooses."""
SHARING, NARROW = 4, 5
NOTE = (
    "The area of a tower is its weights: it is d wide, so E, a row for each token, is V high. A "
    "window is a head, 64 wide; its weights are those of its columns of W^Q, W^K and W^V and of "
    "its rows of W^O. Biases and LayerNorms are in the areas. The line on top is the pooler. "
    "Dragging the wall adds heads of 64, and keeps the MLP four times as wide as d. With 30,000 "
    "tokens, as some slides count, BASE is 0.4 M lighter."
)


def tail_at(sizes: Sequence[Sizes], first: float, second: float) -> int:
    """The place of the tail for both towers’ sizes and the shares of their embeddings."""
    base, beside = sizes
    if beside.kind == "albert":
        return SHARING if beside.shared else NARROW
    if second > HEAVY_GROUND > first:
        return 3
    return 0 if beside.width == base.width else 1 if beside.width > base.width else 2


def sentences(towers: Sequence[Tower]) -> list[str]:
    """The findings; the number @say chooses among those of two towers."""
    if len(towers) == 1:
        return [
            f"**{towers[0].name}**: {{N1}} floors, =={{total1}}== M weights; {{mlpShare1}} % of "
            "them are in the MLPs."
        ]
    names = [each.name for each in towers]
    start = (
        f"**{names[1]}**: {{N2}} floors where {names[0]} has {{N1}}, and =={{ratio}}== times its "
        "weights: "
    )
    return [start + tail for tail in TAILS]


def moved(towers: Sequence[Tower]) -> str:
    """The sentence while a size is dragged."""
    k = len(towers)
    if k == 1:
        return f"**{towers[0].name}**, with another {{label}}: =={{total1}}== M weights."
    name, beside = towers[-1].name, towers[0].name
    return (
        f"**{name}**, with another {{label}}: {{total{k}}} M weights, =={{ratio}}== times those of "
        f"{beside}."
    )


def formula(towers: Sequence[Tower]) -> list[str]:
    """The total of each tower, and what a floor has."""
    sums = [
        f"{each.name}: [input|{{ground{k}}}] + {{stored{k}}} · {{floor{k}}} + {{roof{k}}} = "
        f"**{{total{k}}}** M"
        for k, each in enumerate(towers, start=1)
    ]
    return [*sums, "a floor: [weight|4d²] + [activation|8d²] + 13d"]


def describe(towers: Sequence[Tower]) -> str:
    """The alt text, as a template."""
    said = [
        f"{each.name}, {{d{k}}} wide: embeddings {{ground{k}}} million weights, {{N{k}}} floors of "
        f"{{floor{k}}} million with {{heads{k}}} heads each{_shared(each)}; together {{total{k}}} "
        "million."
        for k, each in enumerate(towers, start=1)
    ]
    return "Towers whose area is their weights. " + " ".join(said)


def _shared(tower: Tower) -> str:
    return ", which all have the same weights" if tower.sizes.shared else ""
