"""The timeline as rivers: two histories that one network joins, and attention."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict

import numpy as np

from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from ui.contents import TIMELINE, EventKind, TimelineEvent

FIRST = 2003
"""The year that the timeline opens with."""
BOTH: EventKind = "both"
JOINS: Mapping[EventKind, str] = MappingProxyType(
    {
        "language models": "Bengio et al.",
        "vector semantics": "Bengio et al.",
        "attention": "Transformer",
    }
)
"""The label of the event at which a history joins the one that does both."""
NAMES = {BOTH: "both at once"}


class MarkPayload(TypedDict):
    """An event: its year, its label and its history."""

    year: int
    label: str
    kind: str


class RiverPayload(TypedDict):
    """A history: its kind, its name, and the place of the mark at which it joins another."""

    kind: str
    name: str
    joins: int | None


class RiversPayload(TypedDict):
    """All events in the order of their years, and the histories."""

    marks: Sequence[MarkPayload]
    rivers: Sequence[RiverPayload]


RIVERS = Script("rivers", RiversPayload, ("year", "@say"))


def event(label: str) -> TimelineEvent:
    """The event of a label."""
    return next(each for each in TIMELINE if each.label == label)


def years() -> list[int]:
    """The years of the events, each once."""
    return sorted({each.year for each in TIMELINE})


def events_of(year: float) -> list[TimelineEvent]:
    """The events of the latest year that has some, up to `year`."""
    latest = max((each for each in years() if each <= year), default=years()[0])
    return [each for each in TIMELINE if each.year == latest]


def numbers(year: float) -> LiveNumbers:
    """The year, and which sentence is said, at each position of the slider."""
    every = years()
    here = events_of(year)[0].year
    rows = np.array([[each, i] for i, each in enumerate(every)], dtype=float)
    slider = Slider(
        "year",
        "year",
        "year",
        float(here),
        np.array(every, dtype=float),
        help="The events of a year, and what they began",
    )
    return LiveNumbers("rivers", ("year", "@say"), rows[every.index(here)], (slider,), [rows])


def picture() -> RiversPayload:
    """The data of `lessons/home/rivers.js` other than the numbers.

    Events of one year and one history are one mark.
    """
    marks = dict[tuple[int, EventKind], list[str]]()
    for each in TIMELINE:
        marks.setdefault((each.year, each.kind), []).append(each.label)
    places = [(event(label).year, event(label).kind) for label in JOINS.values()]
    joins = dict(zip(JOINS, (list(marks).index(place) for place in places), strict=True))
    return {
        "marks": [
            {"year": year, "label": ", ".join(labels), "kind": kind}
            for (year, kind), labels in marks.items()
        ],
        "rivers": [
            {"kind": kind, "name": NAMES.get(kind, kind), "joins": joins.get(kind)}
            for kind in dict.fromkeys(each.kind for each in TIMELINE)
        ],
    }


def sentences() -> list[str]:
    """What is said of each year that has events."""
    return [_sentence(year) for year in years()]


def _sentence(year: int) -> str:
    first = events_of(year)[0]
    said: dict[str, Callable[[], str]] = {"Bengio et al.": _both_join, "Transformer": _attention}
    if first.label in said:
        return said[first.label]()
    return f"**{first.label}** =={year}==: {first.text.replace('*', '')}"


def _both_join() -> str:
    year = event("Bengio et al.").year
    return (
        f"Predicting and embedding have two histories; from =={year}== **one network does both.**"
    )


def _attention() -> str:
    joins = event(JOINS["attention"]).year
    began = min(each.year for each in TIMELINE if each.kind == "attention")
    return f"**Attention,** since {began} a part of networks that translate, joins in =={joins}==."


def describe(year: float) -> str:
    """The text alternative."""
    here = " and ".join(each.label for each in events_of(year))
    histories = {each.kind: 0 for each in TIMELINE}
    for each in TIMELINE:
        histories[each.kind] += 1
    counted = ", ".join(f"{kind}: {count}" for kind, count in histories.items())
    return (
        f"{len(TIMELINE)} events from {TIMELINE[0].label} {TIMELINE[0].year} to "
        f"{TIMELINE[-1].label} {TIMELINE[-1].year} ({counted}). Language models and vector "
        f"semantics flow together in {event('Bengio et al.').year}. Chosen: {here} "
        f"{events_of(year)[0].year}."
    )
