"""The index of a lecture: every slide with a small picture of its view, by section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from drawing.payload import Script
from ui import components
from ui.lectures.catalogue import lectures
from ui.lectures.decks import OWN, Lecture, Section, Slide, SlideKind, coverage, slides_of_page
from ui.lectures.files import lectures_of_folder
from ui.lectures.place import SlidePayload, read_place, slide_payloads
from ui.widgets import show_error

NOTHING: dict[SlideKind, str] = {
    "title": "title",
    "section": "section",
    "agenda": "agenda",
    "closing": "closing",
    "other": "nothing to show",
}
"""The text for a slide that has no view."""


class DeckPayload(TypedDict):
    """A lecture to choose."""

    short: str
    path: str
    chosen: bool


class CardPayload(SlidePayload):
    """A slide of the index; for one without a view, `nothing` says what it is."""

    nothing: str
    missing: str


class SectionPayload(TypedDict):
    """A section with its slides, and how many of those to teach are live."""

    title: str
    taught: int
    live: int
    slides: Sequence[CardPayload]


class IndexPayload(TypedDict):
    """The index of one lecture."""

    decks: Sequence[DeckPayload]
    deck: str
    title: str
    at: int
    """The slide that was open last; 0 if none was."""
    sections: Sequence[SectionPayload]


class OfPagePayload(TypedDict):
    """The slides of one lecture that a page serves."""

    short: str
    slides: Sequence[SlidePayload]


class SlideLinksPayload(TypedDict):
    """The slides that a page serves, by lecture."""

    lectures: Sequence[OfPagePayload]


class OwnPayload(TypedDict):
    """The page of a lecture that the browser keeps."""

    decks: Sequence[DeckPayload]


OWN_PAGE = Script("own", OwnPayload)
INDEX = Script("slides", IndexPayload)
LINKS = Script("slidelinks", SlideLinksPayload)


def read_index(deck: str | None, at: str | None) -> tuple[Lecture, int]:
    """The lecture of an index and the slide marked in it, 0 for none; without a deck the first.

    Raises:
        ValueError: if there is no such lecture or slide.
    """
    if deck is None and at is None:
        return next(iter(lectures().values())), 0
    there, slide = read_place(deck, at if at is not None else "1")
    return there, slide.number if at is not None else 0


def summary(there: Lecture) -> str:
    """Whose lecture it is, and how much of it is live."""
    found = coverage(there.slides)
    parts = [f"{found.whole} live"]
    if found.part:
        parts.append(f"{found.part} in part")
    if missing := found.taught - found.whole - found.part:
        parts.append(f"{missing} without a view")
    return f"{there.by}. Of {found.taught} slides to teach {', '.join(parts)}."


def draw_index(there: Lecture, at: int) -> None:
    """Draw the index of a lecture, with slide `at` marked."""
    data: IndexPayload = {
        "decks": _decks(there.id),
        "deck": there.id,
        "title": there.title,
        "at": at,
        "sections": [_section(each) for each in there.sections()],
    }
    components.draw(INDEX, data, key="slides", height="stretch")


def report_refused() -> None:
    """Name the files of this server's folder that are not lectures, and what is wrong."""
    for refusal in lectures_of_folder().refused:
        show_error(ValueError(refusal))


def draw_own() -> None:
    """Draw the page of the lecture that the visitor's browser keeps."""
    data: OwnPayload = {"decks": _decks(OWN)}
    components.draw(OWN_PAGE, data, key="slides", height="stretch")


def _decks(chosen: str) -> list[DeckPayload]:
    names = {each.id: each.short for each in lectures().values()} | {OWN: "My lecture"}
    return [
        {"short": short, "path": f"/lectures?deck={deck}", "chosen": deck == chosen}
        for deck, short in names.items()
    ]


def _section(section: Section) -> SectionPayload:
    found = coverage(section.slides)
    return {
        "title": section.title,
        "taught": found.taught,
        "live": found.whole + found.part,
        "slides": _cards(section.slides),
    }


def _cards(slides: Sequence[Slide]) -> list[CardPayload]:
    return [
        {**payload, "nothing": NOTHING.get(slide.kind, ""), "missing": slide.missing}
        for slide, payload in zip(slides, slide_payloads(slides), strict=True)
    ]


def draw_slides_of_page(slug: str) -> None:
    """Draw the slides that a page serves, each a link into its lecture."""
    data: SlideLinksPayload = {
        "lectures": [
            {"short": lectures()[deck].short, "slides": slide_payloads(slides)}
            for deck, slides in slides_of_page(slug).items()
        ]
    }
    components.draw(LINKS, data, key="slide-links")
