"""Two browsers and one run: its starter controls it; the other watches, or gets a control link."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_training_run import ENDLESS, PATIENCE, begin, past, steps
from ui.visitors import COOKIE, LINKS

pytestmark = pytest.mark.walk("training", alone=True)

VERBS = ("Pause", "One step", "Resume", "Stop")
PATHS = {
    "training": (ENDLESS, "Start", "runs"),
    "masking": (
        "/masking?see=Train+without+it&masking_steps=100000",
        "Train both",
        "masking_runs",
    ),
    "bert": ("/bert?see=Train+one&pretrain_steps=100000", "Train one", "pretrain_runs"),
}


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def state(page: Page) -> Locator:
    return page.locator(".run .state").first


def watch(friend: Visit, page: Page) -> Page:
    """Open the address of the first browser in the second."""
    address = urlsplit(page.url)
    there = friend.open(f"{address.path}?{address.query}")
    there.locator(".run .count").first.wait_for(timeout=PATIENCE)
    return there


def forged(page: Page, name: str, verb: str) -> tuple[int, str]:
    """Post an order by script from that browser's page; return the status and the error."""
    status, text = page.evaluate(
        """async ([name, verb]) => {
            const answer = await fetch(`/live/runs/${name}/${verb}`, { method: "POST" });
            return [answer.status, await answer.text()];
        }""",
        [name, verb],
    )
    return status, json.loads(text).get("error", "")


def test_the_second_browser_watches_and_its_forged_orders_are_refused(
    visit: Visit, friend: Visit
) -> None:
    page = begin(visit)
    past(page, 5)
    (name,) = visit.query()["runs"].split(",")
    other = watch(friend, page)
    expect(other.get_by_text("You are watching this run")).to_be_visible()
    only = "Only the person who started it can pause it."
    expect(other.locator(".run", has_text=only)).to_have_count(1)
    expect(page.locator(".run", has_text=only)).to_have_count(0)
    for verb in VERBS:
        expect(button(other, verb)).to_have_count(0)
    for verb in ("Pause", "One step", "Stop"):  # once paused, Resume replaces Pause
        expect(button(page, verb)).to_have_count(1)
    button(page, "Pause").click()
    expect(button(page, "Resume")).to_have_count(1, timeout=PATIENCE)
    expect(state(other)).to_have_text("paused", timeout=PATIENCE)
    for verb in VERBS:
        expect(button(other, verb)).to_have_count(0)
    button(page, "Resume").click()
    expect(state(page)).to_have_text("training", timeout=PATIENCE)
    for verb in ("pause", "step", "resume", "stop"):
        status, why = forged(other, name, verb)
        assert status == 403 and why.startswith("This run belongs to another visitor.")
    friend.complaints[:] = [each for each in friend.complaints if "403" not in each]
    before = steps(page)
    past(page, before + 5)
    expect(state(page)).to_have_text("training")
    assert forged(page, name, "stop") == (200, "")
    expect(state(other)).to_have_text("stopped", timeout=PATIENCE)


def test_a_reload_and_another_tab_of_the_same_browser_keep_control(visit: Visit) -> None:
    page = begin(visit)
    past(page, 5)
    page.reload()
    visit.settle()
    button(page, "Pause").click()
    expect(state(page)).to_have_text("paused", timeout=PATIENCE)
    second = page.context.new_page()
    second.goto(page.url)
    button(second, "One step").click()
    past(second, steps(page))
    expect(state(second)).to_have_text("paused", timeout=PATIENCE)
    button(second, "Stop").click()
    expect(state(page)).to_have_text("stopped", timeout=PATIENCE)
    second.close()
    (kept,) = [each for each in page.context.cookies() if each["name"] == COOKIE]
    assert (kept["httpOnly"], kept["sameSite"]) == (True, "Lax")
    assert COOKIE not in page.evaluate("document.cookie")


def test_a_control_link_hands_control_to_the_browser_that_opens_it_until_it_is_withdrawn(
    visit: Visit, friend: Visit
) -> None:
    page = begin(visit)
    past(page, 5)
    (name,) = visit.query()["runs"].split(",")
    button(page, "Copy a control link").click()
    button(page, "Make the link").click()
    link = page.get_by_test_id("stCode").filter(has_text="control=").inner_text().strip()
    (token,) = parse_qs(urlsplit(link).query)["control"]
    address = urlsplit(link)
    other = friend.open(f"{address.path}?{address.query}")
    other.locator(".run .count").first.wait_for(timeout=PATIENCE)
    assert friend.query()["runs"] == name and "control" not in other.url
    other.go_back()
    assert token not in other.url
    other.go_forward()
    friend.settle()
    button(other, "Pause").click()
    expect(state(page)).to_have_text("paused", timeout=PATIENCE)
    other.reload()
    friend.settle()
    assert token not in other.content()
    button(other, "Resume").click()
    expect(state(page)).to_have_text(re.compile("training|waiting"), timeout=PATIENCE)
    expect(button(other, "Copy a control link")).to_have_count(0)
    (kept,) = [each for each in other.context.cookies() if each["name"] == LINKS]
    assert kept["httpOnly"] and kept["value"] == token

    button(page, "Withdraw it").click()
    expect(button(page, "Make the link")).to_be_visible()
    button(other, "Pause").click()
    expect(other.locator(".run .why")).to_contain_text("This run belongs to another visitor.")
    friend.complaints[:] = [each for each in friend.complaints if "403" not in each]
    other.reload()
    friend.settle()
    expect(other.get_by_text("You are watching this run")).to_be_visible()
    expect(button(other, "Pause")).to_have_count(0)
    page.keyboard.press("Escape")
    button(page, "Stop").click()
    expect(state(page)).to_have_text("stopped", timeout=PATIENCE)


def test_a_fork_is_ones_own_and_named_in_ones_own_address(visit: Visit, friend: Visit) -> None:
    page = begin(visit)
    past(page, 5)
    button(page, "Pause").click()
    expect(state(page)).to_have_text("paused", timeout=PATIENCE)
    paused, name = steps(page), visit.query()["runs"]
    other = watch(friend, page)
    button(other, "Fork a copy").click()
    friend.settle()
    past(other, paused + 5)
    assert friend.query()["runs"] != name == visit.query()["runs"]
    expect(other.get_by_text("You are watching this run")).to_have_count(0)
    assert steps(page) == paused
    expect(state(page)).to_have_text("paused")
    other.reload()
    friend.settle()
    button(other, "Stop").click()
    expect(state(other)).to_have_text("stopped", timeout=PATIENCE)
    expect(state(page)).to_have_text("paused")


@pytest.mark.parametrize("where", ["masking", "bert"])
def test_the_runs_of_other_pages_belong_to_who_started_them_too(
    visit: Visit, friend: Visit, where: str
) -> None:
    path, start, setting = PATHS[where]
    page = visit.open(path)
    button(page, start).click()
    page.locator(".run .count").first.wait_for(timeout=PATIENCE)
    visit.settle()
    other = watch(friend, page)
    expect(other.get_by_text(re.compile("You are watching th"))).to_be_visible()
    names = visit.query()[setting].split(",")
    watching = other.locator(".run .watching", has_text="You are watching")
    expect(watching).to_have_count(len(names))
    for verb in VERBS:
        expect(button(other, verb)).to_have_count(0)
        expect(button(page, verb)).to_have_count(len(names))
    assert {forged(other, name, "stop")[0] for name in names} == {403}
    friend.complaints[:] = [each for each in friend.complaints if "403" not in each]
    button(other, "Fork a copy").click()
    friend.settle()
    expect(watching).to_have_count(0)
    expect(button(other, "Stop")).to_have_count(len(names))
    assert not set(names) & set(friend.query()[setting].split(","))
    for mine in (other, page):
        for each in button(mine, "Stop").all():
            each.click()
        expect(mine.locator(".run .state", has_text="stopped")).to_have_count(
            len(names), timeout=PATIENCE
        )


def test_a_browser_without_cookies_controls_its_run_as_long_as_the_page_is_open(
    visit: Visit,
) -> None:
    def without_cookies(socket: WebSocketRoute) -> None:
        visit.page.context.clear_cookies()
        socket.connect_to_server()

    visit.changed = True
    visit.page.route_web_socket("**/_stcore/stream", without_cookies)
    page = begin(visit)
    past(page, 5)
    assert [each for each in page.context.cookies() if each["name"] == COOKIE] == []
    button(page, "Stop").click()
    expect(state(page)).to_have_text("stopped", timeout=PATIENCE)
    page.reload()
    visit.settle()
    expect(page.get_by_text("You are watching this run")).to_be_visible()
