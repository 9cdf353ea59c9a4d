"""The Generation page by hand: step, force, branch, rewind, drag, share; nothing typed is run."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import drag

THREE = "gen_shown=greedy,beam,walk&gen_stepped=walk"
ASKED = "(name) => new URLSearchParams(location.search).get(name)"


def asked(page: Page, name: str, value: str) -> None:
    page.wait_for_function(f"({ASKED})('{name}') === '{value}'")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def written(page: Page, branch: int = 0) -> Locator:
    return page.locator(".gen-branch").nth(branch).locator(".gen-token")


def test_step_force_branch_rewind_and_the_link_shows_the_same_to_a_friend(
    visit: Visit, friend: Visit
) -> None:
    page = visit.open(f"/generation?{THREE}")
    expect(written(page)).to_have_count(0)
    for n in range(1, 6):
        press(page, "Step one token")
        expect(written(page)).to_have_count(n)
    expect(written(page)).to_have_text(["bridge", "because", "it", "was", "too"])
    asked(page, "gen_at", "5")
    page.locator(".gen-table").get_by_role("button", name="tired", exact=True).click()
    asked(page, "gen_forced", "gpt~6:247")
    expect(
        page.get_by_role("button", name="Forced: token 6 = tired", exact=True)
    ).to_have_attribute("aria-pressed", "true")
    expect(written(page, 1)).to_have_count(6)
    expect(written(page, 0).nth(5)).to_have_text("deep")
    press(page, "Run to the end")
    expect(written(page, 1).last).to_have_text("</s>")
    visit.settle()
    asked(page, "gen_at", str(written(page, 1).count()))
    other = friend.open("/generation?" + page.evaluate("location.search").lstrip("?"))
    expect(written(other, 1)).to_have_text(written(page, 1).all_inner_texts())
    expect(written(other, 0)).to_have_text(written(page, 0).all_inner_texts())
    assert (
        other.locator(".gen-card").all_inner_texts() == page.locator(".gen-card").all_inner_texts()
    )
    written(page, 1).nth(2).click()  # rewind to before it
    expect(written(page, 1)).to_have_count(2)
    press(page, "Drop the branch “Forced: token 6 = tired”")
    expect(page.locator(".gen-branch")).to_have_count(1)
    assert page.locator(".gen-text .gen-token.forced").count() == 0


def test_steps_are_painted_without_the_server_and_told_once(visit: Visit) -> None:
    page = visit.open(f"/generation?{THREE}")
    step = page.get_by_role("button", name="Step one token", exact=True)
    expect(step).to_be_visible()
    visit.settle()
    before = len(visit.sent)
    step.evaluate("(button) => { for (let n = 0; n < 4; n++) button.click(); }")
    expect(written(page)).to_have_count(4)
    assert len(visit.sent) == before
    asked(page, "gen_at", "4")
    visit.settle()
    expect(written(page)).to_have_count(4)


def test_keys_alone_step_and_force(visit: Visit) -> None:
    page = visit.open(f"/generation?{THREE}&gen_at=5")
    page.get_by_role("button", name="Step one token").focus()
    page.keyboard.press("Enter")
    expect(written(page)).to_have_count(6)
    expect(page.get_by_role("button", name="Step one token")).to_be_focused()
    page.get_by_role("button", name="Back one token").focus()
    page.keyboard.press("Space")
    expect(written(page)).to_have_count(5)
    page.locator(".gen-table").get_by_role("button", name="wide", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Forced: token 6 = wide", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Step one token")).to_be_focused()


def test_keys_pressed_in_haste_change_one_setting_and_no_other(visit: Visit) -> None:
    """Each message leaves before the page has answered the one before."""
    page = visit.open("/generation?gen_shown=temperature")
    hand = page.get_by_role("slider", name="Temperature", exact=True)
    hand.focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)
    asked(page, "gen_temperature", "1.2")
    visit.settle()
    assert visit.query() == {"gen_shown": "temperature", "gen_temperature": "1.2"}
    expect(hand).to_be_focused()
    expect(page.locator(".gen-card")).to_have_count(1)


def test_a_drag_moves_the_bars_without_the_server_and_then_the_texts(visit: Visit) -> None:
    page = visit.open("/generation?gen_shown=walk,temperature")
    card = page.locator(".gen-card").nth(1)
    still = page.locator(".gen-card").nth(0).inner_text()
    before, told = card.inner_text(), len(visit.sent)
    drag(page, "Temperature")
    assert len(visit.sent) == told
    assert card.inner_text() != before
    assert page.locator(".gen-card").nth(0).inner_text() == still
    page.mouse.up()
    page.wait_for_function(f"({ASKED})('gen_temperature') !== null")


def test_words_that_look_like_html_are_shown_as_they_are(visit: Visit) -> None:
    text = "<img/src=x/onerror=window.ran=1>"
    page = visit.open(f"/generation?{THREE}&gen_text={quote(text)}")
    expect(page.get_by_text("the model knows; got", exact=False)).to_be_visible()
    assert page.evaluate("window.ran") is None
    expect(page.locator(".gen-card")).to_have_count(3)


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_on_a_phone_the_cards_stand_one_below_the_other(visit: Visit) -> None:
    page = visit.open(f"/generation?{THREE}&gen_at=2")
    expect(page.locator(".gen-card").nth(2)).to_be_visible()
    lefts = {box["x"] for each in page.locator(".gen-card").all() if (box := each.bounding_box())}
    assert len(lefts) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
