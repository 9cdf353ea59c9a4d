"""Requests that the proxy keeps from the replicas: slow, too large, too many, or internal."""

from __future__ import annotations

import socket
import ssl
from contextlib import ExitStack
from pathlib import Path

import pytest

from lmcore.configuration import Configuration
from tests.browser.serving import free_port
from tests.deploy.policy import headers
from tests.faults.cluster import HOSTS
from tests.faults.conftest import needs_the_proxy
from tests.faults.proxying import Proxy, proxied, until
from tests.faults.stub import Stub, stub
from ui.lectures.files import MOST_BYTES
from ui.lectures.routes import MOST_ASKED

LONG = pytest.mark.walk("faults", alone=True)
"""Of tests that are made in walks alone: many, or slow since they wait for the proxy's patience."""

INSIDE = [
    "/metrics",
    "/metrics/",
    "//metrics",
    "/METRICS",
    "/%6detrics",
    "/metrics?x=1",
    "/healthz",
    "/readyz",
    "/inside/runs",
    "//Inside/runs",
    "/_stcore/metrics",
    "/_stcore/script-health-check",
]
UPLOAD = "/_stcore/upload_file/session/file"
MB = 1024 * 1024


def asked(stubs: dict[str, Stub]) -> list[str]:
    """The paths of the requests that reached a replica."""
    return [path for each in stubs.values() for path, _ in each.heard]


@LONG
@pytest.mark.parametrize("path", INSIDE)
def test_what_is_for_the_inside_is_not_found_from_outside(
    proxy: Proxy, stubs: dict[str, Stub], path: str
) -> None:
    assert proxy.ask(path).status == 404
    assert asked(stubs) == []


def test_a_file_may_have_its_megabytes_and_no_more(proxy: Proxy, stubs: dict[str, Stub]) -> None:
    allowed = bytes(16 * MB + 1000)  # the limit, and what a form adds
    assert proxy.ask(UPLOAD, "PUT", allowed).status == 200
    # A body that is too large is refused by the length it declares, before any of it is sent.
    declared = {"Content-Length": str(17 * MB)}
    assert proxy.ask(UPLOAD, "PUT", None, declared).status == 413
    declared = {"Content-Length": "100000"}
    assert proxy.ask("/live/runs/a/pause", "POST", None, declared).status == 413
    assert proxy.ask("/live/runs/a/pause", "POST", b"").status == 200
    assert asked(stubs) == [UPLOAD, "/live/runs/a/pause"]


def test_what_lectures_send_has_the_limits_of_the_app(proxy: Proxy, stubs: dict[str, Stub]) -> None:
    most = {
        "/live/match?name=a.pptx": Configuration().upload_mb * MB,
        "/live/lecture.json": MOST_BYTES,
        "/live/notebook.json": MOST_ASKED,
        "/live/printed.json": MOST_ASKED,
    }
    for path, size in most.items():
        assert proxy.ask(path, "POST", bytes(size)).status == 200
        declared = {"Content-Length": str(size + MB)}
        assert proxy.ask(path, "POST", None, declared).status == 413
    assert sorted(asked(stubs)) == sorted(most)


@LONG
def test_a_body_must_say_how_long_it_is(proxy: Proxy, stubs: dict[str, Stub]) -> None:
    answer = proxy.ask(UPLOAD, "PUT", None, {"Transfer-Encoding": "chunked"})
    assert answer.status == 411
    assert asked(stubs) == []


def drip(connections: list[ssl.SSLSocket], byte: bytes) -> list[ssl.SSLSocket]:
    """Send one more byte on each connection; returns the connections that are still open."""
    still = []
    for each in connections:
        try:
            each.settimeout(0.001)
            each.send(byte)
            if not each.recv(4096):
                continue
        except TimeoutError:
            still.append(each)
        except OSError:
            continue
    return still


@LONG
@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", id="a head"),
        pytest.param(
            b"POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n", id="a body"
        ),
    ],
)
def test_who_trickles_is_shown_the_door_and_stops_nobody_else(
    proxy: Proxy, stubs: dict[str, Stub], begun: bytes
) -> None:
    with ExitStack() as ended:
        slow = [ended.enter_context(proxy.connect()) for _ in range(100)]
        for each in slow:
            each.sendall(begun)
        still = drip(slow, b"a")
        assert len(still) == len(slow), "all hold on"
        assert [proxy.ask("/fast").status for _ in range(20)] == [200] * 20

        def gone() -> bool:
            nonlocal still
            still = drip(still, b"a")
            return not still

        until(gone, "those who send a byte at a time are gone, though they never stop")
    assert set(asked(stubs)) == {"/fast"}


@LONG
@needs_the_proxy
def test_one_address_has_its_share_and_no_more(tmp_path: Path) -> None:
    app = free_port(HOSTS[0])
    few = {"PROXY_CONNECTIONS": "20", "PROXY_REQUESTS": "40", "PROXY_ARRIVALS": "5"}
    with stub(HOSTS[0], app) as behind, proxied(tmp_path, HOSTS[:1], app, few) as proxy:
        proxy.wait_until(HOSTS[0], "UP")
        opened = []
        for _ in range(8):
            with proxy.websocket() as answer:
                opened.append(answer.status)
        assert opened == [200] * 5 + [429] * 3
        assert 429 in [proxy.ask("/").status for _ in range(45)]
        heard = len(behind.heard)
        assert proxy.ask("/static/js/index.js").status == 200, "files are not counted"
        assert len(behind.heard) == heard + 1
        with ExitStack() as ended:
            held = [ended.enter_context(knock(proxy)) for _ in range(30)]
            until(lambda: sum(map(shut, held)) >= 10, "more than 20 connections are shut")
            assert sum(map(shut, held)) <= 20
        until(lambda: open_to_another(proxy), "there is room again")


def knock(proxy: Proxy) -> socket.socket:
    """A TCP connection without a TLS handshake; the proxy may close it at once."""
    there = socket.socket()
    there.settimeout(60)
    there.connect_ex(("127.0.0.1", proxy.https))
    there.settimeout(0.01)
    return there


def shut(there: socket.socket) -> bool:
    """Whether the other side has closed the connection."""
    try:
        return not there.recv(1, socket.MSG_PEEK)
    except TimeoutError:
        return False
    except OSError:
        return True


def open_to_another(proxy: Proxy) -> bool:
    """Whether the proxy keeps one more connection open."""
    with knock(proxy) as there:
        there.settimeout(0.5)
        return not shut(there)


@LONG
@pytest.mark.parametrize("path", ["/", "/static/js/a.js", "/metrics", "/nothing"])
def test_every_answer_has_the_headers(proxy: Proxy, path: str) -> None:
    answer = proxy.ask(path)
    for name, value in headers().items():
        assert answer.one(name) == value
    assert answer.one("Server") == ""
    assert proxy.ask(UPLOAD, "PUT", None, {"Content-Length": str(99 * MB)}).one("X-Frame-Options")


@LONG
def test_cookies_go_by_tls_alone_and_scripts_do_not_see_the_one_that_ties(proxy: Proxy) -> None:
    cookies = {each.partition("=")[0]: each for each in proxy.ask("/").all("Set-Cookie")}
    assert set(cookies) == {"replica", "_streamlit_xsrf"}
    for cookie in cookies.values():
        parts = [part.strip() for part in cookie.split(";")]
        assert parts.count("Secure") == 1 and parts.count("SameSite=Lax") == 1, cookie
    assert "HttpOnly" in cookies["replica"]
    assert "HttpOnly" not in cookies["_streamlit_xsrf"], "Streamlit's script must read it"
    assert cookies["_streamlit_xsrf"].startswith("_streamlit_xsrf=2|a|b;")
