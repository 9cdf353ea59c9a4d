"""The sentences, the formula and the description of the picture of leakage."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lessons.masking.leakage_picture import CHANGE
from lmcore.masking.leakage import DEPTH, Leakage

LONGEST_QUOTED = 14
"""Characters of a token in a sentence."""


def sentences(tokens: Sequence[str], quote: Callable[[str], str]) -> list[str]:
    """The sentences about each changed token, in each of the variants, as templates."""
    found = list[str]()
    for token in tokens:
        cut = token if len(token) <= LONGEST_QUOTED else f"{token[: LONGEST_QUOTED - 1]}…"
        word = f"“{quote(cut)}”"
        found += [
            f"Change {word}: of {{ofBefore}} outputs before it, =={{before}}== move, in any of "
            f"{DEPTH} layers. From it on, **{{after}}** of {{ofAfter}} do.",
            f"The future leaks: change {word}, and =={{before}}== of {{ofBefore}} outputs before "
            "it move.",
            f"Change {word}, the first: through {DEPTH} layers, =={{after}}== of {{ofAfter}} "
            "outputs move.",
            f"No place looks at itself. Yet after {{ownLayer}} layers {word} moves its own "
            "prediction by =={own}==: it sees itself through the others.",
            f"{word} never reaches the place that must predict it, which moves by =={{own}}==.",
        ]
    return found


def formula(found: Leakage) -> list[str]:
    """How far a change can reach, layer by layer, as templates."""
    cells = found.moved.numel()
    wrong = int(((found.moved > 0) != found.reach).sum())
    return [
        "reachₗ = reachₗ₋₁ or mask · reachₗ₋₁",
        "outputs that move: " + " → ".join(f"{{n{depth}}}" for depth in range(1, DEPTH + 1)),
        f"paths and measurement agree in **{cells - wrong} of {cells}** cells",
    ]


def describe() -> str:
    """The alt text of the picture, as a template."""
    layers = ", ".join(f"after layer {n}: {{n{n}}}" for n in range(1, DEPTH + 1))
    return (
        f"A change of token {{{CHANGE}}} climbs through {DEPTH} layers along what the mask lets be "
        f"seen. Outputs that move, {layers}. Of {{ofBefore}} outputs before it move {{before}}, "
        "of {ofAfter} from it on {after}."
    )
