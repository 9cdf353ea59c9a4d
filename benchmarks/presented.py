"""Every slide as it is presented: what fills the stage at each stop, and how large its texts are.

    python -m benchmarks.presented FOLDER [--size 1920x1080] [--deck cmu] [--only 10,11] [--url …]

Each slide of the lectures is opened in presenter mode and stepped through with the clicker. FOLDER
gets a picture of each stop, `index.html` to look through, and `stops.json`. Printed is what falls
short of the aims: a picture of at least 55 % of the screen, texts of at least 22 px (15 at a height
of 768), no table or code as the largest part, at most three stops, each of which changes what is
shown, and controls that fit. A headline is measured, too: it must be that of the view, not that of
the page's picture.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator
from contextlib import nullcontext
from hashlib import sha256
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, sync_playwright

from benchmarks.servers import app
from tests.browser.conftest import Visit
from tests.browser.serving import chromium
from ui.lectures.decks import Slide, decks

MEASURE = Path(__file__).with_suffix(".js").read_text("utf-8")
LEAST_SHARE = 55
LEAST_TEXT = {1080: 22.0, 768: 15.0}
MOST_STOPS = 3
MOST_PRESSES = 14
PATIENCE = 180_000
"""Milliseconds for a view that is computed for the first time."""


class Stop(NamedTuple):
    """A stop of a slide: what stands on the screen, and the seconds until it stood."""

    deck: str
    number: int
    heading: str
    stop: int
    seconds: float
    shown: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of its picture."""
        return f"{self.deck}-{self.number:03}-{self.stop}"


def slides(deck: str, only: list[int]) -> list[Slide]:
    """The slides that open a page, of one deck or of all."""
    chosen = [each for name, each in decks().items() if deck in ("", name)]
    every = [slide for each in chosen for slide in each.slides if slide.page]
    return [each for each in every if not only or each.number in only]


def walk(visit: Visit, slide: Slide, folder: Path) -> Iterator[Stop]:
    """Each stop of a slide, from its first one."""
    page = visit.page
    began = time.monotonic()
    visit.open(f"{slide.link()}&present=1&beat=0")
    for stop in range(MOST_PRESSES):
        seconds = time.monotonic() - began
        page.wait_for_timeout(450)  # for a chart's animation, and for labels that settle
        shown = page.evaluate(MEASURE)
        shown["marks"] = sha256(shown["marks"].encode()).hexdigest()[:16]
        found = Stop(slide.deck, slide.number, slide.heading, stop, round(seconds, 2), shown)
        page.screenshot(path=folder / f"{found.name}.jpg", type="jpeg", quality=70)
        yield found
        before = page.url, _scrolled(page)
        began = time.monotonic()
        page.keyboard.press("PageDown")
        visit.settle()
        if stop < len(slide.beats) and (page.url, _scrolled(page)) == before:
            page.wait_for_url(re.compile(f"^(?!{re.escape(before[0])}$)"))
        if (page.url, _scrolled(page)) == before or not _is_at(page, slide):
            return


def _is_at(page: Page, slide: Slide) -> bool:
    query = parse_qs(urlsplit(page.url).query)
    return query.get("deck") == [slide.deck] and query.get("slide") == [str(slide.number)]


def _scrolled(page: Page) -> int:
    return int(
        page.evaluate("document.querySelector('.st-key-view')?.parentElement.scrollTop ?? 0")
    )


def shortfalls(stops: list[Stop], height: int) -> Iterator[str]:
    """What of a slide falls short of the aims."""
    if len(stops) > MOST_STOPS:
        yield f"{len(stops)} stops"
    for before, after in pairwise(stops):
        if before.shown["marks"] == after.shown["marks"]:
            yield f"stop {after.stop} changes nothing"
    for each in stops:
        yield from (f"stop {each.stop}: {said}" for said in _of_stop(each.shown, height))


def _of_stop(shown: dict[str, Any], height: int) -> Iterator[str]:
    if shown["largest"] not in ("picture", "chart", "other"):
        yield f"the largest part is {shown['largest']}"
    if shown["share"] < LEAST_SHARE:
        yield f"it fills {shown['share']} %"
    small = [f"{size:g} px {text!r}" for size, text in shown["least"] if size < LEAST_TEXT[height]]
    if small:
        yield f"small: {', '.join(small[:2])}"
    if shown["view"] and shown["largest"] != "picture" and not shown["beat"] and shown["said"]:
        yield "the headline is that of the page's picture"
    if shown["overflow"]:
        yield "the controls do not fit"
    yield from (f"says {each!r:.90}" for each in shown["alerts"])


def index(found: dict[str, list[Stop]], short: dict[str, list[str]]) -> str:
    """A page with all stops, a row for each slide."""
    rows = []
    for name, stops in found.items():
        pictures = "".join(
            f'<a href="{each.name}.jpg"><img src="{each.name}.jpg" loading="lazy"></a>'
            for each in stops
        )
        rows.append(f"<h3>{escape(name)}</h3><p>{escape('; '.join(short[name]))}</p>{pictures}")
    look = "<style>img{width:32%}</style>"
    return f"<!doctype html><meta charset=utf-8><title>Slides</title>{look}{''.join(rows)}"


def main() -> None:
    """Walk, print what falls short, and count."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.presented")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--deck", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--url")
    given = parser.parse_args()
    width, height = map(int, given.size.split("x"))
    given.folder.mkdir(parents=True, exist_ok=True)
    only = [int(each) for each in given.only.split(",") if each]
    found: dict[str, list[Stop]] = {}
    short: dict[str, list[str]] = {}
    with nullcontext() if given.url else app() as server, sync_playwright() as playwright:
        page = chromium(playwright).new_page(
            viewport={"width": width, "height": height}, reduced_motion="reduce"
        )
        page.set_default_timeout(PATIENCE)
        visit = Visit(page, given.url or server.url)
        for slide in slides(given.deck, only):
            name = f"{slide.deck} {slide.number} {slide.heading}"
            found[name] = list(walk(visit, slide, given.folder))
            short[name] = list(dict.fromkeys(shortfalls(found[name], height)))
            print(f"{name}: {'; '.join(short[name]) or 'holds'}", flush=True)
    stops = [each._asdict() for its in found.values() for each in its]
    (given.folder / "stops.json").write_text(json.dumps(stops, indent=1), "utf-8")
    (given.folder / "index.html").write_text(index(found, short), "utf-8")
    holding = sum(not each for each in short.values())
    print(f"{holding} of {len(short)} slides hold at {given.size}")


if __name__ == "__main__":
    main()
