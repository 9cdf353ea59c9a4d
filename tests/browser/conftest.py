"""A real server and a real Chromium: a visitor's actions, and checks at the end of every visit."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocketRoute, expect

from tests.browser.serving import serve
from ui.server.guard import LISTS

PICTURE = ".pictures svg text, .lines .line, .box svg text, .formula .rich"
"""Matches the text of a page's live picture, its formulas included."""
IDLE = "[data-test-script-state='notRunning']"
"""Matches a page whose script has run."""
STANDS = """(lesson) => {
  if (!document.querySelector("h1") || "turning" in document.documentElement.dataset) return false;
  if (!document.querySelector(".st-key-neighbours")) return false; // it is written last
  const silent = ".st-key-library, .st-key-listener, [class*=st-key-kept-], [class*=heads-weights]";
  const parts = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")];
  if (document.querySelector("[data-testid=stSkeleton]")) return false; // a part is yet to come
  const drawn = (part) => part.shadowRoot?.querySelector(".stage");
  if (!parts.length || !parts.every((part) => drawn(part) || part.closest(silent))) return false;
  // what is hidden at first can be seen, and a lesson's keys are listened to
  const { dataset } = document.documentElement;
  if (!("stands" in dataset) || (lesson && !("beat" in dataset))) return false;
  return !parts.some((part) => part.shadowRoot?.querySelector(".figure[data-running]"));
}"""
"""Whether every component has begun to draw (their scripts load after the page's own), and no
number of a main picture is still being animated."""
TWO_FRAMES = """() => new Promise((then) =>
    requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(then))))"""
ADDRESSED = """(settings) => {
  const query = new URLSearchParams(location.search);
  return Object.entries(settings).every(([name, value]) => query.get(name) === value);
}"""
PATIENCE = 5
"""For how many seconds an answer is awaited."""
WRITTEN = "[role=radio][aria-checked=true], svg text, table td, .lines .line, .katex-mathml"


MOVING = pytest.mark.parametrize(
    "visit", [{"reduced_motion": "no-preference"}], indirect=True, ids=["moving"]
)
"""Runs a test with motion on: numbers and pictures are animated."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serve() as url:
        yield url


@dataclass
class Visit:
    """One tab of one visitor, with a log of its requests, its errors and its messages."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)
    """The times at which a message was sent to the server over the websocket."""
    unanswered: bool = False
    """Whether no message has come back since the last one was sent."""
    changed: bool = False
    """Whether the tab itself was changed, so that no later test may reuse it."""

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.settle()

    def attached(self, selector: str) -> None:
        """Wait until an element that matches `selector` is in the document.

        This checks at every animation frame; Playwright's own wait checks every half second.
        """
        self.page.wait_for_function("(kind) => document.querySelector(kind)", arg=selector)

    def settle(self) -> Page:
        """Wait until the title is shown, the script has run and every part has begun to draw."""
        self.answer()
        lesson = urlsplit(self.page.url).path.strip("/") not in {"", *LISTS}
        self.page.wait_for_function(STANDS, arg=lesson)
        return self.page

    def answer(self) -> None:
        """Wait until the server has answered the last action, and its script has run.

        The page sends an action within two frames. The server answers with a script run, or not at
        all where it holds the run back: the wait ends after a second.
        """
        self.attached(IDLE)
        self.page.evaluate(TWO_FRAMES)
        given_up = time.monotonic() + PATIENCE
        while self.unanswered and time.monotonic() < given_up:
            self.page.wait_for_timeout(10)
        self.page.evaluate(TWO_FRAMES)
        self.attached(IDLE)

    def foreign(self) -> list[str]:
        """Requests to any host but the one that serves the page."""
        here = urlsplit(self.address).netloc
        local = ("data", "blob")
        parts = [(urlsplit(url), url) for url in self.requests]
        return [url for part, url in parts if part.scheme not in local and part.netloc != here]

    def query(self) -> dict[str, str]:
        """The query parameters in the address."""
        return dict(parse_qsl(self.page.evaluate("location.search").lstrip("?")))

    def until_address(self, **settings: str) -> None:
        """Wait until the address has these query parameters."""
        self.page.wait_for_function(ADDRESSED, arg=settings)

    def drawn(self) -> list[str]:
        """Every text of the live picture, whether it is visible now or not."""
        self.page.locator(".pictures svg, .box svg").first.wait_for()
        return self.page.locator(PICTURE).all_text_contents()

    def written(self) -> list[str]:
        """Every text of the page's pictures and tables, and every selected choice."""
        return self.page.get_by_test_id("stMain").locator(WRITTEN).all_text_contents()

    def pill(self, group: str, label: str) -> Locator:
        """One choice of a row of choices."""
        name = re.compile("^(Presets|Examples)$") if group == "Presets" else group
        row = self.page.get_by_role("radiogroup", name=name, exact=True)
        return row.get_by_role("radio", name=label, exact=True)

    def follow(self, title: str | re.Pattern[str]) -> None:
        """Follow the link to another page, in the menu."""
        self.page.get_by_role("button", name="Pages", exact=True).click()
        self.page.get_by_test_id("stPopoverBody").get_by_role("link", name=title).click()

    def go(self, title: str) -> None:
        """Follow the link, and wait until the page is ready."""
        self.follow(title)
        expect(self.page.locator("h1")).to_have_text(title)
        self.settle()

    def choose(self, group: str, label: str) -> None:
        """Select a choice, and wait until the page has answered."""
        self.pill(group, label).click()
        self.settle()

    def typed(self, spoken: str) -> Locator:
        """The field beside a slider."""
        return self.page.get_by_role("textbox", name=f"{spoken}, typed", exact=True)

    def type(self, spoken: str, text: str) -> None:
        """Type into the field beside a slider, press Enter, and wait for the answer."""
        self.typed(spoken).fill(text)
        self.typed(spoken).press("Enter")
        self.settle()

    def program(self) -> Locator:
        """The Backprop page's program."""
        return self.page.get_by_role("textbox", name="Program, one assignment per line")

    def write(self, program: str) -> None:
        """Type a program, apply it, and wait for the answer."""
        self.program().fill(program)
        self.program().press("Control+Enter")
        self.settle()


class SlowLine:
    """The next websocket of a tab to its server; while `slow` is true, answers are held back."""

    def __init__(self, visit: Visit) -> None:
        self.slow = False
        self._tab: WebSocketRoute | None = None
        self._held: list[str | bytes] = []
        visit.changed = True
        visit.page.route_web_socket("**/_stcore/stream", self._through)

    def _through(self, tab: WebSocketRoute) -> None:
        self._tab = tab
        answers = tab.connect_to_server()
        answers.on_message(lambda one: self._held.append(one) if self.slow else tab.send(one))

    def take(self) -> list[str | bytes]:
        """Remove and return the answers that are held back."""
        taken, self._held = self._held, []
        return taken

    def deliver(self, answers: list[str | bytes]) -> None:
        """Let these answers arrive now."""
        assert self._tab
        for one in answers:
            self._tab.send(one)


def of_the_shell(text: str, url: str) -> bool:
    """Whether an error is Streamlit's 404: it first probes its server below a deep link's path."""
    return "404" in text and "/_stcore/" in url


USUAL: dict[str, Any] = {
    "viewport": {"width": 1400, "height": 900},
    "color_scheme": "light",
    "reduced_motion": "reduce",
}
"""The default window of a visitor."""
FORGET = "() => { try { localStorage.clear(); sessionStorage.clear(); } catch {} }"
profiles: dict[str, BrowserContext] = {}
"""Visitor and kind of window → browser profile. From one test to the next it keeps only its
compiled scripts; compiling them is a quarter of the time to open a page."""


tabs: dict[str, Page] = {}
"""Profile → its tab, kept for the next test: the tab's process has the scripts ready to run."""


def profile(browser: Browser, who: str, options: dict[str, Any]) -> BrowserContext:
    """The profile of a visitor with these options; motion is reduced unless they allow it."""
    key = _key(who, options)
    if key not in profiles:
        profiles[key] = browser.new_context(**USUAL | options)
        profiles[key].set_default_timeout(60_000)
    return profiles[key]


def _key(who: str, options: dict[str, Any]) -> str:
    return f"{who} {json.dumps(options, sort_keys=True)}"


@contextmanager
def visiting(
    browser: Browser,
    address: str,
    options: dict[str, Any],
    who: str = "visitor",
    *,
    keep: bool = False,
) -> Iterator[Visit]:
    """Open a tab for a visitor; at the end, check for no request to another host and no error.

    With `keep`, the tab of the last visitor with these options is reused, and kept for the next.
    """
    context, key = profile(browser, who, options), _key(who, options)
    kept = tabs.pop(key, None) if keep else None
    tab = Visit(kept or context.new_page(), address)
    heard = listeners(tab)
    for event, listener in heard.items():
        tab.page.on(event, listener)  # type: ignore[call-overload]
    try:
        yield tab
    finally:
        context.set_offline(False)
        for page in context.pages:
            page.evaluate(FORGET)
            if keep and page is tab.page and not tab.changed:
                page.unroute_all()
                page.goto("about:blank")
                page.set_viewport_size((USUAL | options)["viewport"])
                page.emulate_media(color_scheme=(USUAL | options)["color_scheme"])
                tabs[key] = page
            else:
                page.close()
        for event, listener in heard.items():
            tab.page.remove_listener(event, listener)
        context.clear_cookies()
    assert tab.foreign() == []
    assert tab.complaints == []


def listeners(tab: Visit) -> dict[str, Callable[[Any], None]]:
    """Event of a tab → its listener, which records the tab's requests, errors or messages."""

    def complain(said: Any) -> None:
        if said.type == "error" and not of_the_shell(said.text, said.location["url"]):
            tab.complaints.append(said.text)

    def send(_: Any) -> None:
        tab.sent.append(time.monotonic())
        tab.unanswered = True

    def hear(_: Any) -> None:
        tab.unanswered = False

    def listen(opened: Any) -> None:
        opened.on("framesent", send)
        opened.on("framereceived", hear)

    return {
        "request": lambda asked: tab.requests.append(asked.url),
        "pageerror": lambda error: tab.complaints.append(str(error)),
        "console": complain,
        "websocket": listen,
    }


@pytest.fixture
def visit(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A new visitor, with Playwright's context options as the parameter, if any."""
    with visiting(browser, address, getattr(request, "param", {}), keep=True) as tab:
        yield tab


@pytest.fixture
def friend(browser: Browser, address: str) -> Iterator[Visit]:
    """A second visitor, who shares nothing with the first but the links they are sent."""
    with visiting(browser, address, {}, who="friend", keep=True) as tab:
        yield tab
