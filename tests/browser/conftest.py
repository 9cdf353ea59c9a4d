"""A real server and a real Chromium: what a person does, and what must never happen meanwhile."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

ROOT = Path(__file__).parent.parent.parent
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The app, served by Streamlit as `make run` serves it, on a port of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    environment = os.environ | {"LMCORE_DEVICE": "cpu"}
    server = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            return
    pytest.fail("the server did not come up within 60 s")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    chromium = playwright.chromium.launch(executable_path=found, args=FLAGS)
    yield chromium
    chromium.close()


@dataclass
class Visit:
    """One tab of one visitor, with a log of everything it asked for."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)
    """When a message went to the server over the websocket."""

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.settle()

    def settle(self) -> Page:
        """Wait until the title stands and the script has run."""
        self.page.wait_for_selector("h1")
        self.page.wait_for_selector("[data-test-script-state='notRunning']")
        self.page.wait_for_timeout(150)
        self.page.wait_for_selector("[data-test-script-state='notRunning']")
        return self.page

    def foreign(self) -> list[str]:
        """Requests to any host but the one that serves the page."""
        here = urlsplit(self.address).netloc
        local = ("data", "blob")
        parts = [(urlsplit(url), url) for url in self.requests]
        return [url for part, url in parts if part.scheme not in local and part.netloc != here]


def _of_the_shell(text: str, url: str) -> bool:
    """Streamlit asks below a deep link's path first whether its server is there, and is told 404."""
    return "404" in text and "/_stcore/" in url


@pytest.fixture
def visit(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A new visitor; afterwards: nothing was asked of another host, nothing went wrong."""
    options = getattr(request, "param", {})
    context = browser.new_context(**({"viewport": {"width": 1400, "height": 900}} | options))
    context.set_default_timeout(20_000)
    tab = Visit(context.new_page(), address)
    tab.page.on("request", lambda asked: tab.requests.append(asked.url))
    tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
    tab.page.on(
        "console",
        lambda said: (
            tab.complaints.append(said.text)
            if said.type == "error" and not _of_the_shell(said.text, said.location["url"])
            else None
        ),
    )

    def listen(socket_opened: object) -> None:
        socket_opened.on("framesent", lambda _: tab.sent.append(time.monotonic()))  # type: ignore[attr-defined]

    tab.page.on("websocket", listen)
    yield tab
    context.close()
    assert tab.foreign() == []
    assert tab.complaints == []
