"""The sentence, the formula and the description of the Transformer’s leads."""

from __future__ import annotations

from lessons.results.leads_picture import LANGUAGES, VERSIONS, Scores, other_version
from lmcore.numbers import format_number


def sentence(found: dict[str, Scores], version: str) -> str:
    """The leads into both languages, and the one into French by the other version."""
    other = other_version(version)
    lead, score = format_number(found["fr"].lead(other)), found["fr"].versions[other]
    return (
        "Into German the Transformer leads by {de} BLEU, into French by =={fr}==; with the "
        f"{score:.1f} of the {VERSIONS[other]} it is {lead}."
    )


def formula(found: dict[str, Scores], version: str) -> list[str]:
    """The differences."""
    parts = [
        f"{each.versions[version]:.1f} − {max(each.others.values()):.1f} = "
        f"**[activation|{{{key}}}]**"
        for key, each in found.items()
    ]
    return [*parts, "the two others into German: {apart} apart"]


def describe(found: dict[str, Scores], version: str) -> str:
    """The alt text, as a template."""
    rulers = (
        f"{LANGUAGES[key]}: "
        + ", ".join(f"{name} {score:.1f}" for name, score in each.others.items())
        + f", Transformer {each.versions[version]:.1f}"
        for key, each in found.items()
    )
    return f"Two rulers of BLEU on one scale. {'; '.join(rulers)}."
