"""The Tokens page in a browser: drag merges, type a word, share the link; typed code never runs."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import drag

pytestmark = pytest.mark.walk("tokens", alone=True)

ASKED = "(name) => new URLSearchParams(location.search).get(name)"
TILES = """() => {
  const figure = [...document.querySelectorAll("*")]
    .map((node) => node.shadowRoot?.querySelector(".figure")).find(Boolean);
  return [...figure.querySelectorAll(".box svg text")].map((text) => text.textContent);
}"""
"""Every text of the main picture."""


def drawn(page: Page) -> list[str]:
    texts: list[str] = page.evaluate(TILES)
    return texts


def grab(page: Page, to: float) -> None:
    """Drag the level by its handle, by `to` pixels but within the window, and hold it."""
    handle = page.locator(".box svg .level rect")
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    size = page.viewport_size
    assert size
    page.mouse.move(x, min(max(y + to, 2), size["height"] - 2), steps=8)


def test_a_drag_splits_the_word_anew_without_the_server_and_is_then_in_the_link(
    visit: Visit, friend: Visit
) -> None:
    page = visit.open("/tokens")
    said = page.locator(".said")
    expect(said).to_contain_text("After 12 merges it is 2 pieces: flight ##less.")
    sent, before = len(visit.sent), drawn(page)
    drag(page, "merges")
    expect(said).not_to_contain_text("12 merges")
    assert len(visit.sent) == sent and drawn(page) != before
    page.mouse.up()
    page.wait_for_function(f"({ASKED})('tokens_n') !== null")
    visit.settle()
    other = friend.open("/tokens?" + page.url.partition("?")[2])
    expect(other.locator(".said")).to_have_text(said.inner_text())
    assert drawn(other) == drawn(page)


def test_the_level_is_grabbed_in_the_picture_and_moves_the_slider(visit: Visit) -> None:
    page = visit.open("/tokens")
    sent = len(visit.sent)
    grab(page, 2000)
    expect(page.locator(".said")).to_contain_text("After 0 merges it is 10 pieces")
    assert len(visit.sent) == sent
    page.mouse.up()
    page.wait_for_function(f"({ASKED})('tokens_n') === '0'")
    expect(page.get_by_role("textbox", name="merges, typed")).to_have_value("0")
    visit.settle()
    grab(page, -2000)
    expect(page.locator(".said")).to_contain_text("After 74 merges")
    page.mouse.up()
    page.wait_for_function(f"({ASKED})('tokens_n') === '74'")


def test_while_the_level_is_held_what_stood_before_stays_dashed(visit: Visit) -> None:
    page = visit.open("/tokens")
    dashed = page.locator(".box svg rect[stroke-dasharray='4 3']")
    assert page.locator(".box svg [stroke-dasharray='5 4']").count() == 0
    grab(page, 120)
    expect(page.locator(".box svg [stroke-dasharray='5 4']")).to_have_count(1)
    assert dashed.count() > 0
    page.mouse.up()


def test_a_node_stays_the_same_element_while_the_level_moves(visit: Visit) -> None:
    page = visit.open("/tokens?tokens_n=6")
    page.evaluate(
        """() => {
          const figure = [...document.querySelectorAll("*")]
            .map((node) => node.shadowRoot?.querySelector(".figure")).find(Boolean);
          window.tile = [...figure.querySelectorAll(".box svg text")]
            .find((text) => text.textContent === "##less" && text.getAttribute("font-size") > 15);
        }"""
    )
    page.get_by_role("slider", name="merges").press("ArrowRight")
    expect(page.locator(".said")).to_contain_text("After 7 merges")
    assert page.evaluate("window.tile.isConnected && window.tile.textContent") == "##less"


def test_a_long_text_is_moved_sideways_by_two_buttons(visit: Visit) -> None:
    text = quote("the unforgettable lighthouse keeper remembered everything afterwards")
    page = visit.open(f"/tokens?tokens_sentence={text}&tokens_n=0")
    before, after = (
        page.get_by_role("button", name=f"Letters {way}") for way in ("before", "after")
    )
    for button in (before, after):
        while button.count():
            button.press("Enter")
            page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(before).to_have_count(1)
    expect(after).to_have_count(0)


def test_a_typed_word_is_looked_up_piece_by_piece(visit: Visit) -> None:
    page = visit.open("/tokens?see=Longest+match")
    assert {"flight", "##less", "6 lookups"} <= set(drawn(page))
    fewer = page.get_by_role("button", name="One lookup fewer")
    for n in (5, 4):
        fewer.press("Enter")
        page.wait_for_function(f"({ASKED})('tokens_try') === '{n}'")
    visit.settle()
    assert "lookup 4 of 6" in drawn(page) and "flight" not in drawn(page)
    page.get_by_role("button", name="One lookup more").press("Enter")
    page.wait_for_function(f"({ASKED})('tokens_try') === '5'")
    visit.settle()
    assert "flight" in drawn(page) and "##less" not in drawn(page)
    word = page.get_by_role("textbox", name="Word", exact=True)
    word.fill("fearless")
    word.press("Enter")
    visit.settle()
    expect(page.locator(".said")).to_contain_text("fearless")
    assert visit.query()["tokens_word"] == "fearless"


def test_the_rows_of_a_token_add_up_at_every_dimension(visit: Visit) -> None:
    page = visit.open("/tokens?see=Input+of+BERT")
    said = page.locator(".said")
    sent = len(visit.sent)
    page.get_by_role("slider", name="dimension").press("Home")
    expect(said).to_contain_text("Dimension 0 of")
    left, right = said.inner_text().partition(": ")[2].rstrip(".").replace("−", "-").split(" = ")
    parts = [float(part.strip(" ()").rsplit(" ", 1)[1].strip("()")) for part in left.split(" + ")]
    assert sum(parts) == pytest.approx(float(right), abs=2e-4)
    assert len(visit.sent) >= sent
    page.get_by_role("button", name="[CLS], position 0").click()
    page.wait_for_function(f"({ASKED})('tokens_at') === '0'")
    expect(said).to_contain_text("of [CLS]:")


def test_words_that_look_like_html_are_shown_and_never_run(visit: Visit) -> None:
    text = "<img/src=x/onerror=window.ran=1> <b>x</b> שלום 🙂"
    for view in ("Picture", "Step by step", "Pair to ids", "Input of BERT"):
        page = visit.open(
            f"/tokens?tokens_sentence={quote(text)}&tokens_first={quote(text)}"
            f"&tokens_length=64&see={quote(view)}"
        )
        assert page.evaluate("window.ran") is None
        assert page.locator(".stMain img[src='x'], .said b b, .box b").count() == 0
        if view == "Picture":
            assert {"[UNK]", "<", "🙂"} <= set(drawn(page))


def test_a_text_of_ones_own_is_learnt_from_and_is_in_no_link(visit: Visit) -> None:
    page = visit.open("/tokens?tokens_sentence=banana&tokens_n=1")
    visit.choose("Learn from", "Your own")
    box = page.get_by_role("textbox", name="Your text")
    box.fill("banana bandana banana")
    box.press("Control+Enter")
    expect(page.locator(".said")).to_contain_text("The text has banana 2 times")
    page.get_by_role("slider", name="merges").press("End")
    expect(page.locator(".said")).to_contain_text("1 piece: banana.")
    assert "bandana" not in page.url
