"""The contents of the app in order: pages, objectives, decks, errata and the timeline.

One table serves links, titles, previous and next, Home and the tests: the three TOML files in
`assets/`, read once at import. Streamlit is not needed to read it. `tests/test_contents.py`, not
the loader, checks that every reference in it resolves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias
from urllib.parse import urlencode

from lmcore.checks import check_one_of

ROOT = Path(__file__).resolve().parent.parent

ErratumKind: TypeAlias = Literal["wrong", "imprecise", "lost picture"]
EventKind: TypeAlias = Literal["language models", "vector semantics", "both", "attention"]


@dataclass(frozen=True, slots=True)
class Deck:
    """A lecture deck; `short` is its name in a citation."""

    id: str
    title: str
    author: str
    date: str
    short: str


@dataclass(frozen=True, slots=True)
class Objective:
    """A learning objective; `source` is "deck" or "app", depending on which of them defines it."""

    id: str
    text: str
    source: Literal["deck", "app"]


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its place, its promise, its objectives and its prerequisites.

    `number` is its place in the table, from 1; `short` its title in a list, in a word or two.
    `part` and `errata` hold ids, `needs` the slugs of pages to read first. `star` numbers the seven
    pages of a short course; it is None for the others.
    """

    number: int
    slug: str
    title: str
    short: str
    promise: str
    part: str
    icon: str
    objectives: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    star: int | None = None

    @property
    def script(self) -> str:
        """The page's file, as Streamlit links to it."""
        return f"pages/{self.slug}.py"

    @property
    def built(self) -> bool:
        """Whether the page's file is there."""
        return (ROOT / self.script).is_file()


@dataclass(frozen=True, slots=True)
class Erratum:
    """An error, an imprecision or a lost picture of a slide, with the correction.

    The texts are Markdown with LaTeX. `heading` joins several slides' headings by
    " · "; `note` says how the correction was checked.
    """

    id: str
    kind: ErratumKind
    decks: tuple[str, ...]
    heading: str
    says: str
    correct: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """A mark on the timeline; `printed` says whether a deck gives the year or it was looked up.

    `page` is the slug of the page that runs a small version of it, built or not.
    """

    year: int
    label: str
    kind: EventKind
    printed: bool
    page: str
    text: str


def read_toml(name: str) -> dict[str, Any]:
    """A table of assets/."""
    return tomllib.loads((ROOT / "assets" / name).read_text(encoding="utf-8"))


def _objective(row: dict[str, Any]) -> Objective:
    # `from` is a keyword of Python, so the field's name differs from the key.
    return Objective(id=row["id"], text=row["text"], source=row["from"])


def _page(number: int, row: dict[str, Any]) -> Page:
    lists = {key: tuple(row.get(key, ())) for key in ("objectives", "needs", "errata")}
    return Page(number=number, **{**row, **lists})


def _erratum(row: dict[str, Any]) -> Erratum:
    deck = row["deck"]
    decks = (deck,) if isinstance(deck, str) else tuple(deck)
    return Erratum(decks=decks, **{key: row[key] for key in row if key != "deck"})


_contents = read_toml("contents.toml")

DECKS: Mapping[str, Deck] = MappingProxyType({row["id"]: Deck(**row) for row in _contents["deck"]})
OBJECTIVES: Mapping[str, Objective] = MappingProxyType(
    {row["id"]: _objective(row) for row in _contents["objective"]}
)
PARTS: Mapping[str, str] = MappingProxyType({row["id"]: row["title"] for row in _contents["part"]})
PAGES: tuple[Page, ...] = tuple(starmap(_page, enumerate(_contents["page"], start=1)))
HOME_ERRATA: tuple[str, ...] = tuple(_contents["home"]["errata"])
ERRATA: Mapping[str, Erratum] = MappingProxyType(
    {row["id"]: _erratum(row) for row in read_toml("errata.toml")["erratum"]}
)
TIMELINE: tuple[TimelineEvent, ...] = tuple(
    TimelineEvent(**row) for row in read_toml("timeline.toml")["event"]
)


def page(slug: str) -> Page:
    """The page called `slug`.

    Raises:
        ValueError: if there is no such page.
    """
    for candidate in PAGES:
        if candidate.slug == slug:
            return candidate
    raise ValueError(
        f"slug must name a page, one of {', '.join(each.slug for each in PAGES)}; got {slug!r}"
    )


def path_of(slug: str, settings: Mapping[str, str]) -> str:
    """The path and query that open a page with these settings."""
    return f"/{slug}?{urlencode(settings)}" if settings else f"/{slug}"


def pages_serving(objective_id: str) -> tuple[Page, ...]:
    """The pages that serve an objective, in reading order, built or not.

    Raises:
        ValueError: if there is no such objective.
    """
    check_one_of("objective_id", objective_id, OBJECTIVES)
    return tuple(each for each in PAGES if objective_id in each.objectives)


def neighbours(slug: str) -> tuple[Page | None, Page | None]:
    """The built pages just before and just after `slug` in reading order, None at either end.

    Raises:
        ValueError: if there is no such page.
    """
    here = page(slug).number
    before = [each for each in PAGES if each.number < here and each.built]
    after = [each for each in PAGES if each.number > here and each.built]
    return (before[-1] if before else None, after[0] if after else None)
