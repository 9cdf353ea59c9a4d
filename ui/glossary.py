"""Terms that are explained where they occur: in the sentence above a picture, on hover."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from drawing.live import SLOT
from ui.contents import read_toml


@lru_cache(maxsize=1)
def glossary() -> Mapping[str, str]:
    """What each term means, by its name, in the order of assets/glossary.toml."""
    rows = read_toml("glossary.toml")["term"]
    return MappingProxyType({row["name"]: row["says"] for row in rows})


def terms() -> list[tuple[str, str, str]]:
    """Each term, what it means, and the page that shows it."""
    return [(row["name"], row["says"], row["page"]) for row in read_toml("glossary.toml")["term"]]


@lru_cache(maxsize=1)
def _spellings() -> dict[str, str]:
    rows = read_toml("glossary.toml")["term"]
    return {form: row["name"] for row in rows for form in (row["name"], *row.get("forms", ()))}


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_spellings(), key=len, reverse=True)
    # The braces of a number match first, so that nothing in them is a term. Neither is a name
    # beside a mark, in quotes, or inside a longer word.
    names = "|".join(map(re.escape, longest_first))
    return re.compile(rf"{SLOT.pattern}|(?<![\w{{|\\\[“-])(?P<term>{names})(?![\w}}|-])")


def explain_terms(template: str) -> str:
    """`template` with each term of the glossary marked, [term|…], the first time it occurs."""
    met: set[str] = set()

    def mark(found: re.Match[str]) -> str:
        form = found["term"]
        if form is None or _spellings()[form] in met:
            return found[0]
        met.add(_spellings()[form])
        return f"[term|{form}]"

    return _pattern().sub(mark, template)


def meaning(form: str) -> str:
    """What the term in this spelling means."""
    return glossary()[_spellings()[form]]


def terms_in(templates: list[str]) -> dict[str, str]:
    """The meaning of each term that is marked in these templates, by its spelling there."""
    marked = {form for text in templates for form in re.findall(r"\[term\|([^\]]*)\]", text)}
    return {form: meaning(form) for form in sorted(marked)}
