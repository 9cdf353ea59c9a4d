"""The objectives of the course, each with three questions about live numbers.

Only the browser stores which were answered right (ui/browser/progress.js).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TypedDict

from drawing.payload import Script
from ui import components, contents, guide
from ui.lectures.catalogue import lecture
from ui.lectures.decks import Slide
from ui.lectures.place import current_place
from ui.lessons import lesson


@dataclass(frozen=True, slots=True)
class Check:
    """A question of a page, opened on one of its examples."""

    objective: str
    page: str
    preset: str
    ask: str

    def path(self) -> str:
        """The address that opens the page with the question."""
        here = lesson(self.page)
        preset = next(each for each in here.presets if each.label == self.preset)
        return contents.path_of(self.page, {**here.address(preset), "ask": self.ask})


class CheckPayload(TypedDict):
    """A question to open; the browser stores its answer under `id`."""

    id: str
    path: str
    about: str


class PagePayload(TypedDict):
    """A page that serves an objective."""

    title: str
    path: str


class ObjectivePayload(TypedDict):
    """An objective, its questions and its pages."""

    id: str
    text: str
    checks: Sequence[CheckPayload]
    pages: Sequence[PagePayload]


class GoalSlidePayload(TypedDict):
    """An objective of a lecture, and the slide of that lecture that is about it."""

    id: str
    text: str
    path: str
    still: str


class GoalsPayload(TypedDict):
    """All objectives; on a slide of the deck that they come from, those of the deck as pictures."""

    objectives: Sequence[ObjectivePayload]
    slides: Sequence[GoalSlidePayload]


GOALS = Script("goals", GoalsPayload)
DECK = "cmu"
"""The deck whose objectives these are, but for those of the app itself."""


@lru_cache(maxsize=1)
def checks() -> Mapping[str, tuple[Check, ...]]:
    """The questions of each objective, the easiest first."""
    found = [Check(**row) for row in contents.read_toml("objectives.toml")["question"]]
    return MappingProxyType(
        {
            identity: tuple(each for each in found if each.objective == identity)
            for identity in contents.OBJECTIVES
        }
    )


def draw_goals() -> None:
    """Draw every objective, with the questions that were answered in this browser marked."""
    objectives = [_payload(each) for each in contents.OBJECTIVES.values()]
    place = current_place()
    pictured = place is not None and place.lecture.id == DECK and guide.presenting()
    data: GoalsPayload = {
        "objectives": objectives,
        "slides": [_slide_payload(each) for each in deck_slides()] if pictured else [],
    }
    components.draw(GOALS, data, key="goals-list")


def deck_slides() -> list[tuple[contents.Objective, Slide]]:
    """The objectives of the deck, each with the slide that is about it."""
    numbered = {each.number: each for each in lecture(DECK).slides}
    rows = contents.read_toml("objectives.toml")["slide"]
    return [(contents.OBJECTIVES[row["objective"]], numbered[row["number"]]) for row in rows]


def _slide_payload(found: tuple[contents.Objective, Slide]) -> GoalSlidePayload:
    objective, slide = found
    return {
        "id": objective.id,
        "text": objective.text,
        "path": f"{slide.link()}&present=1&beat=0",
        "still": slide.still(),
    }


def _payload(objective: contents.Objective) -> ObjectivePayload:
    pages = [page for page in contents.pages_serving(objective.id) if page.built]
    return {
        "id": objective.id,
        "text": objective.text,
        "checks": [
            {
                "id": f"{each.page}/{each.ask}",
                "path": each.path(),
                "about": f"{contents.page(each.page).short}: {each.preset}",
            }
            for each in checks()[objective.id]
        ],
        "pages": [{"title": page.short, "path": f"/{page.slug}"} for page in pages],
    }
