"""The Tokens page by hand: drag the merges, type a word, share the link; nothing typed is run."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import drag

ASKED = "(name) => new URLSearchParams(location.search).get(name)"


def height(page: Page) -> float:
    """From the title to what stands below the sentence."""
    boxes = [page.locator(each).bounding_box() for each in ("h1", ".pieces-below")]
    assert boxes[0] and boxes[1]
    return boxes[1]["y"] - boxes[0]["y"]


def in_pieces(page: Page) -> list[str]:
    return page.locator(".pieces").first.locator(".piece").all_text_contents()


def test_a_drag_cuts_the_sentence_anew_without_the_server_and_is_then_in_the_link(
    visit: Visit, friend: Visit
) -> None:
    page = visit.open("/tokens")
    expect(page.locator(".piece.made")).to_have_text("flight")
    told, before = len(visit.sent), in_pieces(page)
    stood = height(page)
    drag(page, "merges")
    assert len(visit.sent) == told and in_pieces(page) != before
    assert height(page) == pytest.approx(stood)
    page.mouse.up()
    page.wait_for_function(f"({ASKED})('tokens_n') !== null")
    visit.settle()
    other = friend.open("/tokens?" + page.url.partition("?")[2])
    expect(other.locator(".mask-title").first).to_have_text(
        page.locator(".mask-title").first.inner_text()
    )
    assert in_pieces(other) == in_pieces(page)


def test_the_curve_can_be_dragged_and_moves_the_slider(visit: Visit) -> None:
    page = visit.open("/tokens")
    curve = page.get_by_role("img", name="merges the vocabulary has")
    curve.scroll_into_view_if_needed()
    box = curve.bounding_box()
    assert box
    told = len(visit.sent)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + 60, steps=8)
    expect(page.locator(".mask-title").first).to_contain_text("After 0 merges: 30 tokens")
    assert len(visit.sent) == told
    page.mouse.up()
    page.wait_for_function(f"({ASKED})('tokens_n') === '0'")
    expect(page.get_by_role("textbox", name="merges, typed")).to_have_value("0")


def test_a_typed_word_is_tried_piece_by_piece(visit: Visit) -> None:
    page = visit.open("/tokens?tokens_see=Longest+match")
    result = page.locator(".longest + .pieces")
    expect(result).to_have_text("flight##less")
    attempts = page.get_by_role("slider", name="Attempt")
    attempts.press("Home")
    expect(result).to_have_text("")
    for _ in range(5):
        attempts.press("ArrowRight")
    expect(result).to_have_text("flight")
    expect(page.locator(".readout").first).to_contain_text("flight is in the vocabulary")
    page.wait_for_function(f"({ASKED})('tokens_try') === '5'")
    word = page.get_by_role("textbox", name="Word", exact=True)
    word.fill("fearless")
    word.press("Enter")
    visit.settle()
    expect(page.locator(".longest svg text").first).to_have_text("f")
    assert visit.query()["tokens_word"] == "fearless"


def test_the_rows_of_a_token_add_up_at_every_dimension(visit: Visit) -> None:
    page = visit.open("/tokens?tokens_see=Input+of+BERT")
    said = page.locator(".readout.sum")
    page.get_by_role("slider", name="Dimension").press("Home")
    expect(said).to_contain_text("dimension 0:")
    page.get_by_role("group", name="Tokens").get_by_role("button").first.click()
    first = "“[CLS]”, dimension 0:"
    expect(said).to_contain_text(first)
    left, right = said.inner_text().removeprefix(first).replace("−", "-").split(" = ")
    parts = [float(part.strip(" ()")) for part in left.split(" + ")]
    assert sum(parts) == pytest.approx(float(right), abs=2e-4)
    page.wait_for_function(f"({ASKED})('tokens_at') === '0'")


def test_words_that_look_like_html_are_shown_and_never_run(visit: Visit) -> None:
    text = "<img/src=x/onerror=window.ran=1> <b>x</b> שלום 🙂"
    for view in ("Step by step", "Pair to ids", "Input of BERT"):
        page = visit.open(
            f"/tokens?tokens_sentence={quote(text)}&tokens_first={quote(text)}"
            f"&tokens_length=64&tokens_see={quote(view)}"
        )
        expect(page.locator(".piece", has_text="[UNK]").first).to_be_visible()
        expect(page.locator("[title='<']").first).to_be_visible()
        assert page.evaluate("window.ran") is None
        assert page.locator(".stMain img[src='x'], .pieces b").count() == 0


def test_a_text_of_ones_own_is_learnt_from_and_is_in_no_link(visit: Visit) -> None:
    page = visit.open("/tokens?tokens_sentence=banana&tokens_n=1")
    visit.choose("Learn from", "Your own")
    box = page.get_by_role("textbox", name="Your text")
    box.fill("banana bandana banana")
    box.press("Control+Enter")
    expect(page.get_by_text("every word is one piece").first).to_be_visible()
    page.get_by_role("slider", name="merges").press("End")
    expect(page.locator(".pieces").first.locator(".piece")).to_have_text(["banana"])
    assert "bandana" not in page.url
