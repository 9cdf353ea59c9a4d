"""Generation in a browser: step, force, branch, rewind, drag, share; typed code never runs."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import drag

pytestmark = pytest.mark.walk("generation", alone=True)

ANIMAL = "gen_text=the+animal+didn't+cross+the&gen_seed=1"
STEPS = f"{ANIMAL}&gen_stepped=walk&see=One+token+at+a+time"
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
    page = visit.open(f"/generation?{STEPS}")
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
    written(page, 1).nth(2).click()  # rewind to before it
    expect(written(page, 1)).to_have_count(2)
    press(page, "Drop the branch “Forced: token 6 = tired”")
    expect(page.locator(".gen-branch")).to_have_count(1)
    assert page.locator(".gen-text .gen-token.forced").count() == 0


def test_steps_are_painted_without_the_server_and_told_once(visit: Visit) -> None:
    page = visit.open(f"/generation?{STEPS}")
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
    page = visit.open(f"/generation?{STEPS}&gen_at=5")
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
    """Each message is sent before the server has answered the previous one."""
    page = visit.open("/generation?gen_shown=temperature&gen_lane=temperature")
    hand = page.get_by_role("slider", name="Temperature", exact=True)
    hand.focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)
    asked(page, "gen_temperature", "1.2")
    visit.settle()
    assert visit.query() == {
        "gen_shown": "temperature",
        "gen_lane": "temperature",
        "gen_temperature": "1.2",
    }
    expect(hand).to_be_focused()


def lane(page: Page, label: str) -> Locator:
    return page.get_by_role("button", name=f"{label}: look at its first choice", exact=True)


def card(page: Page, label: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{label}: .*Put it in a lane$"))


def test_a_drag_moves_the_bars_and_the_sentence_without_the_server_and_then_the_texts(
    visit: Visit,
) -> None:
    page = visit.open("/generation?gen_shown=walk,temperature&gen_lane=temperature")
    bars, sentence = page.locator(".box svg").first, page.locator(".said")
    before, sent = bars.inner_html(), len(visit.sent)
    drag(page, "Temperature")
    expect(sentence).to_contain_text("“are” gets p")
    expect(bars.get_by_text("release the slider to write it again")).to_be_visible()
    assert len(visit.sent) == sent
    assert bars.inner_html() != before
    page.mouse.up()
    page.wait_for_function(f"({ASKED})('gen_temperature') !== null")
    visit.settle()
    expect(sentence).to_contain_text("log p")
    expect(bars.get_by_text("release the slider to write it again")).to_have_count(0)


def test_the_cut_of_top_k_is_dragged_in_the_picture(visit: Visit) -> None:
    page = visit.open("/generation?gen_shown=greedy,walk,top_k&gen_lane=top_k")
    bars = page.locator(".box svg").first
    expect(bars.get_by_text("first choice, Top-k: 2 of 282 kept")).to_be_visible()
    box = bars.locator("[data-n=top_k] circle").bounding_box()
    fourth, fifth = (bars.get_by_text(word, exact=True).bounding_box() for word in ("wait", "sing"))
    assert box and fourth and fifth
    sent = len(visit.sent)
    x, half = box["x"] + box["width"] / 2, fourth["height"] / 2
    page.mouse.move(x, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, (fourth["y"] + fifth["y"]) / 2 + half, steps=6)
    expect(bars.get_by_text("first choice, Top-k: 4 of 282 kept")).to_be_visible()
    assert len(visit.sent) == sent
    page.mouse.up()
    asked(page, "gen_top_k", "4")


def test_a_card_is_promoted_and_the_link_shows_the_same_to_a_friend(
    visit: Visit, friend: Visit
) -> None:
    page = visit.open("/generation")
    for label in ("Greedy", "Beam search", "Random walk"):
        expect(lane(page, label)).to_be_visible()
    card(page, "Top-k").focus()
    page.keyboard.press("Enter")
    asked(page, "gen_lane", "top_k")
    expect(lane(page, "Top-k")).to_have_attribute("aria-pressed", "true")
    expect(card(page, "Random walk")).to_be_visible()
    lane(page, "Greedy").click()
    asked(page, "gen_lane", "greedy")
    visit.settle()
    drawn = visit.drawn()
    other = friend.open(page.url.removeprefix(visit.address))
    expect(lane(other, "Greedy")).to_have_attribute("aria-pressed", "true")
    friend.settle()
    assert friend.drawn() == drawn


def test_the_texts_go_back_and_on_word_by_word(visit: Visit) -> None:
    page = visit.open("/generation")
    total = page.locator(".box svg").get_by_text("−3.567", exact=True)
    expect(total).to_have_count(1)
    sent = len(visit.sent)
    for _ in range(3):
        press(page, "One word back")
    expect(page.get_by_text("word 5 of 8", exact=True)).to_be_visible()
    expect(total).to_have_count(0)
    press(page, "One word on")
    expect(page.get_by_text("word 6 of 8", exact=True)).to_be_visible()
    press(page, "Write the texts again, word by word")
    expect(total).to_have_count(1)
    assert len(visit.sent) == sent


def test_equal_texts_are_said_to_be_the_same(visit: Visit) -> None:
    page = visit.open("/generation?gen_shown=greedy,repetition,beam")
    expect(page.get_by_text("= the same text as Greedy", exact=True)).to_be_visible()


def test_words_that_look_like_html_are_shown_as_they_are(visit: Visit) -> None:
    text = "<img/src=x/onerror=window.ran=1>"
    page = visit.open(f"/generation?gen_text={quote(text)}")
    expect(page.get_by_text("the model knows; got", exact=False)).to_be_visible()
    assert page.evaluate("window.ran") is None
    expect(lane(page, "Greedy")).to_be_visible()


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_on_a_phone_the_lanes_stand_one_below_the_other(visit: Visit) -> None:
    page = visit.open("/generation")
    places = [lane(page, each).bounding_box() for each in ("Greedy", "Beam search", "Random walk")]
    boxes = [box for box in places if box]
    assert len({round(box["x"]) for box in boxes}) == 1 and len(boxes) == 3
    assert boxes[0]["y"] < boxes[1]["y"] < boxes[2]["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
