"""Views and lectures on paper: what the hand-out's page (handout.js) draws each view from.

The picture of a view is drawn by the page's own scripts from the page's own numbers. A question of
the page is asked below it, and the numbers that would give its answer away are question marks in
the picture. A view that is a table of steps has the picture too; any other view has its still.
"""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, TypedDict
from urllib.parse import parse_qsl, urlsplit

from cachetools import LRUCache

from lmcore.numbers import format_number
from lmcore.training.pool.copied import NO_RUNS, RunCopy
from ui import compute, contents, runs
from ui.lectures.decks import HOME, decks
from ui.lectures.opening import page_of, plain_path, run_page
from ui.questions import Question

SECONDS = 90.0
BYTES_OF_DECKS, BYTES_OF_VISITORS = 64_000_000, 16_000_000
"""The sizes of the two caches: views of the decks, and any others."""
LARGEST_KEPT = 4_000_000
"""The size in bytes up to which a view is cached."""
PICTURE = "Picture"
SHELL = frozenset({"library", "find", "slidelinks", "saver", "sliders", "keys", "lecture"})
"""Components around the picture, which are not printed."""
TABLES = frozenset({"steps", "table"})
ESCAPED = re.compile(r"\\(.)|\*\*|[*`]")


class Part(TypedDict):
    """A component of a page; one that is not shown holds data for those that are."""

    name: str
    data: str
    """What `drawing.live.pack` wrote, in Base64."""
    shown: bool


class PrintedQuestion(TypedDict):
    """A question without its answer, and the answer."""

    ask: str
    options: Sequence[str]
    hides: Sequence[str]
    answer: str
    because: str


class PrintedView(TypedDict):
    """A view on paper."""

    page: str
    see: str
    """The view shown instead of the picture; empty for the picture."""
    still: str
    """The name of its small picture, if it is shown instead of the picture."""
    parts: Sequence[Part]
    questions: Sequence[PrintedQuestion]


def printed_view(path: str) -> PrintedView:
    """The view of an address, which is then cached.

    Raises:
        ValueError: if it is not a page of this app, or its page reports an error or takes too long.
    """
    path = plain_path(path)
    page_of(path)
    look = compute.TimeLimit(
        SECONDS, f"a view must be computed within {SECONDS:g} s; this one was not"
    )
    copies = runs.copies_for(path)
    made = compute.call_in_process(partial(read_view, path, copies), look)
    size = sum(len(part["data"]) for part in made["parts"]) + len(path)
    if size <= LARGEST_KEPT and not copies:
        with _lock:
            _cache(path)[path] = made, size
    return made


def remembered_view(path: str) -> PrintedView | None:
    """The view of an address, if it is cached."""
    path = plain_path(path)
    with _lock:
        found = _cache(path).get(path)
    return found[0] if found else None


_Cache = LRUCache[str, tuple[PrintedView, int]]


def _bounded(most: int) -> _Cache:
    """A cache of that many bytes; each entry has its size."""
    return LRUCache(most, getsizeof=lambda entry: entry[1])


# Two caches: visitors' own views do not evict the slides, which a class prints.
_of_decks, _of_visitors = _bounded(BYTES_OF_DECKS), _bounded(BYTES_OF_VISITORS)
_lock = threading.Lock()


def _cache(path: str) -> _Cache:
    return _of_decks if path in stills() else _of_visitors


def read_view(path: str, copies: Mapping[str, RunCopy] = NO_RUNS) -> PrintedView:
    """The view of an address, with copies of its runs; to be run in a process of its own.

    Raises:
        ValueError: if it is not a page of this app.
    """
    slug = page_of(path)
    app = run_page(path, copies)
    see = str(app.session_state["see"]) if "see" in app.session_state else ""
    if slug == HOME:
        see = dict(parse_qsl(urlsplit(path).query)).get("see", "")
    see = "" if see == PICTURE else see
    components = [getattr(each, "proto") for each in app.get("bidi_component")]  # noqa: B009
    tables = any(_name(each) in TABLES for each in components)
    still = stills().get(path, "") if see and not tables else ""
    asked: Sequence[Question] = ()
    if "questions" in app.session_state and not see:
        asked = app.session_state["questions"]
    return {
        "page": "Home" if slug == HOME else contents.page(slug).title,
        "see": see,
        "still": still,
        "parts": [] if still else _parts(components),
        "questions": [_printed(each) for each in asked],
    }


def _parts(components: Sequence[Any]) -> Sequence[Part]:
    """What the picture needs, the picture, and the tables below it."""
    wanted = [each for each in components if each.bytes and _name(each) not in SHELL]
    main = next((i for i, each in enumerate(wanted) if _is_main(each.bytes)), -1)
    tables = [each for each in wanted[main + 1 :] if _name(each) in TABLES]
    return [
        {
            "name": _name(each),
            "data": base64.b64encode(each.bytes).decode(),
            "shown": i >= main,
        }
        for i, each in enumerate((*wanted[: main + 1], *tables))
    ]


def _name(component: Any) -> str:
    return str(component.component_name).removeprefix("lml_")


def _is_main(data: bytes) -> bool:
    """Whether it is a main picture, which alone has sentences."""
    length = int.from_bytes(data[:4], "little")
    return "sentences" in json.loads(data[4 : 4 + length])


def _printed(question: Question) -> PrintedQuestion:
    answer = question.answer
    return {
        "ask": _plain_text(question.ask),
        "options": [_plain_text(each) for each in question.options],
        "hides": question.hides,
        "answer": _plain_text(answer) if isinstance(answer, str) else format_number(answer),
        "because": _plain_text(question.because),
    }


def _plain_text(markdown: str) -> str:
    return ESCAPED.sub(lambda found: found[1] or "", markdown)


@lru_cache(maxsize=1)
def stills() -> Mapping[str, str]:
    """Address → the name of the small picture, of all views of the decks."""
    return MappingProxyType(
        {
            plain_path(each.address()): each.still()
            for lecture in decks().values()
            for each in lecture.slides
            if each.page
        }
    )
