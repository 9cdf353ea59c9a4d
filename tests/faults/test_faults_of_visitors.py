"""Ten thousand malformed requests, and more computations than a server takes."""

from __future__ import annotations

import random
import re
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.browser.conftest import Visit, visiting
from tests.browser.lessons.test_training_run import PATIENCE
from tests.faults.alone import Alone, alone, until
from ui.streamlit_internals.messages import BackMsg

pytestmark = pytest.mark.walk("faults", alone=True)

MANY = 10_000
IN_ONE = 100
"""The most requests over one connection; the server may hang up before."""


@pytest.fixture(scope="module")
def server() -> Iterator[Alone]:
    """A server with one computation at a time, no queue, and a limit of 50 ms for each."""
    with alone(LMCORE_COMPUTATIONS="1", LMCORE_QUEUE="0", LMCORE_COMPUTATION_SECONDS="0.05") as it:
        yield it


@pytest.fixture
def visit(browser: Browser, server: Alone) -> Iterator[Visit]:
    """A visitor who uses the server meanwhile."""
    with visiting(browser, server.address, {}) as there:
        yield there


def malformed(chance: random.Random) -> bytes:
    """A request that is not HTTP, asks for something that does not exist, or is invalid."""
    junk = chance.randbytes(chance.randrange(1, 60))
    path = "".join(chance.choice("/.%\\0aZ~é?&=;:+") for _ in range(chance.randrange(1, 80)))
    kinds = [
        junk + b"\r\n\r\n",
        f"GET /{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /media/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: x\r\n\r\n",
        b"PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
        b"POST /live/runs/nobody/" + junk.hex().encode() + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /live/runs?names=" + junk.hex().encode() * 9 + b",,,,,,, HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /_stcore/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\n" + b"A: b\r\n" * 300 + b"\r\n",
        b"BREW /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ]
    return chance.choice(kinds)


def send(port: int, requests: list[bytes]) -> int:
    """Send the requests, at most IN_ONE over each connection; returns how many were sent."""
    sent = 0
    while sent < len(requests):
        wire = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE / 1000)
        with wire, suppress(OSError):
            for request in requests[sent : sent + IN_ONE]:
                sent += 1
                wire.sendall(request)
    return sent


def test_ten_thousand_malformed_requests_change_nothing(visit: Visit, server: Alone) -> None:
    page = visit.open("/neuron")
    chance = random.Random(6)
    assert send(server.port, [malformed(chance) for _ in range(MANY)]) == MANY
    assert server.ready()
    visit.type("weight w1", "0.75")
    assert not page.get_by_test_id("stException").count()
    assert server.counted("lmlive_errors_total") == 0
    assert server.process.is_running()


def nonsense() -> bytes:
    """A well-formed message about a page and a widget that do not exist."""
    asked = BackMsg(rerun_script={"page_script_hash": "nowhere"})
    asked.rerun_script.widget_states.widgets.add(id="no such widget")
    return asked.SerializeToString()


def test_malformed_messages_end_their_own_session_only(visit: Visit, server: Alone) -> None:
    page = visit.open("/neuron")
    there = server.counted("lmlive_sessions")
    chance = random.Random(7)
    for number in range(60):
        stream = f"ws://127.0.0.1:{server.port}/_stcore/stream"
        with connect(stream) as wire, suppress(ConnectionClosed):
            wire.send(
                (chance.randbytes(200), "a text, where bytes are wanted", nonsense())[number % 3]
            )
            wire.recv(timeout=PATIENCE / 1000)
    until(lambda: server.counted("lmlive_sessions") <= there, "they have left")
    assert server.ready()
    visit.type("weight w1", "0.75")
    assert not page.get_by_test_id("stException").count()


def test_a_computation_that_takes_too_long_is_said_and_the_rest_stays(
    visit: Visit, server: Alone
) -> None:
    """50 ms are not enough to count the n-grams of 60,000 documents."""
    page = visit.page
    page.goto(f"{visit.address}/language_model")
    said = page.get_by_test_id("stAlertContentError")
    expect(said.first).to_contain_text("stopped after 0.05 s", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Try again").first).to_be_visible()
    assert server.counted("lmlive_computations", state="ended") >= 1
    assert server.counted("lmlive_errors_total") == 0
    visit.open("/neuron")
    assert not page.get_by_test_id("stException").count()


def begin_long(visit: Visit) -> None:
    """Start learning 3,000 merges from 19,000 words of nine letters, which takes seconds."""
    page = visit.open("/tokens?tokens_types=3000")
    visit.choose("Learn from", "Your own")
    chance = random.Random(8)
    words = ("".join(chance.choices("abcdefghijklmnop", k=9)) for _ in range(19_000))
    box = page.get_by_role("textbox", name="Your text")
    box.fill(" ".join(words))
    box.press("Control+Enter")


def go_to(visit: Visit, title: str) -> None:
    """Choose another page in the menu."""
    visit.follow(re.compile(title))


def test_more_computations_than_may_wait_are_refused_in_words(browser: Browser) -> None:
    with (
        alone(LMCORE_COMPUTATIONS="1", LMCORE_QUEUE="0") as server,
        visiting(browser, server.address, {}) as first,
        visiting(browser, server.address, {}) as second,
    ):
        second.open("/neuron")
        begin_long(first)
        expect(first.page.get_by_test_id("stSpinner")).to_contain_text("Training")
        go_to(second, "What is a language model")
        said = second.page.get_by_test_id("stAlertContentError")
        expect(said.first).to_contain_text("The server is busy", timeout=PATIENCE)
        expect(said).to_have_count(1)
        first.settle()
        assert not first.page.get_by_test_id("stAlertContentError").count()
        second.page.get_by_role("button", name="Try again").first.click()
        expect(second.page.locator(".st-key-neighbours")).to_be_visible(timeout=PATIENCE)
        assert server.counted("lmlive_errors_total") == 0


def test_who_moves_on_leaves_no_computation_behind(browser: Browser) -> None:
    with alone() as server, visiting(browser, server.address, {}) as there:
        begin_long(there)
        expect(there.page.get_by_test_id("stSpinner")).to_contain_text("Training")
        assert server.counted("lmlive_computations", state="running") == 1
        go_to(there, "Sigmoid")
        expect(there.page.get_by_role("heading", level=1)).to_contain_text("neuron")
        until(lambda: server.counted("lmlive_computations", state="running") == 0, "it is ended")
        assert server.counted("lmlive_errors_total") == 0
