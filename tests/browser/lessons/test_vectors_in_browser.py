"""The Word vectors page in a browser: training steps scrubbed, the window slid, a word pressed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page

from lmcore.embeddings.static import planted
from lmcore.embeddings.static.methods import VectorConfig, train_vectors
from lmcore.embeddings.static.neighbours import nearest_words
from lmcore.numbers import format_number
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import SET

pytestmark = pytest.mark.walk("vectors", alone=True)

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def picture(page: Page) -> Locator:
    return page.locator(".stage.figure")


def said(page: Page) -> str:
    return picture(page).locator(".said").inner_text()


def test_every_snapshot_is_scrubbed_through_forwards_and_back_without_a_message(
    visit: Visit,
) -> None:
    page = visit.open("/vectors")
    record = train_vectors(planted.microworld_sentences(), VectorConfig()).record
    slider = page.get_by_role("slider", name="step of training", exact=True)
    sent = len(visit.sent)
    for place in (1, 20, 53, 30, 0):
        slider.evaluate(SET, place)
        page.evaluate(NEXT_FRAME)
        near = nearest_words(record.word_vectors(place), "cat")
        assert f"{near.words[0]} is nearest to cat" in said(page)
        assert f"at cosine {format_number(float(near.cosines[0]))}" in said(page)
    assert len(visit.sent) == sent


def test_the_handle_below_the_map_moves_time_and_tells_the_server_once(visit: Visit) -> None:
    page = visit.open("/vectors")
    box = picture(page).locator("rect.grab").last.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    sent = len(visit.sent)
    page.mouse.move(box["x"] + box["width"] - 9, y)
    page.mouse.down()
    for part in (0.9, 0.6, 0.3):
        page.mouse.move(box["x"] + part * box["width"], y)
        page.evaluate(NEXT_FRAME)
    assert len(visit.sent) == sent
    held = said(page)
    assert "After 800 steps" not in held
    page.mouse.up()
    visit.settle()
    assert said(page) == held
    assert f"After {visit.query()['wv_step']} steps" in held


def test_the_window_slides_without_a_message_and_a_word_of_the_map_is_chosen(visit: Visit) -> None:
    page = visit.open("/vectors")
    sent = len(visit.sent)
    chips = picture(page).get_by_role("button", name="Put the window on")
    chips.last.click()
    page.evaluate(NEXT_FRAME)
    assert chips.last.get_attribute("aria-pressed") == "true"
    assert len(visit.sent) == sent
    picture(page).get_by_role("button", name="Choose dog", exact=True).first.click()
    visit.settle()
    assert visit.query()["wv_word"] == "dog"
    assert "is nearest to dog" in said(page)
