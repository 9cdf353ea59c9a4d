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
from ui import components, contents
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


class GoalsPayload(TypedDict):
    """All objectives."""

    objectives: Sequence[ObjectivePayload]


GOALS = Script("goals", GoalsPayload)


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
    data: GoalsPayload = {"objectives": [_payload(each) for each in contents.OBJECTIVES.values()]}
    components.draw(GOALS, data, key="goals-list")


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
