"""How fast a page answers, compared with a bare page in the same run.

    python -m benchmarks.interaction [page …]

The bare page is Streamlit with one slider and one Plotly chart, served like the app. Server time
runs from the message of a visitor without a browser to the end of the script run. Browser time runs
from a key press on a slider in Chromium to the last change of the page, without the 350 ms in which
numbers are animated to the server's results. Opening is timed in a new browser context; an example
from the press to the first frame that differs, before the animation has ended. Dragging moves the
slider to another position each time. Medians over ROUNDS.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.visitor import Visitor
from tests.browser.serving import chromium, serve

ROUNDS = 60
PRESSES = 25
OPENINGS = 8
FEWEST = 6
"""The number of steps of the slider with the fewest, on Masks."""
THUMB = 8
"""Half the width of a slider's thumb, in pixels."""
PAGES = {
    "neuron": "",
    "backprop": "",
    "attention": "",
    "heads": "",
    "masking": "masking_kind=sliding",
    "generation": "",
}
"""Page → the query with which it opens. Heads has 15 tokens; the mask has a slider."""
PARTS = {"title": "h1", "sliders": "input[type=range]", "picture": ".pictures svg, .box svg"}
BARE = """
import plotly.graph_objects as go
import streamlit as st

st.title("Bare page")
value = st.slider("value", -4.0, 4.0, 0.0, 0.1)
st.plotly_chart(go.Figure(go.Scatter(x=[0, 1, 2], y=[0, value, 2 * value])))
"""
WATCH = """() => {
  const seen = (window.seen = { pressed: 0, last: 0, frames: new Set(), sent: 0 });
  const hosts = [...document.querySelectorAll('*')].filter((node) => node.shadowRoot);
  // What is said aloud only follows when a hand has rested for 600 ms.
  const element = (node) => (node.closest ? node : node.parentElement);
  const silent = ({ target }) => element(target)?.closest('.unseen');
  const observer = new MutationObserver((list) => {
    if (!list.every(silent)) seen.last = performance.now();
  });
  const all = { childList: true, characterData: true, subtree: true };
  for (const root of [document.body, ...hosts.map((node) => node.shadowRoot)]) {
    observer.observe(root, all);
  }
  window.addEventListener('keydown', () => (seen.pressed = performance.now()), { capture: true });
  const drawn = (node) => node.shadowRoot.querySelector('.pictures, .figure');
  const picture = hosts.find(drawn)?.shadowRoot;
  if (picture) {
    const count = () => requestAnimationFrame((at) => seen.frames.add(at));
    new MutationObserver(count).observe(picture, { ...all, attributes: true });
  }
}"""

FIRST_PAINT = """() => {
  const painted = (window.painted = { pressed: 0, at: 0 });
  const stage = () => [...document.querySelectorAll('*')]
    .map((node) => node.shadowRoot?.querySelector('.figure')).filter(Boolean)
    .map((each) => each.querySelector('.box').innerHTML + each.textContent).join();
  let before = '';
  const look = (at) => {
    if (stage() === before) return requestAnimationFrame(look);
    painted.at = at;
  };
  window.addEventListener('pointerdown', () => {
    before = stage();
    painted.pressed = performance.now();
    requestAnimationFrame(look);
  }, { capture: true, once: true });
}"""


@contextmanager
def bare_page() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "bare_page.py"
        page.write_text(BARE)
        server = Path(folder) / "serve_bare.py"
        server.write_text(f"import streamlit as st\n\napp = st.App({str(page)!r})\n")
        with serve(server) as address:
            yield address


def served_bare(address: str) -> list[float]:
    with Visitor(address) as visitor:
        visitor.open()
        return [visitor.slide(turn % 30 / 10).milliseconds for turn in range(ROUNDS)]


def served_page(address: str, page: str) -> list[float]:
    rng = Random(1)
    with Visitor(address, page) as visitor:
        visitor.open(PAGES[page])
        return [visitor.move("sliders", rng).milliseconds for _ in range(ROUNDS)]


def settled(page: Page) -> None:
    page.wait_for_selector("h1")
    page.wait_for_selector("[data-test-script-state='notRunning']")
    page.wait_for_timeout(1000)


def presses(page: Page, slider: str) -> list[float]:
    """Milliseconds from an arrow key on a slider to the last change of the page."""
    page.emulate_media(reduced_motion="reduce")
    page.locator(slider).first.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(800)
    page.evaluate(WATCH)
    lasted = []
    for turn in range(PRESSES):  # up, then down again if a slider has few positions
        up = turn % (2 * FEWEST) < FEWEST
        page.keyboard.press("ArrowRight" if up else "ArrowLeft")
        page.wait_for_timeout(800)
        lasted.append(page.evaluate("() => seen.last - seen.pressed"))
    page.emulate_media(reduced_motion="no-preference")
    return lasted


def examples(page: Page) -> list[float]:
    """Milliseconds from a press on an example to the first frame in which the stage differs."""
    pills = page.locator(".st-key-pills").get_by_role("radio")
    lasted = []
    for turn in range(PRESSES):
        page.evaluate(FIRST_PAINT)
        pills.nth(1 + turn % 2).click()
        page.wait_for_function("() => painted.at")
        lasted.append(page.evaluate("() => painted.at - painted.pressed"))
        page.wait_for_timeout(800)
    return lasted


def opening(browser: Browser, url: str, parts: Sequence[str]) -> list[float]:
    """Milliseconds until each of the parts can be seen, in a new browser."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    start = time.monotonic()
    page.goto(url, wait_until="commit")
    stands = []
    for what in parts:
        page.wait_for_selector(what)
        stands.append(1000 * (time.monotonic() - start))
    context.close()
    return stands


def report_opening(browser: Browser, url: str, parts: dict[str, str]) -> None:
    opened = [opening(browser, url, tuple(parts.values())) for _ in range(OPENINGS)]
    for i, what in enumerate(parts):
        report(f"opened: {what}", [times[i] for times in opened])


def drag(page: Page, seconds: float = 3.0) -> tuple[float, int]:
    """Picture updates a second while a slider is dragged, and messages to the server meanwhile."""
    sent: list[float] = []
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.on("Network.webSocketFrameSent", lambda event: sent.append(event["timestamp"]))
    page.evaluate(WATCH)
    slider = page.locator("input[type=range]").first
    places = slider.evaluate("({ min, max, step }) => Math.round((max - min) / step)")
    box = slider.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    # Each move goes to another position: staying at one would cause no updates.
    there_and_back = [*range(places), *range(places, 0, -1)]
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    page.evaluate("() => seen.frames.clear()")
    sent.clear()
    start = time.monotonic()
    for place in itertools.cycle(there_and_back):
        page.mouse.move(box["x"] + THUMB + place / places * (box["width"] - 2 * THUMB), y)
        if time.monotonic() - start > seconds:
            break
    updates = page.evaluate("() => seen.frames.size") / (time.monotonic() - start)
    during = len(sent)
    page.mouse.up()
    return updates, during


def report(name: str, values: list[float]) -> float:
    middle = statistics.median(values)
    low, high = min(values), max(values)
    print(f"  {name:<30} median {middle:7.1f} ms   ({low:.1f} to {high:.1f})", flush=True)
    return middle


def at_rest(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(url)
    settled(page)
    return page


def main() -> None:
    with sync_playwright() as playwright, bare_page() as bare, serve() as app:
        browser = chromium(playwright)
        print("bare page")
        base = report("server, one interaction", served_bare(bare))
        report_opening(browser, bare, {"title": "h1"})
        page = at_rest(browser, bare)
        report("key press to settled page", presses(page, "[role=slider], input[type=range]"))
        page.close()
        for name in sys.argv[1:] or PAGES:
            print(f"/{name}")
            middle = report("server, one interaction", served_page(app, name))
            print(f"  {'':<30} {middle / base:.2f} × the bare page")
            url = f"{app}/{name}?{PAGES[name]}"
            report_opening(browser, url, PARTS)
            page = at_rest(browser, url)
            report("key press to settled page", presses(page, "input[type=range]"))
            rate, sent = drag(page)
            print(f"  {'dragging':<30} {rate:.0f} picture updates a second, {sent} messages")
            report("example to first paint", examples(page))
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
