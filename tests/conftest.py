"""Settings of the whole suite: one thread a process, the same examples every time, one browser."""

import os
import time
from collections.abc import Iterator

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.serving import chromium

# Several processes whose threads wait for each other in turn take many times as long as with one
# thread each. PyTorch reads this when it is imported; the servers that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("same every time", deadline=None, derandomize=True)
settings.load_profile("same every time")


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
