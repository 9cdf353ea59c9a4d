"""Settings of the whole suite: one thread a process, the same examples every time, one browser.

Tests are run in two rings. `make test` runs all of them but those marked `walk`; a test that takes
the fixture `walking`, marked or not, looks at a sample there. `make walks` runs both kinds alone,
and they look at everything: every example, window, view, beat and option. `make walks
PAGES=neuron,rnn` is for some pages, `PAGES=turn` for those whose turn it is today; `lectures` and
`faults` are asked for like pages.
"""

import os
import time
from collections.abc import Iterator
from datetime import date
from urllib.parse import urlsplit

import jaxtyping
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright

from tests import first_calls
from tests.browser.serving import chromium

# Several processes whose threads wait for each other in turn take many times as long as with one
# thread each. PyTorch reads this when it is imported; the servers that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("same every time", deadline=None, derandomize=True)
settings.load_profile("same every time")
jaxtyping.jaxtyped = first_calls.jaxtyped  # its import hook decorates with what is named so


TURNS = 5
"""After so many days every page has had its turn."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--walks",
        metavar="PAGES",
        help="only the walks of these pages, parted by commas; all; turn",
    )
    parser.addoption("--record", action="store_true", help="write recorded drawings anew")


@pytest.fixture
def walking(request: pytest.FixtureRequest) -> bool:
    """Whether the test shall look at everything, or at a sample of it."""
    return bool(request.config.getoption("--walks"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the walks, or all but those of the pages asked for.

    Raises:
        UsageError: if a page that is asked for has no walk.
    """
    asked = config.getoption("--walks")
    walks = [each for each in items if walked_page(each)]
    chosen = [each for each in items if not walks_alone(each)]
    if asked:
        known = sorted({walked_page(each) for each in walks})
        turn = known[date.today().toordinal() % TURNS :: TURNS]
        pages = {"all": known, "turn": turn}.get(asked, asked.split(","))
        if unknown := [each for each in pages if each not in known]:
            raise pytest.UsageError(
                f"walks must be of all, turn or {', '.join(known)}; got {', '.join(unknown)}"
            )
        chosen = [each for each in walks if walked_page(each) in pages]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[each for each in items if each not in kept])
    items[:] = chosen


def walked_page(item: pytest.Item) -> str:
    """The page of which a test is a walk: its argument `slug` or `path`, or what its mark names."""
    marked = item.get_closest_marker("walk")
    if not marked and not samples(item):
        return ""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    path = marked.args[0] if marked and marked.args else given.get("slug", given.get("path", ""))
    return urlsplit(path).path.strip("/") or "home"


def walks_alone(item: pytest.Item) -> bool:
    """Whether a test is no part of `make test`: a walk that looks at no sample there."""
    marked = item.get_closest_marker("walk")
    return marked is not None and (marked.kwargs.get("alone", False) or not samples(item))


def samples(item: pytest.Item) -> bool:
    """Whether a test looks at a sample in `make test`."""
    return "walking" in getattr(item, "fixturenames", ())


@pytest.fixture(autouse=True)
def _first_calls_are_checked() -> None:
    first_calls.calls.clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of all tests that need one: there can be but one at a time in a process."""
    with sync_playwright() as playwright:
        running = chromium(playwright)
        expect.set_options(timeout=60_000)  # as of all that is waited for: a loaded machine is slow
        yield running
        running.close()


# How long each process took from its start until it had collected the tests, for the summary.
BEGAN = time.monotonic()
COLLECTED: list[float] = []


def pytest_collection_finish(session: pytest.Session) -> None:
    took = time.monotonic() - BEGAN
    getattr(session.config, "workeroutput", {})["collected"] = took
    COLLECTED.append(took)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    COLLECTED.append(getattr(node, "workeroutput", {}).get("collected", 0.0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if COLLECTED:
        terminalreporter.write_line(f"The tests were collected in {max(COLLECTED):.0f} s.")
