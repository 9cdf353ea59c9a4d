"""How fast a page answers: server and browser time beside a bare page, in one run.

    python -m benchmarks.interaction

The bare page is Streamlit with one slider and one Plotly chart, served with the same settings.
Server time runs from the message that leaves the browser to the last message of its answer;
browser time from the key press to the last change of the page. Medians over ROUNDS presses.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.serving import chromium, serve

ROUNDS = 25
QUIET_MS = 350
BARE = """
import plotly.graph_objects as go
import streamlit as st

st.title("Bare page")
value = st.slider("value", -4.0, 4.0, 0.0, 0.1)
st.plotly_chart(go.Figure(go.Scatter(x=[0, 1, 2], y=[0, value, 2 * value])))
"""
WATCH = """() => {
  const roots = [document.body];
  for (const node of document.querySelectorAll('*')) if (node.shadowRoot) roots.push(node.shadowRoot);
  window.seen = { pressed: 0, last: 0, frames: new Set() };
  const note = () => { window.seen.last = performance.now(); };
  const observer = new MutationObserver(note);
  for (const root of roots) {
    observer.observe(root, { childList: true, characterData: true, subtree: true, attributes: root !== document.body });
  }
  window.addEventListener('keydown', () => { window.seen.pressed = performance.now(); }, { capture: true });
  const figure = document.querySelector('[class*=st-key-figure-] .stBidiComponent *');
  const picture = [...document.querySelectorAll('[class*=st-key-figure-] *')].find((n) => n.shadowRoot)?.shadowRoot;
  if (picture) {
    new MutationObserver(() => requestAnimationFrame((at) => window.seen.frames.add(at)))
      .observe(picture, { characterData: true, childList: true, attributes: true, subtree: true });
  }
}"""


def settled(page: Page) -> None:
    page.wait_for_selector("h1")
    page.wait_for_selector("[data-test-script-state='notRunning']")
    page.wait_for_timeout(800)


def frames(page: Page) -> list[tuple[str, float]]:
    """Every websocket message from now on, as (sent | received, browser's clock in s)."""
    seen: list[tuple[str, float]] = []
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    for kind, name in (("sent", "webSocketFrameSent"), ("received", "webSocketFrameReceived")):
        client.on(
            f"Network.{name}", lambda event, kind=kind: seen.append((kind, event["timestamp"]))
        )
    return seen


def presses(page: Page, focus: Callable[[Page], None]) -> tuple[list[float], list[float]]:
    """Server and browser milliseconds of ROUNDS arrow keys on what `focus` focuses."""
    messages = frames(page)
    focus(page)
    page.evaluate(WATCH)
    server, browser = [], []
    for _ in range(ROUNDS):
        messages.clear()
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(900)
        sent = next(at for kind, at in messages if kind == "sent")
        server.append(1000 * (max(at for kind, at in messages if kind == "received") - sent))
        browser.append(page.evaluate("() => window.seen.last - window.seen.pressed"))
    return server, browser


def opening(browser: Browser, url: str, picture: str) -> tuple[float, float]:
    """Seconds until title and controls stand, and until the picture does, in a new browser."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    start = time.monotonic()
    page.goto(url, wait_until="commit")
    page.wait_for_selector("h1")
    page.wait_for_selector("input[type=range]")
    controls = time.monotonic() - start
    page.wait_for_selector(picture)
    seen = time.monotonic() - start
    context.close()
    return controls, seen


def drag(page: Page) -> tuple[float, int]:
    """Picture updates a second while the first slider is dragged, and messages meanwhile."""
    messages = frames(page)
    page.evaluate(WATCH)
    box = page.locator("input[type=range]").nth(1).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.6 * box["width"], y)
    page.mouse.down()
    page.evaluate("() => window.seen.frames.clear()")
    messages.clear()
    start = time.monotonic()
    step = 0
    while time.monotonic() - start < 3:
        step += 1
        share = 0.5 + 0.45 * (step % 100 / 50 - 1) * (1 if step // 100 % 2 else -1)
        page.mouse.move(box["x"] + share * box["width"], y)
    lasted = time.monotonic() - start
    updates, sent = (
        page.evaluate("() => window.seen.frames.size"),
        sum(k == "sent" for k, _ in messages),
    )
    page.mouse.up()
    settled(page)
    return updates / lasted, sent


def report(name: str, values: list[float], unit: str) -> float:
    middle = statistics.median(values)
    low, high = min(values), max(values)
    print(f"  {name:<34} median {middle:7.1f} {unit}   from {low:.1f} to {high:.1f}")
    return middle


def main() -> None:
    focus_range = lambda page: page.locator("input[type=range]").nth(1).focus()  # noqa: E731
    focus_slider = lambda page: page.get_by_role("slider").first.focus()  # noqa: E731
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bare.py"
        script.write_text(BARE)
        browser: Any = chromium(playwright)
        with serve(script) as url:
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(url)
            settled(page)
            print("bare page")
            server, seen = presses(page, focus_slider)
            bare = report("server, one interaction", server, "ms")
            report("key press to settled page", seen, "ms")
            page.close()
        with serve() as url:
            for path in ("/neuron", "/backprop"):
                print(path)
                opened = [
                    opening(browser, url + path, "[class*=st-key-figure-] svg") for _ in range(6)
                ]
                print(
                    f"  first visit after start            title and controls {opened[0][0]:.2f} s, picture {opened[0][1]:.2f} s"
                )
                report("title and controls", [1000 * a for a, _ in opened[1:]], "ms")
                report("picture", [1000 * b for _, b in opened[1:]], "ms")
                page = browser.new_page(viewport={"width": 1400, "height": 900})
                page.goto(url + path)
                settled(page)
                server, seen = presses(page, focus_range)
                middle = report("server, one interaction", server, "ms")
                print(f"  {'':<34} {middle / bare:.2f} × the bare page")
                report("key press to settled page", seen, "ms")
                rate, sent = drag(page)
                print(
                    f"  dragging                           {rate:.0f} picture updates a second, {sent} messages to the server"
                )
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
