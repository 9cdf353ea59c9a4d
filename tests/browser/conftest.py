"""A real server and a real Chromium: what a person does, and what must never happen meanwhile."""

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
"""What is written in a page's live picture, its formulas included."""
IDLE = "[data-test-script-state='notRunning']"
"""The mark of a page whose script has run."""
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
"""Whether every part has begun to draw (their scripts come after the page's own), and no number of
a main picture is on its way any more."""
TWO_FRAMES = """() => new Promise((then) =>
    requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(then))))"""
ADDRESSED = """(settings) => {
  const query = new URLSearchParams(location.search);
  return Object.entries(settings).every(([name, value]) => query.get(name) === value);
}"""
WRITTEN = "[role=radio][aria-checked=true], svg text, table td, .lines .line, .katex-mathml"


MOVING = pytest.mark.parametrize(
    "visit", [{"reduced_motion": "no-preference"}], indirect=True, ids=["moving"]
)
"""The visitor sees numbers run and pictures move."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serve() as url:
        yield url


@dataclass
class Visit:
    """One tab of one visitor, with a log of everything it asked for."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)
    """When a message went to the server over the websocket."""
    unanswered: bool = False
    """Whether nothing has come back since."""
    changed: bool = False
    """Whether the tab itself was changed, so that no later test may have it."""

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.settle()

    def attached(self, selector: str) -> None:
        """Wait until something of that kind is in the document.

        It is looked for in every frame; Playwright's own wait sleeps half a second between looks.
        """
        self.page.wait_for_function("(kind) => document.querySelector(kind)", arg=selector)

    def settle(self) -> Page:
        """Wait until the title stands, the script has run and every part has begun to draw."""
        self.answer()
        lesson = urlsplit(self.page.url).path.strip("/") not in {"", *LISTS}
        self.page.wait_for_function(STANDS, arg=lesson)
        return self.page

    def answer(self) -> None:
        """Wait until the server has answered what was done last, and its script has run.

        The page sends what was done within two frames; what it sends is answered by a script that
        runs, or by silence where the server keeps the run back, and then there is none to wait for.
        """
        self.attached(IDLE)
        self.page.evaluate(TWO_FRAMES)
        given_up = time.monotonic() + 1
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
        """Every text of the page's pictures and tables, and every choice that is marked."""
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
        """Follow the link, and wait until the page stands."""
        self.follow(title)
        expect(self.page.locator("h1")).to_have_text(title)
        self.settle()

    def choose(self, group: str, label: str) -> None:
        """Choose it, and wait until the page has answered."""
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
    """The line of a tab to its server, opened anew; while it is `slow`, answers wait."""

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
        """The answers that wait, which are no longer held."""
        taken, self._held = self._held, []
        return taken

    def deliver(self, answers: list[str | bytes]) -> None:
        """Let these answers arrive now."""
        assert self._tab
        for one in answers:
            self._tab.send(one)


def of_the_shell(text: str, url: str) -> bool:
    """Streamlit first asks below a deep link's path whether its server is there: a 404."""
    return "404" in text and "/_stcore/" in url


USUAL: dict[str, Any] = {
    "viewport": {"width": 1400, "height": 900},
    "color_scheme": "light",
    "reduced_motion": "reduce",
}
"""The window of a visitor of whom nothing else is said."""
FORGET = "() => { try { localStorage.clear(); sessionStorage.clear(); } catch {} }"
profiles: dict[str, BrowserContext] = {}
"""Who visits, in what kind of window → their browser profile. It keeps the scripts that it has
compiled, which is a quarter of opening a page, and nothing else from one test to the next."""


tabs: dict[str, Page] = {}
"""The tab of a profile, from one test to the next: its process has the scripts ready to run."""


def profile(browser: Browser, who: str, options: dict[str, Any]) -> BrowserContext:
    """The profile of somebody in a window of that kind, who wants no motion unless they say so."""
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
    """A visitor; afterwards: nothing was asked of another host, nothing went wrong.

    With `keep` the tab is that of the last such visitor, and the next one has it.
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
    """What is done at each event of a tab: its requests, complaints and messages are kept."""

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
