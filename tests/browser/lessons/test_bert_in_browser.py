"""The BERT page by hand: cover a word, read the exact answer, send the link, play, train."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit

ASKED = "(name) => new URLSearchParams(location.search).get(name)"


def word(page: Page, place: int) -> Locator:
    return page.locator(f".stage [data-place='{place}']")


def card(page: Page, place: int) -> Locator:
    return page.locator(".pictures svg").filter(has_text=f"{place}: “")


def asked(page: Page, name: str, value: str) -> None:
    page.wait_for_function(f"({ASKED})('{name}') === '{value}'")


def test_a_word_is_covered_with_its_exact_answer_and_a_link_shows_the_same(
    visit: Visit, friend: Visit
) -> None:
    page = visit.open("/bert")
    expect(card(page, 14)).to_contain_text("animal")
    expect(card(page, 14)).to_contain_text("KL = ")
    word(page, 6).click()
    expect(word(page, 6)).to_contain_text("[MASK]")
    expect(card(page, 6)).to_contain_text("“street” is covered")
    asked(page, "fill_at", "6,14")
    visit.settle()
    expect(page.get_by_text("the mean of 2 terms")).to_be_visible()
    shown = [card(page, place).text_content() for place in (6, 14)]
    other = friend.open(page.url.removeprefix(visit.address))
    for place, text in zip((6, 14), shown, strict=True):
        expect(card(other, place)).to_have_text(str(text))


def test_the_next_press_is_drawn_before_the_server_has_answered(visit: Visit) -> None:
    page = visit.open("/bert")
    expect(card(page, 14)).to_be_visible()
    drawn = page.evaluate(
        """async () => {
          const find = (root) => { for (const e of root.querySelectorAll("*")) {
            if (e.matches("[data-place='2']")) return e;
            const inside = e.shadowRoot && find(e.shadowRoot);
            if (inside) return inside; } };
          const chip = find(document);
          chip.click();
          return chip.closest(".stage").querySelectorAll(".pictures svg").length;
        }"""
    )
    assert drawn == 2
    asked(page, "fill_at", "2,14")


def test_presses_in_quick_succession_are_all_kept_and_keys_cover_too(visit: Visit) -> None:
    page = visit.open("/bert")
    for place in (2, 6, 11, 14):
        word(page, place).click()
    asked(page, "fill_at", "2,6,11")
    visit.settle()
    expect(page.locator(".pictures svg")).to_have_count(3)
    word(page, 9).focus()
    page.keyboard.press("Space")
    asked(page, "fill_at", "2,6,9,11")
    expect(word(page, 9)).to_have_attribute("aria-pressed", "true")
    visit.settle()
    expect(word(page, 9)).to_be_focused()
    page.keyboard.press("Enter")
    asked(page, "fill_at", "2,6,11")


def test_what_is_typed_is_shown_as_text_and_never_run(visit: Visit) -> None:
    text = "<img/src=x/onerror=window.ran=1> [MASK]"
    page = visit.open(f"/bert?fill_at=&fill_text={quote(text)}")
    expect(page.get_by_role("alert").first).to_contain_text("got")
    assert page.evaluate("window.ran") is None
    assert page.locator(".stMain img[src='x']").count() == 0


def test_the_game_is_played_by_press_and_its_link_goes_on(visit: Visit, friend: Visit) -> None:
    page = visit.open("/bert?bert_tab=game")
    page.get_by_role("button", name="cooked", exact=True).click()
    expect(page.get_by_text("was the hidden word.").first).to_be_visible()
    asked(page, "game_said", "cooked")
    other = friend.open(page.url.removeprefix(visit.address))
    expect(other.get_by_text("“cold” was the hidden word.").first).to_be_visible()
    other.get_by_role("button", name="Next text").click()
    expect(other.get_by_text("Which word was here?")).to_be_visible()


def test_a_bert_is_trained_paused_and_linked(visit: Visit, friend: Visit) -> None:
    page = visit.open("/bert?bert_tab=pretrain")
    page.get_by_role("button", name="Train one").click()
    page.wait_for_function(f"({ASKED})('pretrain_runs') !== null", timeout=60_000)
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_be_enabled(timeout=60_000)
    expect(page.get_by_text("nats, perplexity").first).to_be_visible(timeout=60_000)
    pause.click()
    expect(page.get_by_role("button", name="Resume")).to_be_enabled(timeout=60_000)
    other = friend.open(page.url.removeprefix(visit.address))
    expect(other.get_by_text("paused").first).to_be_visible()
    expect(other.get_by_text("14: ▸ animal")).to_be_visible(timeout=60_000)
    other.get_by_role("button", name="Stop").click()
    expect(other.get_by_text("stopped").first).to_be_visible()
