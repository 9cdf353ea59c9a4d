"""A run whose worker or server is killed, whose page loses its connection, whose clock jumps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit, visiting
from tests.browser.lessons.test_training_run import ENDLESS, PATIENCE, begin, past, steps
from tests.faults.alone import Alone, alone, until
from tests.faults.relay import relayed

pytestmark = pytest.mark.walk("faults", alone=True)

JUMPS = Path(__file__).parent / "jumping"
"""Its sitecustomize.py adds the seconds in the file `CLOCK_OFFSET` to the clock of a server."""


@pytest.fixture(scope="module")
def offset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that says how many seconds the server's clock is ahead."""
    file = tmp_path_factory.mktemp("clock") / "offset"
    file.write_text("0")
    return file


@pytest.fixture(scope="module")
def server(offset: Path) -> Iterator[Alone]:
    """A separate server, since its workers are killed."""
    with alone(PYTHONPATH=str(JUMPS), CLOCK_OFFSET=str(offset)) as there:
        yield there


@pytest.fixture
def visit(browser: Browser, server: Alone) -> Iterator[Visit]:
    """A visitor who trains a model."""
    with visiting(browser, server.address, {}) as there:
        yield there


@pytest.fixture
def friend(browser: Browser, server: Alone) -> Iterator[Visit]:
    """A visitor on another page."""
    with visiting(browser, server.address, {}) as there:
        yield there


def end(page: Page) -> None:
    """Stop the run, so that none is left."""
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("stopped", timeout=PATIENCE)


@pytest.mark.walk("training")
def test_a_worker_that_is_killed_costs_seconds_of_a_run_and_nobody_else_anything(
    visit: Visit, friend: Visit, server: Alone
) -> None:
    other = friend.open("/neuron")
    page = begin(visit)
    # It is saved after two seconds of computing, and reported ten times a second.
    until(lambda: server.counted("lmlive_runs", state="running") >= 1, "the run is under way")
    past(page, 300)
    for worker in server.workers():
        worker.kill()
    expect(page.locator(".run .state")).to_have_text("interrupted", timeout=PATIENCE)
    expect(page.locator(".run .why")).to_contain_text("Resume continues from the last checkpoint")
    page.get_by_role("button", name="Resume", exact=True).click()
    past(page, steps(page) + 20)
    end(page)
    friend.choose("Presets", "AND")
    assert not other.get_by_test_id("stException").count()
    assert server.ready() and server.counted("lmlive_errors_total") == 0


def test_a_wire_that_is_cut_is_mended_and_the_curve_goes_on(
    browser: Browser, server: Alone
) -> None:
    with relayed(server.port) as relay, visiting(browser, relay.address, {}) as there:
        page = begin(there)
        past(page, 20)
        address, before = page.url, steps(page)
        assert relay.cut() >= 2, "the page's websocket, and the picture's listener"
        past(page, before + 50)
        assert page.url == address
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=PATIENCE)
        # The session is the same, with all its state: the page controls its run as before.
        end(page)
        assert server.counted("lmlive_errors_total") == 0
        # The console may report the lost connection; any other error fails the test.
        there.complaints[:] = [each for each in there.complaints if "net::ERR_" not in each]


def test_a_server_that_is_killed_and_begun_again_knows_whose_a_run_is(
    browser: Browser, tmp_path: Path
) -> None:
    """Both servers are on one host: cookies are the same at every port."""
    saved = {"LMCORE_RUNS_FOLDER": str(tmp_path)}
    with ExitStack() as servers:
        first = servers.enter_context(alone(**saved))
        with (
            visiting(browser, first.address, {}) as tab,
            visiting(browser, first.address, {}, "friend") as other,
        ):
            page = begin(tab)
            past(page, 20)
            path = page.url.removeprefix(first.address)
            page.goto("about:blank")
            first.process.kill()
            first.process.wait()
            second = servers.enter_context(alone(**saved))
            tab.address = other.address = second.address
            watching = other.open(path)
            expect(watching.get_by_text("You are watching this run")).to_be_visible()
            expect(watching.get_by_role("button", name="Resume")).to_have_count(0)
            page = tab.open(path)
            expect(page.locator(".run .state")).to_have_text("interrupted", timeout=PATIENCE)
            page.get_by_role("button", name="Resume", exact=True).click()
            past(page, steps(page) + 5)
            end(page)
            tab.requests[:] = [url for url in tab.requests if first.address not in url]
            tab.complaints[:] = [each for each in tab.complaints if "net::ERR_" not in each]


def test_a_reload_amid_a_run_finds_it_where_it_is(visit: Visit) -> None:
    page = begin(visit)
    past(page, 20)
    before = steps(page)
    page.reload()
    visit.settle()
    past(page, before)
    end(page)


@pytest.mark.parametrize("jump", [86_400, -86_400])
def test_a_clock_that_jumps_disturbs_no_run_and_no_page(
    visit: Visit, friend: Visit, server: Alone, offset: Path, jump: int
) -> None:
    page = begin(visit, f"{ENDLESS}&run_seed={abs(jump) + (jump > 0)}")
    past(page, 20)
    offset.write_text(str(jump))
    until(lambda: abs(server.ahead() - jump) < PATIENCE / 1000, "the clock has jumped")
    past(page, steps(page) + 50)
    other = friend.open("/attention")
    assert not other.get_by_test_id("stException").count()
    end(page)
    offset.write_text("0")
    assert server.counted("lmlive_errors_total") == 0
