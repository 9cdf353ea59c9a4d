"""The map of the models in the bar, by keyboard, on a laptop and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

LEAVES = """(body) => [...body.querySelectorAll("a")].filter((box) => {
  const b = box.getBoundingClientRect();
  return b.left < 0 || b.right > innerWidth || box.scrollWidth > box.clientWidth + 1;
}).map((box) => box.textContent)"""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_a_box_is_reached_and_opened_by_keyboard(visit: Visit, width: int, height: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": height})
    page = visit.open("/bert")
    bar = page.locator(".st-key-bar")
    assert bar.evaluate("bar => bar.scrollWidth - bar.clientWidth") <= 0
    assert bar.locator("h1").evaluate("title => title.clientWidth") >= 120
    page.get_by_role("button", name="Map", exact=True).press("Enter")
    body = page.get_by_test_id("stPopoverBody")
    expect(body.get_by_role("link", name="you are here")).to_have_text(
        "BERT: masked words · you are here"
    )
    assert body.evaluate(LEAVES) == []
    body.get_by_role("link", name="LSTM", exact=True).press("Enter")
    expect(page.locator("h1")).to_have_text("LSTM gates and vanishing gradients")
    visit.settle()
    assert page.get_by_role("button", name="Map", exact=True).count() == 0
