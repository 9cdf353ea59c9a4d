"""Times of a lecture: turning slides, the delay of the speaker's window, and the search.

    python -m benchmarks.lecture [--deck cmu] [--at 31] [--slides 20]

The lecture is stepped through twice with the clicker; only in the first pass does the server
compute results for the first time. A slide has settled when its script has run, its picture is
drawn and no animation runs; a press that scrolls a tall view is not timed. The speaker's window is
in the same browser; its delay is from the page's message to the drawn heading. A search is timed in
the browser, from the request to the answer.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks import tables
from benchmarks.servers import app
from tests.browser.conftest import STANDS, Visit
from tests.browser.serving import chromium
from ui.lectures import lecture

SETTLED = f"""(from) => new Promise((then) => {{
  const stands = {STANDS};
  const look = () => {{
    const query = new URLSearchParams(location.search);
    const still = document.querySelector("[data-test-script-state=notRunning]");
    const turned = `${{query.get("slide")}} ${{query.get("beat")}}` !== from;
    if (turned && still && stands(true)) return then(performance.now() - window.lmlPressed);
    const read = document.querySelector(".st-key-view")?.parentElement.scrollTop ?? 0;
    if (!turned && read !== window.lmlRead) return then(0); // the view was scrolled
    if (performance.now() - window.lmlPressed > 8000) return then(8000);
    setTimeout(look, 4);
  }};
  look();
}})"""
PRESSED = """window.addEventListener("keydown", () => {
  window.lmlPressed = performance.now();
  window.lmlRead = document.querySelector(".st-key-view")?.parentElement.scrollTop ?? 0;
}, { capture: true })"""
TOLD = """() => {
  const tell = BroadcastChannel.prototype.postMessage;
  window.lmlTold = {};
  BroadcastChannel.prototype.postMessage = function (said) {
    if (said.heading) window.lmlTold[said.at] ??= Date.now();
    tell.call(this, said);
  };
}"""
HEARD = """() => {
  window.lmlHeard = {};
  const look = () => {
    const at = document.documentElement.dataset.at;
    if (at) window.lmlHeard[at] ??= Date.now();
  };
  new MutationObserver(look).observe(document.documentElement, { attributes: true });
}"""
ASKED = """async (words) => {
  const start = performance.now();
  await (await fetch(`live/find?words=${encodeURIComponent(words)}`)).json();
  return performance.now() - start;
}"""


def walk(page: Page, count: int) -> Iterator[tuple[str, float]]:
    """Turn to the next slide `count` times; yields its address and the ms until it has settled."""
    turned = 0
    while turned < count:
        before = _place(page)
        page.keyboard.press("PageDown")
        took = float(page.evaluate(SETTLED, " ".join(before)))
        if _place(page)[0] != before[0]:
            turned += 1
            yield page.url, took
        page.wait_for_timeout(400)


def _place(page: Page) -> tuple[str, str]:
    at, beat = page.evaluate(
        "['slide', 'beat'].map((name) => new URLSearchParams(location.search).get(name))"
    )
    return str(at), str(beat)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lecture")
    parser.add_argument("--deck", default="cmu")
    parser.add_argument("--at", type=int, default=31)
    parser.add_argument("--slides", type=int, default=20)
    given = parser.parse_args()
    rows: list[list[Any]] = []
    with app() as server, sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        speaker: Page | None = None
        for name in ("first walk", "second walk"):
            visit = Visit(page, server.url)
            visit.open(f"/lecture?deck={given.deck}&at={given.at}&present=1")
            page.wait_for_timeout(3000)
            page.evaluate(PRESSED)
            if name == "second walk":
                page.evaluate(TOLD)
                with page.expect_popup() as opened:
                    page.keyboard.press("n")
                speaker = opened.value
                speaker.wait_for_selector("html[data-at]", state="attached")
                speaker.evaluate(HEARD)
                page.bring_to_front()
            found = list(walk(page, given.slides))
            pages = {url.partition("?")[0] for url, _ in found}
            times = tables.Spread.of(took / 1000 for _, took in found)
            rows.append([f"{name}, {len(pages)} pages", *times.cells()])
            slow = [f"{took:.0f} ms {url[len(server.url) :]}" for url, took in found if took > 500]
            print("\n".join(slow) or "none above 500 ms", flush=True)
        if speaker:
            told, heard = page.evaluate("window.lmlTold"), speaker.evaluate("window.lmlHeard")
            delays = [(heard[at] - told[at]) / 1000 for at in told if at in heard]
            rows.append(["speaker's window", *tables.Spread.of(delays).cells()])
        page.goto(f"{server.url}/")
        page.evaluate(ASKED, "warm")
        words = [slide.heading for slide in lecture(given.deck).slides]
        asked = [float(page.evaluate(ASKED, each)) / 1000 for each in words]
        rows.append(["search", *tables.Spread.of(asked).cells()])
        browser.close()
    tables.table(["ms", "count", "p50", "p95", "max"], rows)


if __name__ == "__main__":
    main()
