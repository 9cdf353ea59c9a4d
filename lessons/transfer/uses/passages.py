"""The passages of the course’s pages: promises, presets, beats and the glossary."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ui import contents, glossary
from ui.lessons import lesson

MARKS = re.compile(r"\*\*|==|[*$`\\]")


class Passage(NamedTuple):
    """A sentence or two of a page, with its slug (empty for the glossary) and a heading."""

    slug: str
    heading: str
    text: str


@lru_cache(maxsize=1)
def passages() -> tuple[Passage, ...]:
    """All passages, page by page."""
    found = list[Passage]()
    for page in contents.PAGES:
        if not page.built:
            continue
        its = lesson(page.slug)
        found.append(Passage(page.slug, page.title, f"{page.title}. {page.promise}"))
        found += [
            Passage(page.slug, each.label, f"{page.short}: {each.label}: {each.help}")
            for each in its.presets
        ]
        found += [Passage(page.slug, page.short, f"{page.short}: {each.say}") for each in its.beats]
    for form, meaning in glossary.glossary().items():
        found.append(Passage("", form, f"{form}: {meaning}"))
    return tuple(each._replace(text=MARKS.sub("", each.text)) for each in found)
