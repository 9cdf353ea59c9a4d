"""What is served beside the pages: links to slides, small pictures, the search, hand-outs.

    GET  /lecture?deck=…&at=…       leads to a slide's view, with present=1 in presenter mode
    POST /live/lecture.json         the lecture of a TOML file
    POST /live/match?name=…         the titles in a file of slides, and the views that fit each
    POST /live/notebook.json        a notebook of {title, slides: [{heading, path, notes}]}
    POST /live/printed.json         the view of {path} as the page to print draws it
    GET  /live/handout              the page to print; its opener sets what to show
    GET  /live/stills/NAME.webp     a small picture of a slide's view
    GET  /live/stills.json          their names by the addresses of the views
    GET  /live/find?words=…         what the search finds
    GET  /live/code.svg?of=…        a QR code of an address
    GET  /live/speaker              the speaker's window; the presenting page sets what it shows
    GET  /live/NAME.js              the script of the page to print or of the speaker's window

Nothing here belongs to a session. A failed request is answered with {"error": a sentence}.
"""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import segno
from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from drawing.theme import page_colours
from lmcore.checks import check_one_of
from lmcore.configuration import configuration
from ui import compute
from ui.components import script_library
from ui.lectures import finding, meanings, titles
from ui.lectures.catalogue import lecture
from ui.lectures.decks import STILLS
from ui.lectures.files import MOST_BYTES, read_bytes, read_error
from ui.lectures.handouts import printed_view, remembered_view, stills
from ui.lectures.notebooks import MOST_VIEWS, View, make_notebook
from ui.lectures.place import way_to
from ui.lectures.rehearsals import REHEARSALS

HERE = Path(__file__).parent
STILL = re.compile(r"[\w-]{1,60}")
FOR_A_YEAR = "public, immutable, max-age=31536000"
FOR_A_DAY = "public, max-age=86400"
MOST_STILLS = 600
LONGEST_CODE = 1200
"""The maximum length of an address in bytes: a larger code cannot be read from a screen."""


async def slide(request: Request) -> Response:
    """The way to a slide's view; for an unknown slide, to the index, which shows the error."""
    asked = request.query_params
    presenting = asked.get("present") == "1"
    try:
        path = way_to(asked.get("deck"), asked.get("at"), presenting=presenting)
    except ValueError:
        path = f"/lectures?{urlencode(asked)}"
    return RedirectResponse(path, headers={"Cache-Control": "no-store"})


class Turns:
    """At most `at_once` requests are served at a time and `waiting` wait; others are refused."""

    def __init__(self, at_once: int, waiting: int, of: str) -> None:
        self._free, self._most = asyncio.Semaphore(at_once), at_once + waiting
        self._here, self._of = 0, of

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn.

        Raises:
            ValueError: if too many wait already.
        """
        if self._here >= self._most:
            raise ValueError(f"the server has too many {self._of} just now; try again in a minute")
        self._here += 1
        try:
            async with self._free:
                yield
        finally:
            self._here -= 1


_reading = Turns(2, 40, "lectures to read")
_matching = Turns(2, 20, "slides to match")
_making = Turns(1, 20, "notebooks to make")
_printing = Turns(1, 40, "views to print")
READING_SECONDS = 15.0
"""The time limit for reading a TOML file."""
ARRIVAL_SECONDS = 60.0
"""The time limit for receiving the body of a request."""
ORDERS = {"begin": REHEARSALS.warm_up, "stop": REHEARSALS.stop}
"""What may be done with a lecture that is opened ahead."""
MOST_ORDER = 20
"""The maximum size of such an order in bytes."""
MOST_ASKED = 2_000_000
"""The maximum size of a request body in bytes: a lecture, or the views of a notebook."""


class ViewAsked(BaseModel):
    """A view of a notebook."""

    heading: str = Field(max_length=500)
    path: str = Field(max_length=400_000)
    notes: str = Field("", max_length=2000)


class NotebookAsked(BaseModel):
    """The views of a notebook."""

    title: str = Field(max_length=200)
    slides: list[ViewAsked] = Field(min_length=1, max_length=MOST_VIEWS)


class PrintAsked(BaseModel):
    """The view to print."""

    path: str = Field(max_length=400_000)


async def of_file(request: Request) -> Response:
    """The lecture of a TOML file in the body."""
    return await _answer(_lecture(request))


async def match(request: Request) -> Response:
    """The titles in a visitor's file, and the views that fit each best."""
    return await _answer(_matches(request))


async def notebook(request: Request) -> Response:
    """Views as a notebook."""
    return await _answer(_notebook(request))


async def printed(request: Request) -> Response:
    """A view for the page to print."""
    return await _answer(_printed(request))


async def warm(request: Request) -> Response:
    """How far a lecture has been opened ahead; with POST, "begin" or "stop" in the body."""
    return await _answer(_warm(request))


async def _answer(making: Awaitable[object]) -> Response:
    """The result as JSON; if making it fails, {"error": a sentence}."""
    try:
        return JSONResponse(await making)
    except ValidationError as error:
        return JSONResponse({"error": read_error(error)})
    except ValueError as error:
        return JSONResponse({"error": str(error)})


async def _lecture(request: Request) -> object:
    async with _reading.turn():
        body = await _body(request, MOST_BYTES)
        # In a process that can be ended: a TOML parser can need minutes for a small file.
        late = compute.TimeLimit(
            READING_SECONDS, f"must be read within {READING_SECONDS:g} s; it was not"
        )
        read = await asyncio.to_thread(compute.call_in_process, partial(read_bytes, body), late)
    return {"title": read.title, "slides": [each.model_dump() for each in read.slide]}


async def _matches(request: Request) -> object:
    async with _matching.turn():
        body = await _body(request, configuration().upload_mb * 2**20)
        return await asyncio.to_thread(_match, body, request.query_params.get("name", ""))


def _match(body: bytes, name: str) -> object:
    found = titles.read_titles(body, name)
    written = [title for title in found.titles if title]
    meaning = iter(meanings.cosines_of_all(written))
    rows = [_row(title, next(meaning) if title else None) for title in found.titles]
    hidden = f"{found.hidden} hidden slide{'s are' if found.hidden > 1 else ' is'} left out."
    return {"rows": rows, "said": hidden if found.hidden else ""}


def _row(title: str, meaning: np.ndarray | None) -> dict[str, object]:
    """A title, the views that are proposed for it, and whether the first one fits."""
    if not title:
        return {"title": "", "hits": [], "sure": False}
    hits = [hit for hit in finding.find(title, meaning) if hit.kind != "word"][:3]
    sure = bool(hits) and finding.fits(title, hits[0], meaning)
    return {"title": title, "hits": [_proposal(hit) for hit in hits], "sure": sure}


def _proposal(hit: finding.Hit) -> dict[str, object]:
    """A view that is proposed for a slide, with the notes and beats of the slide that it serves."""
    asked = dict(parse_qsl(urlsplit(hit.path).query))
    notes, beats = "", tuple[int, ...]()
    if hit.kind == "slide":
        slide = lecture(asked["deck"]).slide(int(asked["slide"]))
        notes, beats = slide.notes, slide.beats
    return {**hit._asdict(), "notes": notes, "beats": beats}


async def _notebook(request: Request) -> object:
    asked = NotebookAsked.model_validate_json(await _body(request, MOST_ASKED))
    async with _making.turn():
        views = [View(each.heading, each.path, each.notes) for each in asked.slides]
        return {"notebook": await asyncio.to_thread(make_notebook, asked.title, views)}


async def _printed(request: Request) -> object:
    path = PrintAsked.model_validate_json(await _body(request, MOST_ASKED)).path
    if found := remembered_view(path):
        return found
    async with _printing.turn():
        return await asyncio.to_thread(printed_view, path)


async def _warm(request: Request) -> object:
    deck = lecture(request.query_params.get("deck", "")).id
    if request.method == "POST":
        asked = (await _body(request, MOST_ORDER)).decode("ascii", "replace")
        check_one_of("what to do", asked, ORDERS)
        ORDERS[asked](deck)
    return REHEARSALS.progress(deck)._asdict()


async def _body(request: Request, most: int) -> bytes:
    """The body of a request.

    Raises:
        ValueError: if it is too long, or does not arrive in time.
    """
    parts, size = [], 0
    try:
        async with asyncio.timeout(ARRIVAL_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise ValueError(f"what is sent must have at most {most:,} bytes")
                parts.append(part)
    except TimeoutError:
        raise ValueError(f"what is sent must arrive within {ARRIVAL_SECONDS:g} s") from None
    return b"".join(parts)


async def still(request: Request) -> Response:
    """A small picture, cached for a day only, since it can be retaken under the same name."""
    name = request.path_params["name"]
    data = _still(name) if STILL.fullmatch(name) else None
    if data is None:
        return PlainTextResponse("there is no such picture", status_code=404)
    return Response(data, media_type="image/webp", headers={"Cache-Control": FOR_A_DAY})


async def all_stills(_: Request) -> Response:
    """The names of all small pictures by the address of their view."""
    return JSONResponse(dict(stills()))


@lru_cache(maxsize=MOST_STILLS)
def _still(name: str) -> bytes | None:
    file = STILLS / f"{name}.webp"
    return file.read_bytes() if file.is_file() else None


async def find(request: Request) -> Response:
    """What the search finds."""
    words = request.query_params.get("words", "")
    hits, said = await asyncio.to_thread(_find, words)
    return JSONResponse({"hits": [hit._asdict() for hit in hits], "said": said})


def _find(words: str) -> tuple[list[finding.Hit], str]:
    """The hits, and a sentence about them."""
    meaning = meanings.cosines_if_ready(words)
    hits = finding.find(words, meaning)
    if not hits:
        return hits, "Nothing fits. Try another word, or fewer."
    fits = finding.is_sure(words, meaning) or finding.is_sure(words, None)
    return hits, "" if fits else "Nothing has these words. The nearest in meaning:"


async def code(request: Request) -> Response:
    """A QR code of an address."""
    of = request.query_params.get("of", "")
    if not 0 < (size := len(of.encode())) <= LONGEST_CODE:
        return PlainTextResponse(
            f"of must have from 1 to {LONGEST_CODE} bytes; got {size}", status_code=400
        )
    return Response(await asyncio.to_thread(_code, of), media_type="image/svg+xml")


def _code(of: str) -> bytes:
    drawn = io.BytesIO()
    segno.make(of, error="l", micro=False).save(drawn, kind="svg", border=2, light="white")
    return drawn.getvalue()


async def speaker(_: Request) -> Response:
    """The speaker's page."""
    return HTMLResponse(_page("Speaker", "speaker"))


async def handout(_: Request) -> Response:
    """The page to print."""
    return HTMLResponse(_page("Hand-out", "handout"))


async def script(request: Request) -> Response:
    """The script of one of these pages; it may be cached, as its address changes with it."""
    text = _script(Path(request.url.path).stem)
    return Response(text, media_type="text/javascript", headers={"Cache-Control": FOR_A_YEAR})


@lru_cache(maxsize=2)
def _page(title: str, name: str) -> str:
    # The script is in a file of its own: the proxy's policy blocks inline scripts.
    version = sha256(_script(name).encode()).hexdigest()[:12]
    style = (HERE / f"{name}.css").read_text("utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title} · Language Models, '
        f"Live</title><style>{page_colours()}\n{style}</style></head><body>"
        f'<script type="module" src="{name}.js?{version}"></script></body></html>'
    )


@lru_cache(maxsize=2)
def _script(name: str) -> str:
    return script_library(HERE / f"{name}.js")


ROUTES = (
    Route("/lecture", slide),
    Route("/live/lecture.json", of_file, methods=["POST"]),
    Route("/live/match", match, methods=["POST"]),
    Route("/live/notebook.json", notebook, methods=["POST"]),
    Route("/live/printed.json", printed, methods=["POST"]),
    Route("/live/handout", handout),
    Route("/live/stills.json", all_stills),
    Route("/live/stills/{name}.webp", still),
    Route("/live/find", find),
    Route("/live/warm", warm, methods=["GET", "POST"]),
    Route("/live/code.svg", code),
    Route("/live/speaker", speaker),
    Route("/live/speaker.js", script),
    Route("/live/handout.js", script),
)
