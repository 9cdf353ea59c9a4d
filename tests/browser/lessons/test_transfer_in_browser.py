"""The Transfer page in a browser: labels scrubbed, parts pressed, curve dragged, run stopped."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from lessons.transfer import transfer_picture
from lmcore.numbers import format_number
from lmcore.transfer import curves
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import NEXT_FRAME, SET

pytestmark = pytest.mark.walk("transfer", alone=True)


def picture(page: Page) -> Locator:
    return page.locator(".stage.figure")


def said(page: Page) -> str:
    return picture(page).locator(".said").inner_text()


SEVERAL = "/transfer?tr_network=gpt&tr_task=person"
"""A page whose curve has recorded runs at several numbers of labels."""


def accuracy(labels: int, frozen: int, network: str = "encoder", task: str = "acceptable") -> str:
    score = curves.recorded_score(curves.frozen_spec(network, task, labels, frozen))
    return "no run is recorded yet" if score is None else format_number(score.mean)


def test_the_labels_are_scrubbed_through_without_a_message(visit: Visit) -> None:
    page = visit.open(SEVERAL)
    slider = page.get_by_role("slider", name="labels", exact=True)
    sent = len(visit.sent)
    counts = transfer_picture.labels_at("gpt", "person", 0)
    assert len(counts) > 2
    for place, labels in enumerate(counts):
        slider.evaluate(SET, place)
        page.evaluate(NEXT_FRAME)
        assert accuracy(labels, 0, "gpt", "person") in said(page)
    assert len(visit.sent) == sent


def test_a_pressed_part_is_frozen_with_all_below_it(visit: Visit) -> None:
    page = visit.open("/transfer")
    picture(page).get_by_role("button", name="block 1: 198,272 weights").click()
    visit.settle()
    assert visit.query()["tr_frozen"] == "2"
    expect(picture(page).locator(".said")).to_contain_text("2 of 4 parts frozen")
    expect(picture(page).locator(".said")).to_contain_text(accuracy(100, 2))
    expect(picture(page).locator(".formula")).to_contain_text("learn 397,058 weights")


def test_the_curve_is_dragged_and_tells_the_server_once(visit: Visit) -> None:
    page = visit.open(SEVERAL)
    grab = picture(page).locator("rect[style*='ew-resize']").bounding_box()
    assert grab is not None
    y = grab["y"] + grab["height"] / 2
    sent = len(visit.sent)
    page.mouse.move(grab["x"] + 0.35 * grab["width"], y)
    page.mouse.down()
    for part in (0.5, 0.8, 0.97):
        page.mouse.move(grab["x"] + part * grab["width"], y)
        page.evaluate(NEXT_FRAME)
    most = transfer_picture.labels_at("gpt", "person", 0)[-1]
    assert accuracy(most, 0, "gpt", "person") in said(page)
    assert len(visit.sent) == sent
    page.mouse.up()
    visit.settle()
    assert visit.query()["tr_labels"] == str(most)


def test_a_run_is_stopped_when_told(visit: Visit) -> None:
    page = visit.open("/transfer?see=Tune+it+here")
    page.get_by_role("button", name="Tune it here").last.click()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped after")).to_be_visible()
