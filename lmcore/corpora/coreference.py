"""Coreference in the microworld: the adjective after "because it was too" decides what *it* means.

the animal didn't cross the street because it was too tired   it = the animal
the animal didn't cross the street because it was too wide    it = the street
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lmcore.corpora import microworld_rules

LEAD = ("because", "it", "was", "too")
NOUNS_BY_ADJECTIVE = {
    **dict.fromkeys(microworld_rules.CREATURE_ADJECTIVES, microworld_rules.CREATURES),
    **dict.fromkeys(microworld_rules.WAY_ADJECTIVES, microworld_rules.WAYS),
    "big": microworld_rules.LOADS,
    "small": microworld_rules.HOLDERS,
}
"""Adjective → the nouns it may describe there."""


class Pronoun(NamedTuple):
    """Positions in a document: of *it*, of the deciding adjective, and of the antecedent."""

    it: int
    adjective: int
    noun: int


def resolve_pronoun(words: Sequence[str]) -> Pronoun | None:
    """The pronoun of a document, or None if it has no such pronoun."""
    if "because" not in words:
        return None
    because = list(words).index("because")
    adjective = because + len(LEAD)
    if tuple(words[because:adjective]) != LEAD or adjective >= len(words):
        return None
    nouns = NOUNS_BY_ADJECTIVE.get(words[adjective], ())
    nouns_before = [place for place in range(because) if words[place] in nouns]
    return Pronoun(because + 1, adjective, nouns_before[0]) if len(nouns_before) == 1 else None
