"""Where a page stands in a lecture: `deck` and `at` in its address, one small value.

A page that has a place shows the way to the slides before and after it. In presenter mode the keys
go from the beats of a slide to the next slide, on whichever page that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import plotly.graph_objects as go
import streamlit as st

from lessons.shared.payload import Script
from lmcore.checks import check_one_of
from ui import components
from ui.lectures.decks import Lecture, Slide, lectures
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
    """Whether its view shows a part of it only."""


class LecturePayload(TypedDict):
    """A lecture, where it stands, and the ways to the slides around."""

    title: str
    short: str
    index: str
    """The address of the lecture's index."""
    presenting: bool
    at: int
    heading: str
    notes: str
    onward: str
    """The next slide's address, in presenter mode if this one is; empty after the last."""
    back: str
    """The address of the slide before, at its last beat."""
    next: int
    """The number of the next slide that has a view; 0 after the last."""
    slides: Sequence[SlidePayload]


LECTURE = Script("lecture", LecturePayload)


def read_place(deck: str | None, at: str | None) -> Place:
    """The place of that name.

    Raises:
        ValueError: if there is no such lecture or slide.
    """
    check_one_of("deck in the address", deck or "", lectures())
    there = lectures()[deck or ""]
    number = int(at) if at and at.isdecimal() and at.isascii() and len(at) < 5 else None
    if number is None or not 1 <= number <= len(there.slides):
        raise ValueError(
            f"at in the address must be a slide of {there.short}, from 1 to {len(there.slides)}; "
            f"got {(at or '')[:40]!r}"
        )
    return Place(there, there.slide(number))


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
    """The place in the address; None if there is none, or none such."""
    if not is_asked():
        return None
    try:
        return read_place(st.query_params.get("deck"), st.query_params.get("at"))
    except ValueError:
        return None


def name_of_place() -> str:
    """The place in the address as text; empty outside a lecture."""
    return f"{st.query_params.get('deck', '')} {st.query_params.get('at', '')}".strip()


def show_missing() -> None:
    """Report a place in the address that is not there; the page is then part of no lecture."""
    if not is_asked():
        return
    try:
        read_place(st.query_params.get("deck"), st.query_params.get("at"))
    except ValueError as error:
        show_error(error)


def steps_of_slide() -> tuple[int, ...]:
    """The beats of the current slide, in order; empty outside a lecture."""
    place = current_place()
    return place.slide.beats if place else ()


def draw_place(*, presenting: bool) -> None:
    """The current slide's place and heading, and the way on; nothing outside a lecture."""
    place = current_place()
    if place is None:
        return
    there, here = place
    before, after = there.back(here.number), there.onward(here.number)
    data: LecturePayload = {
        "title": there.title,
        "short": there.short,
        "index": f"/lectures?deck={there.id}&at={here.number}",
        "presenting": presenting,
        "at": here.number,
        "heading": here.heading,
        "notes": here.notes,
        "onward": _way(after, presenting),
        "back": _way(before, presenting, last=True),
        "next": after.number if after else 0,
        "slides": slide_payloads(there.slides),
    }
    components.draw(LECTURE, data, key="lecture")
    if presenting:
        _load_charts()


def _load_charts() -> None:
    """Let the browser load what draws charts, 4.6 MB, before a slide needs it."""
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
