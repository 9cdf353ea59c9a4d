"""Small pictures of the views that the slides of all lectures open, light and dark.

    python -m benchmarks.lecture_stills [--url http://127.0.0.1:8501] [--all]

They are kept in assets/lectures/stills, under names that change with the settings of the view.
Missing pictures are taken; with `--all`, as before a release, all of them. Those that no slide uses
any more are removed.
"""

from __future__ import annotations

import argparse
import io
from contextlib import nullcontext
from typing import Literal

from PIL import Image
from playwright.sync_api import FloatRect, Page, sync_playwright

from benchmarks.servers import app
from tests.browser.conftest import Visit
from tests.browser.serving import chromium
from ui.lectures.decks import STILLS, THEMES, decks

WINDOW = {"width": 860, "height": 640}
SIZE = (512, 264)
QUALITY = 62
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

PATIENCE = 180_000
"""Milliseconds for a view that is computed for the first time."""


def wanted() -> dict[str, str]:
    """The name of each still, and the address of its view."""
    slides = [slide for each in decks().values() for slide in each.slides if slide.page]
    return {slide.still_name(): slide.address() for slide in slides}


def take(page: Page, url: str, address: str) -> Image.Image:
    """The stage of a view below its sentence, without controls, at the size of a card."""
    Visit(page, url).open(address)
    page.evaluate("document.documentElement.classList.add('no-controls')")
    page.wait_for_timeout(900)  # for the charts' animation, and the drawing's new size
    shot = page.screenshot(clip=_stage(page))
    return Image.open(io.BytesIO(shot)).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


def _stage(page: Page) -> FloatRect:
    box = page.locator(".st-key-stage").bounding_box()
    assert box
    top = box["y"] + 48
    width = box["width"] - 2
    height = min(box["height"] - 50, width * SIZE[1] / SIZE[0])
    width = min(width, height * SIZE[0] / SIZE[1])
    return {"x": box["x"] + 1, "y": top, "width": width, "height": height}


def main() -> None:
    """Take the missing stills, and remove those that are no longer used."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lecture_stills")
    parser.add_argument("--url")
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    STILLS.mkdir(exist_ok=True)
    names = {f"{name}{suffix}" for name in wanted() for suffix in THEMES}
    for file in STILLS.glob("*.webp"):
        if file.stem not in names:
            file.unlink()
    with nullcontext() if given.url else app() as server, sync_playwright() as playwright:
        browser = chromium(playwright)
        for scheme, suffix in zip(SCHEMES, THEMES, strict=True):
            page = browser.new_page(viewport=WINDOW, reduced_motion="reduce", color_scheme=scheme)
            page.set_default_timeout(PATIENCE)
            for name, address in wanted().items():
                file = STILLS / f"{name}{suffix}.webp"
                if given.all or not file.exists():
                    picture = take(page, given.url or server.url, address)
                    picture.save(file, quality=QUALITY, method=6)
                    print(file.name, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
