"""Opens slides before they are shown, so that what they compute is there when they come.

While a slide is presented, the next two are opened; *Warm up* opens a whole lecture. A slide is
opened as a visitor would open it, at each of its beats, in a session that no browser sees. One
slide is opened at a time, and none twice within an hour: its results are for all visitors.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from ui.lectures.catalogue import lectures
from ui.lectures.decks import Slide
from ui.streamlit_internals.unseen_session import open_unseen

LOG = logging.getLogger(__name__)
AHEAD = 2
"""The number of slides that are opened while the one before them is presented."""
KEPT_SECONDS = 3600.0
"""The time for which a slide counts as opened; later its results may have made room for others."""
MOST_SECONDS = 180.0
"""The time after which a slide that has not opened is left."""


class Progress(NamedTuple):
    """How many slides of a lecture have been opened, of how many, and whether more are to come."""

    opened: int
    slides: int
    runs: bool


class Rehearsals:
    """The slides that have been opened, and those that wait; `open_page` opens an address."""

    def __init__(self, open_page: Callable[[str, str], Awaitable[None]] = open_unseen) -> None:
        self._open_page = open_page
        self._lock = threading.Lock()
        self._waiting: list[Slide] = []
        self._opened = dict[str, float]()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ahead = False
        self._runs = False

    def begin(self, loop: asyncio.AbstractEventLoop, *, ahead: bool = True) -> None:
        """Open slides on this event loop, the server's; before, nothing is opened.

        Unless `ahead`, only those that somebody asks for with *Warm up*.
        """
        self._loop, self._ahead = loop, ahead

    def ahead(self, slide: Slide) -> None:
        """Open the slides after this one before all others."""
        there = lectures().get(slide.deck)
        if there is None or not self._ahead:
            return
        after = [each for each in there.slides if each.page and each.number > slide.number]
        self._ask(after[:AHEAD], first=True)

    def warm_up(self, deck: str) -> None:
        """Open every slide of a lecture."""
        self._ask(_slides(deck), first=False)

    def stop(self, deck: str) -> None:
        """Open no further slide of a lecture."""
        with self._lock:
            self._waiting = [each for each in self._waiting if each.deck != deck]

    def progress(self, deck: str) -> Progress:
        """How far a lecture has been opened."""
        every = _slides(deck)
        with self._lock:
            opened = sum(self._is_open(each) for each in every)
            return Progress(opened, len(every), any(each.deck == deck for each in self._waiting))

    def _ask(self, slides: Sequence[Slide], *, first: bool) -> None:
        if self._loop is None:
            return
        with self._lock:
            new = [each for each in slides if not self._is_open(each)]
            rest = [each for each in self._waiting if each not in new]
            self._waiting = [*new, *rest] if first else [*rest, *new]
            if not self._waiting or self._runs:
                return
            self._runs = True
        asyncio.run_coroutine_threadsafe(self._open_waiting(), self._loop)

    def _is_open(self, slide: Slide) -> bool:
        at = self._opened.get(slide.shown())
        return at is not None and time.monotonic() - at < KEPT_SECONDS

    async def _open_waiting(self) -> None:
        try:
            while slide := self._next():
                await self._open(slide)
                with self._lock:
                    self._waiting = [each for each in self._waiting if each != slide]
                    self._opened[slide.shown()] = time.monotonic()
        finally:
            self._runs = False

    def _next(self) -> Slide | None:
        with self._lock:
            self._runs = bool(self._waiting)
            return self._waiting[0] if self._waiting else None

    async def _open(self, slide: Slide) -> None:
        for address in dict.fromkeys(slide.stops()):
            path = urlsplit(address)
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    await self._open_page(path.path.strip("/"), path.query)
            except TimeoutError:
                LOG.warning("slide %s of %s did not open ahead", slide.number, slide.deck)


def _slides(deck: str) -> list[Slide]:
    there = lectures().get(deck)
    return [each for each in there.slides if each.page] if there else []


REHEARSALS = Rehearsals()
"""Those of this server."""
