"""The BERT page in a browser: move the gap, read the exact answer, send the link, play, train."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.walk("bert", alone=True)

ASKED = "(name) => new URLSearchParams(location.search).get(name)"
BARS = """() => {
    const figure = [...document.querySelectorAll('*')]
        .map((node) => node.shadowRoot?.querySelector('.figure')).find(Boolean);
    return [...figure.querySelectorAll('.box svg text')].map((text) => text.textContent);
}"""


def word(page: Page, place: int) -> Locator:
    return page.locator(f"[data-place='{place}']")


def covered(page: Page) -> Locator:
    return page.locator("[data-place][aria-pressed='true']")


def asked(page: Page, name: str, value: str) -> None:
    page.wait_for_function(f"({ASKED})('{name}') === '{value}'")


def test_the_gap_moves_to_a_pressed_word_and_a_link_shows_the_same(
    visit: Visit, friend: Visit
) -> None:
    page = visit.open("/bert")
    expect(word(page, 14)).to_have_attribute("aria-pressed", "true")
    word(page, 6).click()
    expect(word(page, 14)).to_have_attribute("aria-pressed", "false")
    expect(word(page, 6)).to_contain_text("[MASK]")
    asked(page, "fill_at", "6")
    visit.settle()
    expect(page.locator(".said")).to_contain_text("“street”")
    shown = page.evaluate(BARS)
    assert "street" in shown
    other = friend.open(page.url.removeprefix(visit.address))
    expect(other.locator(".said")).to_contain_text("“street”")
    assert other.evaluate(BARS) == shown


def test_the_press_is_drawn_before_the_server_has_answered(visit: Visit) -> None:
    page = visit.open("/bert")
    expect(word(page, 2)).to_be_visible()
    drawn = page.evaluate(
        """async () => {
          const find = (root) => { for (const e of root.querySelectorAll("*")) {
            if (e.matches("[data-place='2']")) return e;
            const inside = e.shadowRoot && find(e.shadowRoot);
            if (inside) return inside; } };
          const chip = find(document);
          chip.dispatchEvent(new MouseEvent("click"));
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return find(document).getAttribute("aria-pressed");
        }"""
    )
    assert drawn == "true"
    asked(page, "fill_at", "2")


def test_presses_in_quick_succession_are_all_kept_and_keys_cover_too(visit: Visit) -> None:
    page = visit.open("/bert?fill_several=true")
    for place in (2, 6, 11, 14):
        word(page, place).click()
    asked(page, "fill_at", "2,6,11")
    visit.settle()
    expect(covered(page)).to_have_count(3)
    word(page, 9).focus()
    page.keyboard.press("Space")
    asked(page, "fill_at", "2,6,9,11")
    expect(word(page, 9)).to_have_attribute("aria-pressed", "true")
    visit.settle()
    expect(word(page, 9)).to_be_focused()
    page.keyboard.press("Enter")
    asked(page, "fill_at", "2,6,11")


def test_gaps_that_have_no_room_for_their_bars_are_turned_to(visit: Visit) -> None:
    page = visit.open("/bert?fill_several=true&fill_at=2,4,6,9,11,14")
    visit.settle()
    turned = page.get_by_role("button", name="3 gaps after")
    expect(turned).to_be_visible()
    assert {"gap 2", "gap 4", "gap 6"} <= set(page.evaluate(BARS))
    turned.click()
    expect(page.get_by_role("button", name="3 gaps before")).to_be_visible()
    assert {"gap 9", "gap 11", "gap 14"} <= set(page.evaluate(BARS))


def test_the_covered_word_stands_nowhere_until_it_is_answered(visit: Visit) -> None:
    page = visit.open("/bert?fill_text=a+wolf+was+old.&fill_at=2")
    page.get_by_role("button", name="Predict first").click()
    visit.settle()
    expect(page.locator(".said")).to_contain_text(
        "Which word does the model find likeliest at the gap?"
    )
    expect(page.get_by_role("textbox", name="Text")).to_have_count(0)
    expect(word(page, 2)).to_have_attribute("aria-label", "Word 2, covered")
    assert "wolf" not in str(page.locator(".box svg").get_attribute("aria-label"))
    page.get_by_role("button", name="Reveal").click()
    visit.settle()
    expect(word(page, 2)).to_have_attribute("aria-label", "Word 2, wolf")


def test_what_is_typed_is_shown_as_text_and_never_run(visit: Visit) -> None:
    text = "<img/src=x/onerror=window.ran=1> [MASK]"
    page = visit.open(f"/bert?fill_at=&fill_text={quote(text)}")
    expect(page.get_by_role("alert").first).to_contain_text("got")
    assert page.evaluate("window.ran") is None
    assert page.locator(".stMain img[src='x']").count() == 0


def test_the_game_is_played_by_press_and_its_link_goes_on(visit: Visit, friend: Visit) -> None:
    page = visit.open("/bert?see=Cloze+game")
    page.get_by_role("button", name="cooked", exact=True).click()
    expect(page.locator(".said")).to_contain_text("the hidden word is “cold”")
    asked(page, "game_said", "cooked")
    other = friend.open(page.url.removeprefix(visit.address))
    expect(other.locator(".said")).to_contain_text("the hidden word is “cold”")
    other.get_by_role("button", name="Next text").click()
    expect(other.get_by_text("Which word was here?")).to_be_visible()


def test_a_word_of_the_readers_text_is_pressed_to_be_the_gap(visit: Visit) -> None:
    page = visit.open("/bert?see=Five+readers")
    word(page, 2).click()
    asked(page, "readers_gap", "2")
    expect(page.locator(".said")).to_contain_text("“wolf”")


def test_a_bert_is_trained_paused_and_linked(visit: Visit, friend: Visit) -> None:
    page = visit.open("/bert?see=Train+one")
    page.get_by_role("button", name="Train one").click()
    page.wait_for_function(f"({ASKED})('pretrain_runs') !== null", timeout=60_000)
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_be_enabled(timeout=60_000)
    expect(page.get_by_text("nats, perplexity").first).to_be_visible(timeout=60_000)
    pause.click()
    expect(page.get_by_role("button", name="Resume")).to_be_enabled(timeout=60_000)
    other = friend.open(page.url.removeprefix(visit.address))
    expect(other.get_by_text("paused").first).to_be_visible()
    friend.choose("Look closer", "Predictions during training")
    expect(other.locator(".said")).to_contain_text("the encoder trained here", timeout=60_000)
    friend.choose("Look closer", "Train one")
    expect(other.get_by_text("paused").first).to_be_visible()
    expect(other.get_by_role("button", name="Stop")).to_have_count(0)  # a link only lets one watch
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("stopped").first).to_be_visible()
    expect(other.get_by_text("stopped").first).to_be_visible()
