"""A run behind the proxy: found, watched and controlled from either replica."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_run_control import button, state
from tests.browser.lessons.test_training_run import ENDLESS, PATIENCE, begin, past, steps
from tests.faults.cluster import HOSTS, Cluster, standing
from tests.faults.conftest import Coming, coming_to, needs_the_proxy
from tests.faults.proxying import STICKY, Proxy
from tests.faults.test_replicas import host, of_the_death

pytestmark = pytest.mark.walk("faults", alone=True)

OTHERS = 8
WATCHING = "You are watching this run"


def put(tab: Visit, proxy: Proxy, there: str) -> None:
    """Tie a browser to the replica at a host."""
    (seat,) = (each for each in proxy.seats() if each.host == there)
    tab.page.context.add_cookies([{"name": STICKY, "value": seat.cookie, "url": proxy.address}])


def opposite(there: str) -> str:
    (other,) = set(HOSTS) - {there}
    return other


def path(address: str) -> str:
    """An address without its host: its path and its query."""
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


def own(tab: Visit, seed: int) -> str:
    """Start a run; returns the path that shows it."""
    page = begin(tab, f"{ENDLESS}&run_seed={seed}")
    past(page, 5)
    return path(page.url)


def stop(tab: Visit) -> None:
    button(tab.page, "Stop").click()
    expect(state(tab.page)).to_have_text("stopped", timeout=PATIENCE)


def test_whoever_opens_the_address_of_a_run_watches_it_live(
    cluster: Cluster, coming: Coming
) -> None:
    proxy = cluster.proxy
    with coming("visitor") as tab, ExitStack() as open_:
        run = own(tab, 1)
        name, streams = tab.query()["runs"], []
        for there in HOSTS * (OTHERS // 2):
            (seat,) = (each for each in proxy.seats() if each.host == there)
            cookies = f"{STICKY}={seat.cookie}"
            stream = open_.enter_context(proxy.listen(f"/live/runs?names={name}", cookies))
            first = next(stream)[name]
            assert first["state"] == "running" and min(first["step"], len(first["losses"])) > 5
            streams.append((first["step"], stream))
        for step, stream in streams:
            assert any(told[name]["step"] > step + 20 for told in stream), "the curve goes on"

        with coming("friend") as friend:
            put(friend, proxy, opposite(host(proxy, tab)))
            mine = own(friend, 2)
            page = friend.open(run)
            expect(page.get_by_text(WATCHING)).to_be_visible()
            assert host(proxy, friend) != host(proxy, tab)
            past(page, steps(page) + 20)
            expect(button(page, "Pause")).to_have_count(0)
            button(page, "Fork a copy").click()
            friend.settle()
            past(page, steps(page) + 5)
            assert friend.query()["runs"] not in ("", name)
            stop(friend)
            past(tab.page, steps(tab.page) + 5)
            friend.open(mine)
            past(page, steps(page) + 5)
            stop(friend)
        stop(tab)


def test_a_control_link_controls_from_the_other_replica_until_it_is_withdrawn(
    cluster: Cluster, coming: Coming
) -> None:
    proxy = cluster.proxy
    with coming("visitor") as tab, coming("friend") as friend:
        own(tab, 3)
        page = tab.page
        button(page, "Copy a control link").click()
        button(page, "Make the link").click()
        link = page.get_by_test_id("stCode").filter(has_text="control=").inner_text().strip()
        assert link.startswith(proxy.address)
        put(friend, proxy, opposite(host(proxy, tab)))
        other = friend.open(path(link))
        button(other, "Pause").click()
        for each in (page, other):
            expect(state(each)).to_have_text("paused", timeout=PATIENCE)
        button(other, "Resume").click()
        expect(state(page)).to_have_text(re.compile("training|waiting"), timeout=PATIENCE)
        button(page, "Withdraw it").click()
        expect(button(page, "Make the link")).to_be_visible()
        button(other, "Pause").click()
        said = "This run belongs to another visitor."
        expect(other.locator(".run .why")).to_contain_text(said, timeout=PATIENCE)
        friend.complaints[:] = [each for each in friend.complaints if "403" not in each]
        page.keyboard.press("Escape")
        stop(tab)


def test_a_run_whose_replica_died_goes_on_at_the_other_from_what_was_saved(
    cluster: Cluster, coming: Coming
) -> None:
    with coming("visitor") as tab:
        own(tab, 5)
        page, died = tab.page, host(cluster.proxy, tab)
        past(page, 60)  # a run is saved every two seconds of computing
        cluster.replicas[died].kill()
        expect(state(page)).to_have_text("interrupted", timeout=PATIENCE)
        at = steps(page)
        button(page, "Resume").click()
        past(page, at + 20)
        stop(tab)
        cluster.replicas[died].start()
        cluster.wait()
        tab.complaints[:] = [said for said in tab.complaints if not of_the_death(said)]


@pytest.fixture
def forgetful(tmp_path: Path) -> Iterator[Cluster]:
    """Two replicas whose runs end with them."""
    with standing(tmp_path, LMCORE_RUNS_FOLDER="") as there:
        yield there


@pytest.mark.walk("training")
@needs_the_proxy
def test_a_run_whose_replica_died_is_away_then_gone_and_can_be_started_again(
    forgetful: Cluster, browser: Browser
) -> None:
    cluster, proxy, coming = forgetful, forgetful.proxy, coming_to(browser, forgetful)
    with coming("visitor") as tab, coming("friend") as friend:
        run = own(tab, 4)
        died = host(proxy, tab)
        put(friend, proxy, opposite(died))
        page = friend.open(run)
        past(page, steps(page))
        tab.page.goto("about:blank")
        cluster.replicas[died].kill()
        expect(state(page)).to_have_text("its server does not answer", timeout=PATIENCE)
        friend.open(run)
        away = "The run in this link cannot be reached now: a server does not answer."
        expect(page.get_by_text(away)).to_be_visible()
        cluster.replicas[died].start()
        cluster.wait()
        button(page, "Look again").click()
        gone = "The run in this link is no longer on the server."
        expect(page.get_by_text(gone)).to_be_visible(timeout=PATIENCE)
        button(page, "Start it again").click()
        past(page, 5)
        expect(page.get_by_text(gone)).to_have_count(0)
        settings = friend.query()
        assert settings.pop("runs") not in run
        assert all(f"{key}={value}" in run for key, value in settings.items()), settings
        stop(friend)
        for each in (tab, friend):
            each.complaints[:] = [said for said in each.complaints if not of_the_death(said)]


def test_nobody_without_the_secret_of_the_replicas_calls_one(cluster: Cluster) -> None:
    body = b'{"life": "", "verb": "live_runs", "given": ["ann"]}'
    assert cluster.proxy.ask("/inside/runs", "POST", body).status == 404
    (replica, *_) = cluster.replicas.values()
    for headers in ({}, {"signature": "0" * 64}):
        assert replica.ask("/inside/runs", "POST", body, headers) == (404, b"Not Found")
