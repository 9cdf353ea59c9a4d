"""The slides of the lecture decks in their order, and the live view that serves each.

`assets/lectures/<deck>.toml` has one entry a slide; its deck is one of `contents.DECKS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import urlencode

from lmcore.checks import check_one_of
from ui import contents
from ui.lessons import lesson

HOME = "home"
"""The page of a slide that Home serves."""

SlideKind = Literal["live", "repeat", "title", "section", "agenda", "closing", "other"]


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide, and what opens for it: the example of a page, with one of its views.

    A `repeat` shows again what an earlier slide of the deck showed. The other kinds but `live`
    have nothing to show.
    """

    deck: str
    number: int
    heading: str
    kind: SlideKind = "live"
    builds: int = 1
    """Pages of the deck over which it grows."""
    page: str = ""
    preset: str = ""
    see: str = ""
    """The view, if it is not the one that the example opens on."""

    def settings(self) -> Mapping[str, str]:
        """The query parameters of what opens.

        Raises:
            ValueError: if its page has no such example.
        """
        if self.page in ("", HOME):
            return {}
        there = lesson(self.page)
        presets = {each.label: each for each in there.presets}
        check_one_of(f"the preset of slide {self.number} of {self.deck}", self.preset, presets)
        see = {"see": self.see} if self.see else {}
        return {**there.address(presets[self.preset]), **see}

    def address(self) -> str:
        """The path and query of what opens; empty if there is nothing to show.

        Raises:
            ValueError: as `settings`.
        """
        if not self.page:
            return ""
        path = "/" if self.page == HOME else f"/{self.page}"
        settings = self.settings()
        return f"{path}?{urlencode(settings)}" if settings else path


@lru_cache(maxsize=8)
def slides(deck: str) -> tuple[Slide, ...]:
    """The slides of a deck.

    Raises:
        ValueError: if there is no such deck.
    """
    check_one_of("the deck", deck, contents.DECKS)
    rows: list[dict[str, Any]] = contents.read_toml(f"lectures/{deck}.toml")["slide"]
    return tuple(Slide(deck, **row) for row in rows)


def slides_of_page(slug: str) -> dict[str, tuple[Slide, ...]]:
    """Deck → its slides that a page serves, repeats left out; decks without one are left out."""
    served = {
        deck: tuple(each for each in slides(deck) if each.page == slug and each.kind == "live")
        for deck in contents.DECKS
    }
    return {deck: found for deck, found in served.items() if found}
