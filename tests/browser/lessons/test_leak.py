"""The leakage experiment as a visitor does it: both runs, then their results."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.walk("masking", alone=True)

PATH = "/masking?see=Train+without+it&masking_steps=600"


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+\.\d+|\d+", text)]


@pytest.mark.walk("masking")
def test_without_the_mask_the_loss_dives_and_the_text_is_none(visit: Visit) -> None:
    page = visit.open(PATH)
    page.get_by_role("button", name="Train both").click()
    expect(page.locator(".said")).to_contain_text("Both train now", timeout=60_000)
    box = page.locator(".box svg").bounding_box()  # the curves are in the window, with no scrolling
    assert box and box["y"] + box["height"] < page.viewport_size["height"]  # type: ignore[index]
    expect(page.get_by_text("dotted: recorded", exact=False)).to_be_visible(timeout=60_000)
    expect(page.locator(".said")).to_contain_text("Without the mask the loss is", timeout=420_000)
    visit.choose("Look closer", "What they write")
    # The table has its heading and a row for each run.
    row = page.locator("table", has_text="no causal mask").first
    expect(row.locator("tr")).to_have_count(3, timeout=420_000)
    visit.settle()
    cells = row.locator("tr", has_text="no causal mask").locator("td").all_text_contents()
    training, honest, truth, share = (numbers(cell)[0] for cell in cells)
    assert training < truth / 10
    assert honest > math.log(282)  # the loss of a uniform guess
    assert share == 0
    masked = row.locator("tr").nth(1).locator("td").all_text_contents()
    assert truth < numbers(masked[0])[0] < 1.5 * truth
    assert numbers(masked[3])[0] > 0.1
    # The address names both runs, so that a link shows the same ones.
    assert visit.query()["masking_runs"].count(",") == 1
