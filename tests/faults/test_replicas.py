"""Two real replicas behind the proxy: which one visitors get, keep, and lose when it is killed."""

from __future__ import annotations

import gzip
from collections import Counter
from contextlib import ExitStack

import pytest
from playwright.sync_api import BrowserContext, WebSocket, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_training_run import begin, past
from tests.faults.cluster import HOSTS, Cluster
from tests.faults.conftest import PATIENCE, Coming
from tests.faults.proxying import STICKY, Proxy, until
from ui.visitors import COOKIE, LINKS, OVER_TLS

VIEW = "/neuron?w=0.75,+0.4,+0.2&g=tanh"


def sticky(context: BrowserContext) -> str:
    """The cookie that ties a browser to a replica."""
    held = [each for each in context.cookies() if each["name"] == STICKY]
    return f"{STICKY}={held[0]['value']}" if held else ""


def host(proxy: Proxy, tab: Visit) -> str:
    """The host of the replica that a visitor's requests go to."""
    return proxy.seat(sticky(tab.page.context)).host


def asked(proxy: Proxy) -> dict[str, int]:
    """Host of a replica → the number of its requests so far."""
    return {seat.host: seat.asked for seat in proxy.seats()}


def lively(tab: Visit, weight: str) -> None:
    """Type a weight, and wait until the address has it: the page still answers."""
    tab.type("weight w1", weight)
    until(lambda: tab.query()["w"].split(",")[0] == weight, "the page has answered")


@pytest.mark.walk("faults", alone=True)
def test_a_visitor_stays_with_a_replica_over_requests_and_reloads(
    cluster: Cluster, coming: Coming
) -> None:
    with coming("visitor") as tab:
        tab.open(VIEW)
        mine, there = sticky(tab.page.context), host(cluster.proxy, tab)
        (other,) = set(HOSTS) - {there}
        before = asked(cluster.proxy)
        for _ in range(40):
            answer = tab.page.request.get(f"{tab.address}/_stcore/host-config")
            assert answer.ok and STICKY not in answer.headers.get("set-cookie", "")
        for _ in range(2):
            tab.page.reload()
            tab.settle()
            lively(tab, "0.5")
        after = asked(cluster.proxy)
        assert sticky(tab.page.context) == mine
        assert after[there] >= before[there] + 40
        assert after[other] == before[other]


@pytest.mark.walk("faults", alone=True)
def test_new_visitors_go_where_the_fewest_are(cluster: Cluster) -> None:
    with ExitStack() as ended:
        came: list[str] = []
        for _ in range(10):
            answer = ended.enter_context(cluster.proxy.websocket())
            assert answer.status == 101
            came.append(answer.sticky())
        assert sorted(Counter(came).values()) == [5, 5]
        # Connections that come with a replica's cookie count, too.
        tied = {"Cookie": came[0]}
        for _ in range(6):
            ended.enter_context(cluster.proxy.websocket(**tied))
        for _ in range(6):
            assert ended.enter_context(cluster.proxy.websocket()).sticky() != came[0]


@pytest.mark.parametrize(
    ("origin", "status"),
    [("", 101), ("https://elsewhere.example", 403), ("http://localhost", 403), ("null", 403)],
)
def test_another_site_cannot_open_a_session(cluster: Cluster, origin: str, status: int) -> None:
    said = {"Origin": origin} if origin else {}
    with cluster.proxy.websocket(**said) as answer:
        assert answer.status == status


def of_the_death(said: str) -> bool:
    """Whether a browser's error is about a broken connection."""
    return "WebSocket" in said or "net::ERR" in said or "status of 50" in said


def test_a_replica_dies_and_its_visitors_go_on_with_another(
    cluster: Cluster, coming: Coming
) -> None:
    proxy = cluster.proxy
    sockets: list[WebSocket] = []
    with coming("visitor") as mine, coming("friend") as theirs:
        mine.open(VIEW)
        theirs.page.on("websocket", lambda opened: sockets.append(opened))
        theirs.open(VIEW)
        died, lives = host(proxy, mine), host(proxy, theirs)
        assert died != lives, "the second goes where nobody is"
        lively(mine, "0.25")
        view, drawn = mine.query(), mine.drawn()

        cluster.replicas[died].kill()
        until(lambda: host(proxy, mine) == lives, "the browser is tied to the other replica")
        mine.settle()
        until(lambda: mine.query() == view and mine.drawn() == drawn, "the same view is back")
        lively(mine, "-0.5")
        assert [said for said in mine.complaints if not of_the_death(said)] == []
        mine.complaints.clear()

        lively(theirs, "1.25")
        assert len(sockets) == 1 and not sockets[0].is_closed(), "they noticed nothing"

        cluster.replicas[died].start()
        cluster.wait()
        with proxy.websocket() as answer:
            assert proxy.seat(answer.sticky()).host == died, "who comes now goes there"
        lively(mine, "0.125")
        assert host(proxy, mine) == lives, "and who has moved stays"


@pytest.mark.walk("faults", alone=True)
def test_a_page_that_was_only_opened_answers_after_its_replica_died(
    cluster: Cluster, coming: Coming
) -> None:
    with coming("visitor") as tab:
        tab.open("/neuron")
        died = host(cluster.proxy, tab)
        cluster.replicas[died].kill()
        until(lambda: host(cluster.proxy, tab) != died, "the browser is tied to the other replica")
        tab.pill("Presets", "Saturated").click()
        until(lambda: tab.query().get("w") == "4, 4, 4", "the page has answered")
        assert [said for said in tab.complaints if not of_the_death(said)] == []
        tab.complaints.clear()
        cluster.replicas[died].start()
        cluster.wait()


@pytest.mark.walk("faults", alone=True)
def test_a_file_is_handed_in_through_the_proxy(cluster: Cluster, coming: Coming) -> None:
    with coming("visitor") as tab:
        page = tab.open("/training?corpus=own")
        text = b"the dog sees the cat and the cat sees the dog. " * 200
        given = {"name": "mine.txt", "mimeType": "text/plain", "buffer": text}
        page.get_by_role("button", name="Your text", exact=True).click()
        page.locator("input[type=file][accept*='.txt']").set_input_files(given)
        expect(page.get_by_text("mine.txt").first).to_be_visible()
        tab.settle()
        cookies = {each["name"]: each for each in page.context.cookies()}
        assert cookies["_streamlit_xsrf"]["secure"] is True


@pytest.mark.walk("faults", alone=True)
def test_through_the_proxy_a_run_is_controlled_by_the_browser_that_began_it(
    cluster: Cluster, coming: Coming
) -> None:
    with coming("visitor") as tab:
        page = begin(tab)
        past(page, 2)
        (kept,) = (each for each in page.context.cookies() if COOKIE in each["name"])
        assert kept["name"] == OVER_TLS + COOKIE, "no other host of the domain can set it"
        assert kept["secure"] and kept["httpOnly"] and kept["sameSite"] == "Lax"
        order = f"/live/runs/{tab.query()['runs']}/stop"
        there = {"Cookie": sticky(page.context)}
        assert cluster.proxy.ask(order, "POST", b"", there).status == 403
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(page.locator(".run .state")).to_have_text("stopped", timeout=PATIENCE)


def test_through_the_proxy_a_control_link_leads_on_without_its_token(cluster: Cluster) -> None:
    token = "t" * 24
    asked = {"Accept": "text/html"}
    answer = cluster.proxy.ask(f"/training?runs=a&control={token}", headers=asked)
    assert (answer.status, answer.one("location")) == (303, "/training?runs=a")
    (cookie,) = (each for each in answer.all("set-cookie") if token in each)
    assert cookie.startswith(f"{OVER_TLS}{LINKS}={token};")
    assert {"secure", "httponly", "path=/"} <= set(cookie.lower().split("; "))


def test_a_file_without_the_token_of_the_page_is_refused(cluster: Cluster) -> None:
    answer = cluster.proxy.ask("/_stcore/upload_file/session/file", "PUT", b"--x--")
    assert answer.status == 403


def test_files_come_out_of_the_proxys_memory_and_small(cluster: Cluster) -> None:
    proxy = cluster.proxy
    index = proxy.ask("/").body.decode("utf-8")
    script = index.split('type="module" crossorigin src=".')[1].split('"')[0]
    whole = proxy.ask(script)  # now the proxy has it
    before = asked(proxy)
    small = proxy.ask(script, headers={"Accept-Encoding": "gzip"})
    assert asked(proxy) == before, "no replica was asked again"
    assert gzip.decompress(small.body) == whole.body
    assert len(small.body) < 0.5 * len(whole.body)
    assert small.sticky() == "", "what is kept for all ties nobody"
