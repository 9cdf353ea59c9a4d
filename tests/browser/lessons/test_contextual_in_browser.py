"""Contextual embeddings in a browser: layers scrubbed, occurrences pressed, layers mixed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page

from lmcore.contextual.clouds import Clouds, microworld_contexts, trace_clouds
from lmcore.contextual.record import layered_model
from lmcore.numbers import format_number
from tests.browser.conftest import MOVING, Visit
from tests.browser.lessons.test_drag import NEXT_FRAME, SET

pytestmark = pytest.mark.walk("contextual", alone=True)

PATH = "/contextual?ct_model=encoder&ct_word=die"
SPOTS = """(node) => [...node.querySelectorAll('.box [aria-pressed] path')]
    .map((mark) => mark.getBoundingClientRect())
    .flatMap((box) => [box.x + box.width / 2, box.y + box.height / 2])"""
AT_REST = """() => new Promise((done) => {
    const figure = [...document.querySelectorAll('*')]
        .map((node) => node.shadowRoot?.querySelector('.stage.figure')).find(Boolean);
    let before = '';
    const look = () => {
        const now = figure.querySelector('.box svg').innerHTML;
        if (now === before) return done();
        before = now;
        setTimeout(look, 150);
    };
    look();
})"""


def picture(page: Page) -> Locator:
    return page.locator(".stage.figure")


def pairs(spots: list[float]) -> Iterator[tuple[float, float]]:
    return zip(spots[::2], spots[1::2], strict=True)


def said(page: Page) -> str:
    return picture(page).locator(".said").inner_text()


def found() -> Clouds:
    return trace_clouds(layered_model("encoder"), microworld_contexts("die").occurrences)


def test_every_layer_is_scrubbed_through_without_a_message(visit: Visit) -> None:
    page, clouds = visit.open(PATH), found()
    slider = page.get_by_role("slider", name="layer", exact=True)
    sent = len(visit.sent)
    for layer in (0, 2, 1, 3):
        slider.evaluate(SET, layer)
        page.evaluate(NEXT_FRAME)
        assert f"At layer {layer}" in said(page)
        between = format_number(float(clouds.between[layer]))
        assert between in said(page)
        spots = picture(page).evaluate(SPOTS)
        centres = {(round(x), round(y)) for x, y in pairs(spots)}
        assert (len(centres) == 1) == (layer == 0)
    assert len(visit.sent) == sent


@MOVING
def test_the_points_glide_between_two_layers_and_rest_on_the_layers_own(visit: Visit) -> None:
    page = visit.open(PATH)
    slider = page.get_by_role("slider", name="layer", exact=True)
    slider.evaluate(SET, 0)
    page.evaluate(AT_REST)
    start = picture(page).evaluate(SPOTS)
    slider.evaluate(SET, 3)
    page.evaluate(AT_REST)
    end = picture(page).evaluate(SPOTS)
    assert start != end
    slider.dispatch_event("change")
    visit.settle()
    page.evaluate(AT_REST)
    assert picture(page).evaluate(SPOTS) == pytest.approx(end, abs=0.5)
    assert visit.query()["ct_layer"] == "3"


def test_the_strip_below_the_map_moves_the_layer_and_tells_the_server_once(visit: Visit) -> None:
    page = visit.open(f"{PATH}&ct_layer=3")
    box = picture(page).locator("rect.grab").last.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    sent = len(visit.sent)
    page.mouse.move(box["x"] + box["width"] - 13, y)
    page.mouse.down()
    for part in (0.8, 0.5, 0.35):
        page.mouse.move(box["x"] + part * box["width"], y)
        page.evaluate(NEXT_FRAME)
    assert "At layer 1" in said(page)
    assert len(visit.sent) == sent
    page.mouse.up()
    visit.settle()
    assert visit.query()["ct_layer"] == "1"
    assert "At layer 1" in said(page)


def test_a_pressed_occurrence_stands_with_its_nearest_neighbours(visit: Visit) -> None:
    page, clouds = visit.open(f"{PATH}&ct_layer=2"), found()
    sent = len(visit.sent)
    texts = microworld_contexts("die").occurrences
    spot = picture(page).get_by_role("button", name="the queen was ill. i saw her die.", exact=True)
    spot.press("Enter")
    page.evaluate(NEXT_FRAME)
    assert spot.get_attribute("aria-pressed") == "true"
    place = next(
        i for i, t in enumerate(texts) if " ".join(t.words) == "the queen was ill . i saw her die ."
    )
    row = clouds.cosines[2, place].clone()
    row[place] = -1
    written = picture(page).locator(".box").inner_text()
    assert f"{float(row.max()):.2f}" in written
    assert len(visit.sent) == sent


def test_a_pressed_mixture_sets_the_weights(visit: Visit) -> None:
    page = visit.open("/contextual?ct_model=bilm&see=Mix+layers")
    page.get_by_role("button", name="s = 0, 1, 0:").click()
    visit.settle()
    assert visit.query()["mx_w1"] == "4"
    assert visit.query()["mx_w0"] == visit.query()["mx_w2"] == "-4"


def test_another_word_is_chosen_in_the_three_columns_without_a_message(visit: Visit) -> None:
    page = visit.open("/contextual?ct_model=bilm&see=Three+models")
    sent = len(visit.sent)
    words = page.get_by_role("button", name="The vector of parked", exact=True)
    words.nth(1).click()
    page.evaluate(NEXT_FRAME)
    for n in range(3):
        assert words.nth(n).get_attribute("aria-pressed") == "true"
    assert len(visit.sent) == sent
