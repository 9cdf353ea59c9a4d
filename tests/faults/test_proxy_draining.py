"""Which replica a visitor gets when replicas come, take no new visitors, are full, fail, and go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.serving import free_port
from tests.faults.cluster import HOSTS
from tests.faults.conftest import needs_the_proxy
from tests.faults.proxying import Proxy, proxied, until
from tests.faults.stub import Stub, stub

pytestmark = pytest.mark.walk("faults", alone=True)

FIRST, SECOND = HOSTS
THIRD = "127.0.0.4"


def tied_to(proxy: Proxy, host: str) -> dict[str, str]:
    """The header with the cookie of a visitor who is tied to that replica."""
    (seat,) = (seat for seat in proxy.seats() if seat.host == host)
    return {"Cookie": f"replica={seat.cookie}"}


def hosts(proxy: Proxy, count: int = 6) -> set[str]:
    """The hosts of the replicas that new visitors get."""
    return {proxy.ask("/").body.decode("ascii") for _ in range(count)}


def test_one_that_is_not_ready_keeps_its_visitors_and_takes_nobody_new(
    proxy: Proxy, stubs: dict[str, Stub]
) -> None:
    mine = tied_to(proxy, FIRST)
    stubs[FIRST].ready = 503
    proxy.wait_until(FIRST, "NOLB")
    for _ in range(4):
        answer = proxy.ask("/", headers=mine)
        assert answer.body == FIRST.encode() and answer.sticky() == ""
    assert hosts(proxy) == {SECOND}
    stubs[FIRST].ready = 200
    proxy.wait_until(FIRST, "UP")
    assert hosts(proxy) == {FIRST, SECOND}


def test_one_that_fails_its_check_otherwise_is_left(proxy: Proxy, stubs: dict[str, Stub]) -> None:
    mine = tied_to(proxy, FIRST)
    stubs[FIRST].ready = 500
    proxy.wait_until(FIRST, "DOWN")
    answer = proxy.ask("/", headers=mine)
    assert answer.body == SECOND.encode()
    assert answer.sticky() == tied_to(proxy, SECOND)["Cookie"], "and is tied to the other"


def test_one_that_is_gone_is_not_missed_even_before_a_check_has_seen_it(
    proxy: Proxy, stubs: dict[str, Stub]
) -> None:
    mine = tied_to(proxy, FIRST)
    stubs[FIRST].shutdown()
    stubs[FIRST].server_close()
    answer = proxy.ask("/", headers=mine)
    assert (answer.status, answer.body) == (200, SECOND.encode())


def test_a_full_one_is_not_the_last_word(proxy: Proxy, stubs: dict[str, Stub]) -> None:
    stubs[FIRST].full = True
    for _ in range(6):
        answer = proxy.ask("/", headers=tied_to(proxy, FIRST))
        assert (answer.status, answer.body) == (200, SECOND.encode())
    stubs[SECOND].full = True
    assert proxy.ask("/").status == 503


def test_one_that_comes_later_is_found_and_one_that_goes_is_forgotten(
    proxy: Proxy, stubs: dict[str, Stub]
) -> None:
    with stub(THIRD, stubs[FIRST].server_port):
        proxy.names.known["app"] = [*HOSTS, THIRD]
        proxy.wait_until(THIRD, "UP")
        assert THIRD in hosts(proxy)
        proxy.names.known["app"] = [SECOND, THIRD]
        until(lambda: {seat.host for seat in proxy.seats()} == {SECOND, THIRD}, "one has gone")
        assert hosts(proxy) == {SECOND, THIRD}


def test_with_no_replica_a_page_says_so_and_asks_again(
    proxy: Proxy, stubs: dict[str, Stub]
) -> None:
    for each in stubs.values():
        each.ready = 500
    for host in HOSTS:
        proxy.wait_until(host, "DOWN")
    answer = proxy.ask("/neuron?w1=1")
    assert answer.status == 503
    assert b'http-equiv="refresh"' in answer.body and b"One moment" in answer.body
    assert answer.one("Retry-After") and answer.one("Cache-Control") == "no-store"


def test_a_certificate_authority_reaches_who_answers_it_and_all_else_goes_to_tls(
    proxy: Proxy, stubs: dict[str, Stub]
) -> None:
    asked = "/.well-known/acme-challenge/token"
    assert proxy.ask_plain(asked).body == FIRST.encode()
    assert stubs[FIRST].heard[-1][0] == asked
    answer = proxy.ask_plain("/neuron?w1=1")
    assert answer.status == 301
    assert answer.one("Location") == f"{proxy.address}/neuron?w1=1"


@needs_the_proxy
def test_by_the_usual_port_the_way_to_tls_names_none(tmp_path: Path) -> None:
    app = free_port(HOSTS[0])
    with proxied(tmp_path, HOSTS[:1], app, {"PROXY_PORT": "443"}) as proxy:
        answer = proxy.ask_plain("/neuron?w1=1")
        assert answer.one("Location") == "https://localhost/neuron?w1=1"


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Forwarded-Proto", "Forwarded"])
def test_a_visitor_cannot_say_who_asks(proxy: Proxy, stubs: dict[str, Stub], header: str) -> None:
    claim = "10.1.2.3;proto=http"
    proxy.ask("/who", headers={header: claim, "Host": f"localhost:{proxy.https}"})
    ((_, heard),) = (one for each in stubs.values() for one in each.heard)
    assert claim not in str(heard)
    assert heard["x-forwarded-for"] == "127.0.0.1"
    assert heard["x-forwarded-proto"] == "https"
    assert heard["host"] == f"localhost:{proxy.https}", "Streamlit compares it with the origin"
