"""The slides of the lecture decks in their order, and the live view that serves each.

`assets/lectures/<deck>.toml` has one entry a slide; its deck is one of `contents.DECKS`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from lmcore.checks import check_one_of
from ui import contents
from ui.assets import FOLDER
from ui.lessons import ControlSettings, lesson

HOME = "home"
"""The page of a slide that Home serves."""
STILLS = FOLDER / "lectures" / "stills"
"""The folder of the small pictures; `python -m benchmarks.lecture_stills` takes those that are
missing."""
THEMES = ("", "-dark")
"""The endings of their file names: the light theme and the dark one."""
OWN = "mine"
"""The deck of a lecture that the visitor's browser keeps."""
PLACE = ("deck", "slide", "beats", "present", "beat", "tour")
"""The parts of an address that are not settings."""
OPENING = "Opening"
"""The section of the slides before a deck's first section."""

SlideKind = Literal["live", "repeat", "title", "section", "agenda", "closing", "other"]


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide, and what opens for it: the example of a page, with one of its views.

    A `repeat` shows again what an earlier slide of the deck showed. Of the other kinds, only `live`
    has something to show.
    """

    deck: str
    number: int
    heading: str
    kind: SlideKind = "live"
    section: str = ""
    """The name of the section that begins with it, if that is not its heading."""
    page: str = ""
    preset: str = ""
    see: str = ""
    """The view, if it is not the one that the example opens on."""
    changes: tuple[tuple[str, str], ...] = ()
    """Settings in which its view and its beats differ from the example and the page's beats."""
    beats: tuple[int, ...] = ()
    """The beats of its page that belong to it, from 1; they come after the view itself."""
    missing: str = ""
    """What the slide has and the view lacks; empty if it lacks nothing."""
    notes: str = ""
    """What to do and to say, for the speaker."""
    path: str = ""
    """The address of its view, if that is not an example's."""
    hide: bool = False
    """Whether the controls are hidden while it is presented."""
    words: str = ""
    """Synonyms for the search: other names of what it shows, separated by commas."""

    def settings(self) -> Mapping[str, str]:
        """The query parameters of its view.

        Raises:
            ValueError: if its page has no such example.
        """
        if self.path:
            given = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
            return {name: value for name, value in given.items() if name not in PLACE}
        if self.page in ("", HOME):
            return {**({"see": self.see} if self.see else {}), **dict(self.changes)}
        there = lesson(self.page)
        presets = {each.label: each for each in there.presets}
        check_one_of(f"the preset of slide {self.number} of {self.deck}", self.preset, presets)
        see = {"see": self.see} if self.see else {}
        return there.differs({**presets[self.preset].settings, **see, **dict(self.changes)})

    def address(self, **more: str) -> str:
        """The path and query of its view, with `more` parameters; empty if there is none.

        Raises:
            ValueError: as `settings`.
        """
        return self._address({**self.settings(), **more}) if self.page else ""

    def link(self) -> str:
        """The address of its view as a slide of its lecture; empty if there is none."""
        return self.address(deck=self.deck, slide=str(self.number))

    def shown(self, *, last: bool = False) -> str:
        """Like `link`, in presenter mode: the view itself, or with `last` its last beat."""
        return self._stop(self.beats[-1] if last and self.beats else 0)

    def stops(self) -> list[str]:
        """The addresses of its stops in presenter mode: the view itself, then each of its beats."""
        return [self._stop(beat) for beat in (0, *self.beats)]

    def _stop(self, beat: int) -> str:
        how = {"deck": self.deck, "slide": str(self.number), "present": "1", "beat": str(beat)}
        if not beat:
            return self.address(**how)
        settings = lesson(self.page).differs(self.settings_of_beat(beat))
        return self._address({**settings, **how})

    def settings_of_beat(self, beat: int) -> ControlSettings:
        """Every setting of its page at that beat, from 1; its own beats keep its changes."""
        settings = lesson(self.page).beats[beat - 1].settings
        return {**settings, **dict(self.changes)} if beat in self.beats else settings

    def _address(self, parameters: Mapping[str, str]) -> str:
        return contents.path_of("" if self.page == HOME else self.page, parameters)

    def view(self) -> str:
        """The page of its view and what is shown there, in words; empty if there is none."""
        if not self.page:
            return ""
        if self.page == HOME:
            return f"Home · {self.settings().get('see', 'Next word')}"
        if self.path:
            return contents.page(self.page).short
        there = self.see or self._settings_of_preset().get("see", "Picture")
        what = self.preset if there == "Picture" else str(there)
        return f"{contents.page(self.page).short} · {what}"

    def still(self) -> str:
        """The name of the small picture of its view; empty if it has none, or none is there yet."""
        name = self.still_name()
        files = [STILLS / f"{name}{theme}.webp" for theme in THEMES]
        return name if name and all(each.is_file() for each in files) else ""

    def still_name(self) -> str:
        """What its small picture is called, there or not; empty if the slide has no view.

        It changes with the settings that differ from the page's defaults, each under its first
        name: neither a new setting nor one that is renamed changes it. A new default does not
        either: before a release, all pictures are taken again.
        """
        if not self.page or self.path:
            return ""
        whole: dict[str, Any] = {"see": self.see, **dict(self.changes)}
        if self.page != HOME:
            there = lesson(self.page)
            see = {"see": self.see} if self.see else {}
            first = {new: old for old, new in reversed([*there.renamed.items()])}
            differs = there.differs({**self._settings_of_preset(), **see, **dict(self.changes)})
            whole = {first.get(name, name): value for name, value in differs.items()}
        text = json.dumps(whole, sort_keys=True)
        return f"{self.page}-{hashlib.blake2b(text.encode(), digest_size=5).hexdigest()}"

    def _settings_of_preset(self) -> ControlSettings:
        return next(p for p in lesson(self.page).presets if p.label == self.preset).settings


def beats_of(path: str) -> tuple[int, ...]:
    """The beats that the address of a view names as its slide's own, `beats=2.4`."""
    parts = urlsplit(path)
    page = parts.path.removeprefix("/")
    asked = dict(parse_qsl(parts.query)).get("beats", "")
    if not asked or page not in {each.slug for each in contents.PAGES if each.built}:
        return ()
    return read_beats(asked, len(lesson(page).beats))


def read_beats(asked: str, most: int) -> tuple[int, ...]:
    """The numbers from 1 to `most` in a text such as `2.4`, in order; others are left out."""
    numbers = {int(part) for part in asked.split(".") if part.isdecimal() and len(part) < 4}
    return tuple(sorted(number for number in numbers if 1 <= number <= most))


class Section(NamedTuple):
    """Slides of a lecture that follow one another under one heading."""

    title: str
    slides: tuple[Slide, ...]


@dataclass(frozen=True, slots=True)
class Lecture:
    """Slides in their order; `by` names their author and when they were shown."""

    id: str
    title: str
    short: str
    by: str
    slides: tuple[Slide, ...]

    def slide(self, number: int) -> Slide:
        """The slide of that number.

        Raises:
            ValueError: if there is none.
        """
        if not 1 <= number <= len(self.slides):
            raise ValueError(
                f"a slide of {self.short} must be from 1 to {len(self.slides)}; got {number}"
            )
        return self.slides[number - 1]

    def onward(self, number: int) -> Slide | None:
        """The next slide that has a view."""
        return next((each for each in self.slides[number:] if each.page), None)

    def back(self, number: int) -> Slide | None:
        """The slide before it that has a view."""
        return next((each for each in reversed(self.slides[: number - 1]) if each.page), None)

    def sections(self) -> tuple[Section, ...]:
        """Its slides by section; a section begins with a slide that names it."""
        found: list[tuple[str, list[Slide]]] = [(OPENING, [])]
        for slide in self.slides:
            names_one = slide.kind == "section" or (slide.kind == "title" and slide.number > 1)
            if slide.section or names_one:
                found.append((slide.section or slide.heading, []))
            found[-1][1].append(slide)
        return tuple(Section(title, tuple(slides)) for title, slides in found if slides)


class Coverage(NamedTuple):
    """How many of some slides can be taught, and how many of those are served whole and in part."""

    taught: int
    whole: int
    part: int


def coverage(slides: Sequence[Slide]) -> Coverage:
    """How many of these slides are served; repeats are not counted."""
    taught = [each for each in slides if each.kind == "live"]
    served = [each for each in taught if each.page]
    part = sum(bool(each.missing) for each in served)
    return Coverage(len(taught), len(served) - part, part)


@lru_cache(maxsize=1)
def decks() -> Mapping[str, Lecture]:
    """The decks that come with the app."""
    return MappingProxyType({deck: _of_deck(contents.DECKS[deck]) for deck in contents.DECKS})


def _of_deck(deck: contents.Deck) -> Lecture:
    rows: list[dict[str, Any]] = contents.read_toml(f"lectures/{deck.id}.toml")["slide"]
    slides = tuple(Slide(deck.id, **row | _tuples(row)) for row in rows)
    return Lecture(deck.id, deck.title, deck.short, f"{deck.author}, {deck.date}", slides)


def _tuples(row: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    changes = row.get("changes", {}).items()
    return {"beats": tuple(row.get("beats", ())), "changes": tuple(changes)}


def slides_of_page(slug: str) -> dict[str, tuple[Slide, ...]]:
    """Deck → its slides that a page serves, repeats left out; decks without one are left out."""
    served = {
        deck: tuple(each for each in one.slides if each.page == slug and each.kind == "live")
        for deck, one in decks().items()
    }
    return {deck: found for deck, found in served.items() if found}
