"""The sentences, the formulas and the description of the eight fans."""

from __future__ import annotations

from lessons.contextual.fans_picture import Fans
from lmcore.contextual.persons import WORDS

CLOSED = 1
"""Degrees up to which two angles count as equal; the printed ones are rounded."""


def sentences(found: Fans) -> list[str]:
    """The finding of each layer."""
    return [_finding(found, layer) for layer in range(len(found.same))]


def _finding(found: Fans, layer: int) -> str:
    order, angles = found.order(), found.angles()[layer]
    if float(angles.max()) < CLOSED:
        widest = order[0]
        return (
            f"Layer **{{layer}}**: whoever speaks, a word is **one direction**; “{WORDS[widest]}” "
            "opens to =={angle 0}°==."
        )
    widest, least = int(angles.argmax()), int(angles.argmin())
    high, low = order.index(widest), order.index(least)
    begins = f"Layer **{{layer}}**: “{WORDS[widest]}” opens to =={{angle {high}}}°==, "
    ends = f"“{WORDS[least]}” to {{angle {low}}}°"
    same = float(found.same_angles()[layer, least])
    if float(angles[least]) <= same + CLOSED:
        return f"{begins}{ends}, no wider than two uses in one sense."
    return f"{begins}{ends}; two uses of it in one sense open to {{same angle {low}}}°."


def formulas(found: Fans) -> list[list[str]]:
    """The angle of the word that opens widest, in each layer."""
    return [_formula(found, layer) for layer in range(len(found.same))]


def _formula(found: Fans, layer: int) -> list[str]:
    widest = int(found.angles()[layer].argmax()) if layer else found.order()[0]
    n = found.order().index(widest)
    return [
        "angle = arccos(u·v / (‖u‖ ‖v‖))",
        f"{WORDS[widest]}: arccos({{cosine {n}}}) = **[score|{{angle {n}}}°]**",
        f"same sense: arccos({{same {n}}}) = {{same angle {n}}}°",
    ]


def describe(found: Fans, model: str) -> str:
    """The alt text, as a template."""
    said = "; ".join(
        f"{WORDS[word]} {{angle {n}}}°, in one sense {{same angle {n}}}°"
        for n, word in enumerate(found.order())
    )
    return (
        f"Eight fans: the angle between a word by Person A and the same word by Person B, by "
        f"{model} at layer {{layer}}. {said}."
    )
