"""Settings of the whole suite: one thread per process, the same examples every time, one browser.

Tests are run in two rings. `make test` leaves out the tests marked `walk`, unless they take the
fixture `walking` and are not marked `alone`; a test that takes `walking` checks a sample there.
`make walks` runs only the tests with the mark or the fixture, and they check everything: every
example, window, view, beat and option. `make walks PAGES=neuron,rnn` runs those of some pages, and
`PAGES=turn` those of the pages whose turn is today and of the pages that were changed; `lectures`
and `faults` are named like pages.
"""

import os
import re
import time
from collections.abc import Iterator
from typing import Any

import jaxtyping
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright
from xdist.scheduler import LoadFileScheduling

from tests import first_calls, walks
from tests.browser.serving import chromium
from tests.patience import PLENTY

# Several processes whose threads wait for each other in turn take many times as long as with one
# thread each. PyTorch reads the variable on import; the servers that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Beside busy processes a computation at low priority takes minutes; in the app it is refused then.
os.environ.setdefault("LMCORE_COMPUTATION_SECONDS", str(PLENTY))
settings.register_profile("same every time", deadline=None, derandomize=True)
settings.load_profile("same every time")
jaxtyping.jaxtyped = first_calls.jaxtyped  # its import hook uses the decorator of this name


PICTURES_OF = re.compile(r"tests/pages/pictures/.*\[(\w+)")
"""Matches a test of a page's pictures, with the page's name."""
TURN = pytest.StashKey[walks.Turn]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--walks",
        metavar="PAGES",
        help="only the walks of these pages, parted by commas; all; turn",
    )
    parser.addoption("--record", action="store_true", help="write recorded drawings anew")


@pytest.fixture
def walking(request: pytest.FixtureRequest) -> bool:
    """Whether the test checks everything, or a sample."""
    return bool(request.config.getoption("--walks"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the walks, or with `--walks` all tests but the walks of the chosen pages."""
    asked = config.getoption("--walks")
    if asked:
        known = {walks.walked_page(each) for each in items} - {""}
        pages = walks.chosen_pages(asked, known, config.stash[TURN])
        chosen = [each for each in items if walks.walked_page(each) in pages]
    else:
        chosen = [each for each in items if not walks.walks_alone(each)]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[each for each in items if each not in kept])
    items[:] = chosen


class ByFileOrPage(LoadFileScheduling):
    """The tests of a file run in one process; of the pictures' tests, those of one page."""

    def _split_scope(self, nodeid: str) -> str:
        page = PICTURES_OF.match(nodeid)
        return page[1] if page else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFileOrPage | None:
    return ByFileOrPage(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    first_calls.calls.clear()


def pytest_configure(config: pytest.Config) -> None:
    """Look up today's turn once, not in every process, each at a different time."""
    given = getattr(config, "workerinput", None)
    config.stash[TURN] = given["turn"] if given else walks.turn()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["turn"] = node.config.stash[TURN]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of all tests that need one: a process can have only one at a time."""
    with sync_playwright() as playwright:
        running = chromium(playwright)
        expect.set_options(timeout=60_000)  # long, like all waits: a loaded machine is slow
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
