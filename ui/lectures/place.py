"""The place of a page in a lecture: `deck` and `slide` in its address, one small value.

A page that has a place shows links to the slides before and after it. In presenter mode the keys
go from the beats of a slide to the next slide, on whichever page that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import plotly.graph_objects as go
import streamlit as st

from drawing.payload import Script
from lmcore.checks import check_one_of
from ui import components
from ui.lectures.catalogue import lectures
from ui.lectures.decks import OWN, Lecture, Slide, read_beats
from ui.lectures.rehearsals import REHEARSALS
from ui.lessons import lesson
from ui.streamlit_internals.unseen_session import is_unseen
from ui.widgets import show_error


class Place(NamedTuple):
    """A slide of a lecture."""

    lecture: Lecture
    slide: Slide


class SlidePayload(TypedDict):
    """A slide in an overview: where it leads, and its small picture."""

    number: int
    heading: str
    view: str
    path: str
    """Empty where it has no view."""
    still: str
    part: bool
    """Whether its view shows only a part of it."""


class LecturePayload(TypedDict):
    """A lecture, its current slide, and the links to the slides before and after it."""

    title: str
    short: str
    index: str
    """The address of the lecture's index."""
    presenting: bool
    at: int
    heading: str
    notes: str
    says: Sequence[str]
    """The sentences of the slide's beats, in order."""
    onward: str
    """The next slide's address, in presenter mode if this one is; empty after the last."""
    back: str
    """The address of the slide before, at its last beat."""
    next: int
    """The number of the next slide that has a view; 0 after the last."""
    slides: Sequence[SlidePayload]
    hide: bool
    """Whether the controls are hidden."""
    own: bool
    """Whether it is the visitor's own lecture, of which the server has only the slide's number."""


LECTURE = Script("lecture", LecturePayload)
MOST_OWN = 500
"""The most slides of a visitor's own lecture."""


def read_place(deck: str | None, at: str | None) -> Place:
    """The place at slide `at` of the lecture `deck`.

    Raises:
        ValueError: if there is no such lecture or slide.
    """
    check_one_of("deck in the address", deck or "", lectures())
    there = lectures()[deck or ""]
    return Place(there, there.slide(read_number(at, len(there.slides), there.short)))


def read_number(at: str | None, most: int, of: str) -> int:
    """The number of a slide in the address.

    Raises:
        ValueError: if it is not a number from 1 to `most`.
    """
    number = int(at) if at and at.isdecimal() and at.isascii() and len(at) < 5 else 0
    if not 1 <= number <= most:
        given = (at or "")[:40]
        raise ValueError(
            f"the slide in the address must be one of {of}, from 1 to {most}; got {given!r}"
        )
    return number


def way_to(deck: str | None, at: str | None, *, presenting: bool) -> str:
    """The address of a slide's view; a slide that has none leads to the next one that has.

    Raises:
        ValueError: if there is no such lecture or slide, or none after it has a view.
    """
    there, slide = read_place(deck, at if at is not None else "1")
    served = slide if slide.page else there.onward(slide.number)
    if served is None:
        raise ValueError(
            f"slide {slide.number} of {there.short}, “{slide.heading}”, has no live view, and none "
            "follows it"
        )
    return served.shown() if presenting else served.link()


def is_asked() -> bool:
    """Whether the address names a lecture."""
    return "deck" in st.query_params


def current_place() -> Place | None:
    """The slide that the address names.

    None if it names none, an unknown one, or one of the visitor's own lecture.
    """
    if not is_asked() or st.query_params["deck"] == OWN:
        return None
    try:
        return read_place(st.query_params.get("deck"), st.query_params.get("slide"))
    except ValueError:
        return None


def is_part() -> bool:
    """Whether the page is a slide of a lecture."""
    return current_place() is not None or _own_slide() is not None


def _own_slide() -> int | None:
    if st.query_params.get("deck") != OWN:
        return None
    try:
        return read_number(st.query_params.get("slide"), MOST_OWN, "a lecture of your own")
    except ValueError:
        return None


def name_of_place() -> str:
    """The place in the address as text; empty outside a lecture."""
    return f"{st.query_params.get('deck', '')} {st.query_params.get('slide', '')}".strip()


def show_missing() -> None:
    """Report a place in the address that does not exist; the page is then in no lecture."""
    if not is_asked():
        return
    deck, at = st.query_params.get("deck"), st.query_params.get("slide")
    try:
        if deck == OWN:
            read_number(at, MOST_OWN, "a lecture of your own")
        else:
            read_place(deck, at)
    except ValueError as error:
        show_error(error)


def steps_of_slide(most: int) -> tuple[int, ...]:
    """The beats of the current slide, in order, of a page that has `most`; none outside a lecture.

    Those of the visitor's own lecture are in the address.
    """
    if _own_slide() is not None:
        return read_beats(st.query_params.get("beats", ""), most)
    place = current_place()
    return place.slide.beats if place else ()


def draw_place(*, presenting: bool) -> None:
    """Draw the current slide's place, heading and onward link; nothing outside a lecture."""
    place, own = current_place(), _own_slide()
    if place:
        data = _payload(place, presenting)
        if presenting and not is_unseen():
            REHEARSALS.ahead(place.slide)
    elif own:
        data = _own_payload(own, presenting)
    else:
        return
    components.draw(LECTURE, data, key="lecture")


def _payload(place: Place, presenting: bool) -> LecturePayload:
    there, here = place
    before, after = there.back(here.number), there.onward(here.number)
    return {
        "title": there.title,
        "short": there.short,
        "index": f"/lectures?deck={there.id}&at={here.number}",
        "presenting": presenting,
        "at": here.number,
        "heading": here.heading,
        "notes": here.notes,
        "says": [lesson(here.page).beats[beat - 1].say for beat in here.beats],
        "onward": _way(after, presenting),
        "back": _way(before, presenting, last=True),
        "next": after.number if after else 0,
        "slides": slide_payloads(there.slides),
        "hide": here.hide and presenting,
        "own": False,
    }


def _own_payload(at: int, presenting: bool) -> LecturePayload:
    """What the server has of a lecture that the browser keeps."""
    return {
        "title": "",
        "short": "My lecture",
        "index": f"/lectures?deck={OWN}",
        "presenting": presenting,
        "at": at,
        "heading": "",
        "notes": "",
        "says": [],
        "onward": "",
        "back": "",
        "next": 0,
        "slides": [],
        "hide": False,
        "own": True,
    }


def load_charts() -> None:
    """In a lecture let the browser load what draws charts, 4.6 MB, before a slide needs it."""
    if not is_part():
        return
    with st.container(key="ahead"):
        st.plotly_chart(go.Figure(), key="chart-ahead", config={"displayModeBar": False})


def _way(slide: Slide | None, presenting: bool, *, last: bool = False) -> str:
    if slide is None:
        return ""
    return slide.shown(last=last) if presenting else slide.link()


def slide_payloads(slides: Sequence[Slide]) -> list[SlidePayload]:
    """What an overview draws of each slide."""
    return [
        {
            "number": each.number,
            "heading": each.heading,
            "view": each.view(),
            "path": each.link(),
            "still": each.still(),
            "part": bool(each.missing),
        }
        for each in slides
    ]
