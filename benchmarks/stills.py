"""Stills of every page with every preset, and a comparison of two sets of them.

    python -m benchmarks.stills FOLDER [--url http://127.0.0.1:8501] [--only neuron,heads]
    python -m benchmarks.stills --compare BEFORE AFTER

Each still is the page in a window of 1366×768, light and dark, with its text in a file; index.html
shows them all. Home is taken at its whole height. `--url` names a server that runs already, perhaps
of another version; without it a server is started. Pixels differ if they do by more than 16 of 255;
drawings with a layout that settles over time may move by a pixel.
"""

from __future__ import annotations

import argparse
import difflib
from contextlib import nullcontext
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlencode

import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from benchmarks.servers import app
from tests.browser.conftest import Visit
from tests.browser.serving import chromium
from ui import contents
from ui.lessons import lesson

WINDOW = {"width": 1366, "height": 768}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
NEAR = 16
"""The largest difference of colour, of 255, that is not visible."""


class Still(NamedTuple):
    """A picture to take: its file name, its path with the query, its page and its example."""

    name: str
    path: str
    page: str
    example: str


def stills(only: list[str]) -> list[Still]:
    """Home, and every example of every page that is built."""
    found = [Still("home", "/", "Home", "")]
    for page in contents.PAGES:
        if page.built:
            for number, preset in enumerate(lesson(page.slug).presets):
                path = f"/{page.slug}?{urlencode(lesson(page.slug).address(preset))}"
                name = f"{page.slug}-{number:02}"
                found.append(Still(name, path, page.title, preset.label))
    return [each for each in found if not only or each.name.split("-")[0] in only]


def take(folder: Path, url: str, only: list[str]) -> None:
    """Save a picture in each theme and a text for each still, and the page that shows them all."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = stills(only)
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        for still in chosen:
            for scheme in SCHEMES:
                page = browser.new_page(
                    viewport=WINDOW, reduced_motion="reduce", color_scheme=scheme
                )
                Visit(page, url).open(still.path)
                page.wait_for_timeout(700)  # for the charts' animation
                fit(page)
                page.screenshot(path=folder / f"{still.name}-{scheme}.png")
                text = page.get_by_test_id("stMain").inner_text()
                (folder / f"{still.name}-{scheme}.txt").write_text(text, encoding="utf-8")
                page.close()
            print(still.name, flush=True)
        browser.close()
    (folder / "index.html").write_text(index(chosen), encoding="utf-8")


def index(chosen: list[Still]) -> str:
    """A page with all stills, a row for each page of the app."""
    rows = []
    for page, group in groupby(chosen, key=lambda each: each.page):
        pictures = [
            f'<figure><a href="{each.name}-{scheme}.png"><img src="{each.name}-{scheme}.png" '
            f'alt="{escape(page)}, {escape(each.example)}, {scheme}" loading="lazy"></a>'
            f"<figcaption>{escape(each.example)} ({scheme})</figcaption></figure>"
            for each in group
            for scheme in SCHEMES
        ]
        rows.append(f"<h2>{escape(page)}</h2><div>{''.join(pictures)}</div>")
    return (
        "<!doctype html><meta charset=utf-8><title>Stills</title><style>"
        "body{font:15px sans-serif;margin:24px}div{display:flex;flex-wrap:wrap;gap:12px}"
        "figure{margin:0;width:440px}img{width:100%;border:1px solid #d9dee4}</style>"
        f"<h1>Every example of every page</h1>{''.join(rows)}"
    )


def fit(page: Page) -> None:
    """Make the window as tall as its content."""
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": WINDOW["width"], "height": max(height, WINDOW["height"])})
    page.wait_for_timeout(400)


def compare(before: Path, after: Path) -> None:
    """Print, for each still, the share of pixels that differ and the lines of text that do."""
    for one in sorted(before.glob("*.png")):
        other = after / one.name
        if not other.exists():
            print(f"{one.stem}: not taken")
            continue
        text = [each.with_suffix(".txt").read_text("utf-8").splitlines() for each in (one, other)]
        lines = [
            line
            for line in difflib.unified_diff(*text, lineterm="", n=0)
            if line[0] in "+-" and line[:3] not in ("+++", "---")
        ]
        share = differing(one, other)
        if share or lines:
            print(f"{one.stem}: {100 * share:.2f} % of the pixels, {len(lines)} lines of text")
            print("\n".join(f"    {line[:160]}" for line in lines[:12]))


def differing(one: Path, other: Path) -> float:
    """The share of pixels that differ, over the larger of the two pictures."""
    pictures = [
        np.asarray(Image.open(each).convert("RGB"), dtype=np.int16) for each in (one, other)
    ]
    height = min(each.shape[0] for each in pictures)
    most = max(each.shape[0] for each in pictures)
    apart = np.abs(pictures[0][:height] - pictures[1][:height]).max(axis=-1) > NEAR
    return (int(apart.sum()) + (most - height) * apart.shape[1]) / (most * apart.shape[1])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stills")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--url")
    parser.add_argument("--only", default="")
    parser.add_argument("--compare", nargs=2, type=Path)
    given = parser.parse_args()
    if given.compare:
        compare(*given.compare)
        return
    if given.folder is None:
        parser.error("a folder for the stills is needed")
    with nullcontext() if given.url else app() as server:
        take(given.folder, given.url or server.url, [n for n in given.only.split(",") if n])


if __name__ == "__main__":
    main()
