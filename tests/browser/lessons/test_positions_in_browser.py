"""Two places and their dot product follow the hand, on the picture as on the sliders."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import NEXT_FRAME, drag
from tests.browser.lessons.test_network_pages import CHANGED

LINE = ".lines .line.score"
PLACES = 128


def column(page: Page, place: int) -> tuple[float, float]:
    """The middle of the heat map's column of that place, on screen."""
    box = page.locator(".pictures svg image").bounding_box()
    assert box
    return box["x"] + box["width"] * (place + 0.5) / PLACES, box["y"] + box["height"] / 2


def pull(page: Page, start: int, end: int) -> list[str]:
    """Drag from one column to another, hold, and say what stood beside each step."""
    page.locator(".pictures svg image").scroll_into_view_if_needed()
    page.mouse.move(*column(page, start))
    page.mouse.down()
    seen = []
    for place in range(start, end + 1, 5 if end > start else -5):
        page.mouse.move(*column(page, place))
        page.evaluate(NEXT_FRAME)
        seen.append(page.locator(LINE).inner_text())
    page.mouse.move(*column(page, end))
    page.evaluate(NEXT_FRAME)
    return seen


def test_a_drag_of_the_place_turns_the_clocks_and_leaves_the_dot_product(visit: Visit) -> None:
    page = visit.open("/positions")
    hand = page.locator("[data-pair='0'] line").last
    before, told = hand.get_attribute("x2"), len(visit.sent)
    seen = pull(page, 5, 45)
    assert len(visit.sent) == told
    assert len(set(seen)) == len(seen) and all(each.endswith("= 211.7") for each in seen)
    assert hand.get_attribute("x2") != before
    expect(page.get_by_role("slider", name="place pos", exact=True)).to_have_value("45")
    page.mouse.up()
    page.wait_for_function(CHANGED, arg=["positions_place", None])
    visit.settle()
    assert visit.query()["positions_place"] == "45"
    expect(page.locator(LINE)).to_contain_text("PE(45)·PE(48)")


def test_the_other_place_is_dragged_by_its_own_mark(visit: Visit) -> None:
    page = visit.open("/positions")
    seen = pull(page, 8, 38)
    assert all(each.startswith("PE(5)·") for each in seen)
    assert len({each.rsplit("= ")[-1] for each in seen}) > 5
    page.mouse.up()
    page.wait_for_function(CHANGED, arg=["positions_offset", None])
    visit.settle()
    assert visit.query() == {"positions_offset": "33"}


def test_a_slider_drags_the_picture_and_tells_nobody_meanwhile(visit: Visit) -> None:
    page = visit.open("/positions")
    told, before = len(visit.sent), page.locator(LINE).inner_text()
    drag(page, "offset k to the other place")
    assert len(visit.sent) == told
    assert page.locator(LINE).inner_text() != before
    page.mouse.up()
    page.wait_for_function(CHANGED, arg=["positions_offset", None])


def test_a_pressed_clock_is_opened_in_the_step_table(visit: Visit) -> None:
    page = visit.open("/positions")
    page.locator("[data-pair='51']").click()
    expect(page.get_by_text("Pair 51, dimensions 102 and 103")).to_be_attached()
    assert visit.query()["positions_pair"] == "51"
    page.locator("[data-pair='0']").click()
    expect(page.get_by_text("Pair 0, dimensions 0 and 1,")).to_be_attached()


def test_a_cell_that_is_pointed_at_says_its_number(visit: Visit) -> None:
    page = visit.open("/positions?positions_width=4&positions_place=1&positions_offset=1")
    box = page.locator(".pictures svg image").bounding_box()
    assert box
    x, _ = column(page, 3)
    page.mouse.move(x, box["y"] + box["height"] / 8)
    expect(page.locator(".readout")).to_have_text("PE(3), dimension 0: 0.1411")
    page.mouse.move(x, box["y"] + 7 * box["height"] / 8)
    expect(page.locator(".readout")).to_have_text("PE(3), dimension 3: 0.9996")


def test_a_shuffle_by_hand_changes_nothing_until_positions_are_on(visit: Visit) -> None:
    page = visit.open("/positions?positions_see=Shuffle+the+words")
    page.get_by_role("button", name="Shuffle again").click()
    visit.settle()
    expect(page.get_by_text("the vector it had")).to_be_visible()
    page.get_by_text("Add positions", exact=True).click()
    visit.settle()
    expect(
        page.get_by_text("the network gets the order of the words from positions")
    ).to_be_visible()
    assert visit.query()["positions_order"] == "seed 2"
    assert visit.query()["positions_on"] == "true"
