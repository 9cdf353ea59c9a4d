"""Corruption in a browser: shares are dragged, words pressed, keys used."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from lmcore.corruption.corruption import Rates
from lmcore.corruption.draws import (
    CorruptionConfig,
    corrupt_as_chosen,
    corrupt_at_random,
    draw_for_text,
    visible_tokens,
)
from lmcore.corruption.text import text_from_words
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import drag

pytestmark = pytest.mark.walk("masking", alone=True)

TAB = "/masking?see=Corruption"
BY_LOT = f"{TAB}&corrupt_seed=5"
SLIDE = "2:[MASK] 4:[MASK] 7:apricot"
TEXT = text_from_words("So long and thanks for all the fish")
MOVE = """(node, at) => {
    node.value = at;
    node.dispatchEvent(new Event('input', {bubbles: true}));
}"""
ASKED = "(name) => new URLSearchParams(location.search).get(name)"


def words(page: Page) -> Locator:
    return page.locator(".box g[data-place] > text:first-of-type")


def tag(page: Page, place: int) -> Locator:
    return page.locator(f".box g[data-place='{place}'] > text").last


def shown(rates: Rates) -> list[str]:
    config = CorruptionConfig(seed=5)
    return list(
        visible_tokens(
            TEXT, corrupt_at_random(TEXT, config, [rates], draw_for_text(TEXT, config).draws)
        )
    )


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=True)


@pytest.mark.parametrize("name", ["chosen", "masked", "random"])
def test_the_browser_shows_what_lmcore_decides_at_every_position(visit: Visit, name: str) -> None:
    page = visit.open(BY_LOT)
    expect(words(page)).to_have_text(shown(Rates()))
    sent = len(visit.sent)
    for position in (0, 3, 20, 45, 60, 80, 100):
        slider(page, f"share {name}").evaluate(MOVE, position)
        share = position / 100
        rates = {
            "chosen": Rates(share),
            "masked": Rates(masked=share, random=min(0.1, round(1 - share, 9))),
            "random": Rates(random=share, masked=min(0.8, round(1 - share, 9))),
        }[name]
        expect(words(page)).to_have_text(shown(rates))
    assert len(visit.sent) == sent


def test_the_text_and_the_table_move_with_the_hand_and_the_address_hears_of_it_once(
    visit: Visit,
) -> None:
    page = visit.open(f"/masking?see=Loss&corrupt_seed=1&corrupt_hand={SLIDE}")
    expect(words(page)).to_have_text(
        list(visible_tokens(TEXT, corrupt_as_chosen(TEXT, SLIDE), SLIDE))
    )
    expect(page.locator("tr.here")).to_have_count(3)
    sent = len(visit.sent)
    drag(page, "share chosen")
    assert len(visit.sent) == sent
    expect(page.locator("tr.here")).not_to_have_count(3)
    page.mouse.up()
    page.wait_for_function(f"!({ASKED})('corrupt_hand')")
    share = float(visit.query()["corrupt_chosen"])
    config = CorruptionConfig(seed=1)
    wanted = corrupt_at_random(TEXT, config, [Rates(share)], draw_for_text(TEXT, config).draws)
    visit.settle()
    expect(words(page)).to_have_text(list(visible_tokens(TEXT, wanted)))
    expect(page.locator("tr.here")).to_have_count(int(wanted.chosen.sum()))


def test_a_threshold_is_dragged_in_the_picture(visit: Visit) -> None:
    page = visit.open(BY_LOT)
    handle = page.locator(".box g[data-n='corrupt_chosen']").bounding_box()
    picture = page.locator(".box svg").bounding_box()
    assert handle and picture
    y = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(picture["x"] + 0.97 * picture["width"], y, steps=5)
    expect(words(page)).to_have_text(shown(Rates(1.0)))
    page.mouse.up()
    page.wait_for_function(f"Number(({ASKED})('corrupt_chosen')) > 0.9")


def test_a_word_is_pressed_until_it_is_left_alone_again(visit: Visit) -> None:
    page = visit.open(f"{TAB}&corrupt_hand=1:[MASK]")
    word = page.locator(".box g[data-place='3']")
    for outcome, pattern in (("masked", r"4:\[MASK\]"), ("random", r"4:"), ("kept", "4:thanks")):
        word.click()
        page.wait_for_function(f"RegExp({pattern!r}).test(({ASKED})('corrupt_hand'))")
        visit.settle()
        expect(tag(page, 3)).to_have_text(outcome)
    word.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"({ASKED})('corrupt_hand') === '1:[MASK]'")
    visit.settle()
    expect(word.locator("text")).to_have_text(["thanks"])


def test_keys_move_a_share_and_the_field_takes_a_number(visit: Visit) -> None:
    page = visit.open(BY_LOT)
    slider(page, "share chosen").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"({ASKED})('corrupt_chosen') === '0.16'")
    visit.settle()
    visit.type("share masked", "0.95")
    assert visit.query()["corrupt_random"] == "0.05"
    visit.type("share masked", "1.5")
    expect(page.get_by_text("the share masked must be from 0 to 1; got 1.5")).to_be_visible()


def test_a_typed_tag_is_text(visit: Visit) -> None:
    page = visit.open(f"{TAB}&corrupt_text=<img src=x onerror=alert(1)> two")
    expect(words(page).first).to_have_text("<")
    assert page.locator(".box img").count() == 0


def test_the_length_of_an_input_follows_the_hand(visit: Visit) -> None:
    page = visit.open("/masking?see=RoBERTa+packing")
    expect(page.locator(".chips")).to_have_count(2)
    sent = len(visit.sent)
    drag(page, "length of an input")
    expect(page.locator(".chips")).to_have_count(1)
    assert len(visit.sent) == sent
    page.mouse.up()
    page.wait_for_function(f"Number(({ASKED})('corrupt_pack_length')) > 20")
