"""The mask in a browser: paint, drag, keys; a change moves up the layers; no typed code runs."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import drag

pytestmark = pytest.mark.walk("masking", alone=True)

PAINT = "Mask to paint: arrow keys move, the space bar shows or hides"
ASKED = "(name) => new URLSearchParams(location.search).get(name)"


def painter(page: Page) -> Locator:
    return page.get_by_role("group", name=PAINT)


def cell(page: Page, i: int, j: int) -> Locator:
    """A cell of the mask that can be painted."""
    return painter(page).locator(f"g[data-at='{i} {j}']")


def asked(page: Page, name: str, value: str) -> None:
    page.wait_for_function(f"({ASKED})('{name}') === '{value}'")


def test_a_press_on_a_score_hides_it_and_the_weights_follow(visit: Visit) -> None:
    page = visit.open("/masking")
    expect(cell(page, 2, 1).locator("text")).to_have_text("−0.53")
    cell(page, 2, 1).click()
    expect(cell(page, 2, 1).locator("text")).to_have_text("−∞")
    rows = "1000000.1100000.1010000.1111000.1111100.1111110.1111111"
    asked(page, "masking_painted", rows)
    visit.settle()
    assert visit.query()["masking_kind"] == "painted"
    expect(visit.pill("Mask", "By hand")).to_be_checked()
    expect(page.locator(".said")).to_contain_text("sees 2 of 7 words")
    cell(page, 2, 1).click()
    expect(cell(page, 2, 1).locator("text")).to_have_text("−0.53")
    asked(page, "masking_painted", rows.replace("1010000", "1110000"))


def test_a_cell_above_the_diagonal_leaks_and_the_beads_come_from_the_future(visit: Visit) -> None:
    page = visit.open("/masking")
    before = page.locator(".box .beads").count()
    cell(page, 2, 3).click()
    asked(page, "masking_painted", "1000000.1100000.1111000.1111000.1111100.1111110.1111111")
    visit.settle()
    expect(page.locator(".said")).to_contain_text("The future leaks: “animal” takes 0.1440")
    expect(page.locator(".box .beads")).to_have_count(before + 1)
    expect(page.locator(".said mark")).to_have_text("0.1440")


def test_a_stroke_paints_every_cell_that_it_passes_and_is_told_once(visit: Visit) -> None:
    page = visit.open("/masking")
    cell(page, 1, 2).hover()  # waits until nothing moves any more
    page.mouse.down()
    end = cell(page, 1, 6).bounding_box()
    assert end
    page.mouse.move(end["x"] + 9, end["y"] + 20, steps=25)
    sent = len(visit.sent)
    for j in range(2, 7):
        expect(cell(page, 1, j).locator("text")).not_to_have_text("−∞")
    assert len(visit.sent) == sent
    page.mouse.up()
    asked(page, "masking_painted", "1000000.1111111.1110000.1111000.1111100.1111110.1111111")


def test_presses_in_quick_succession_are_all_kept(visit: Visit) -> None:
    page = visit.open("/masking")
    for j in range(1, 7):
        cell(page, 0, j).click()
    asked(page, "masking_painted", "1111111.1100000.1110000.1111000.1111100.1111110.1111111")
    visit.settle()
    for j in range(7):
        expect(cell(page, 0, j).locator("text")).not_to_have_text("−∞")


@pytest.mark.parametrize("visit", [{"has_touch": True}], indirect=True)
def test_a_tap_paints(visit: Visit) -> None:
    page = visit.open("/masking")
    cell(page, 0, 6).tap()
    asked(page, "masking_painted", "1000001.1100000.1110000.1111000.1111100.1111110.1111111")


def test_keys_paint_too(visit: Visit) -> None:
    page = visit.open("/masking")
    page.get_by_role("button", name="Query 7: street").focus()
    page.keyboard.press("Tab")
    expect(painter(page)).to_be_focused()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(cell(page, 1, 2).locator("text")).to_have_text("−∞")
    page.keyboard.press("Space")
    expect(cell(page, 1, 2).locator("text")).not_to_have_text("−∞")
    asked(page, "masking_painted", "1000000.1110000.1110000.1111000.1111100.1111110.1111111")
    visit.settle()
    expect(painter(page)).to_be_focused()


def test_a_word_that_is_pressed_is_followed(visit: Visit) -> None:
    page = visit.open("/masking")
    page.get_by_role("button", name="Query 5: cross").press("Enter")
    expect(page.locator(".said")).to_contain_text("“cross” sees 5 of 7 words")
    asked(page, "masking_at", "5")
    visit.settle()
    expect(page.get_by_role("button", name="Query 5: cross")).to_have_attribute(
        "aria-pressed", "true"
    )


@pytest.mark.parametrize(
    ("path", "name", "setting"),
    [
        ("/masking?masking_kind=prefix&masking_prefix=1", "Prefix, places", "masking_prefix"),
        ("/masking?masking_kind=sliding&masking_window=7", "Window, places", "masking_window"),
        ("/masking?see=Leakage&masking_change=7", "Change token", "masking_change"),
        (
            "/masking?see=Leakage&masking_kind=sliding&masking_window=1",
            "Window, places",
            "masking_window",
        ),
    ],
)
def test_a_drag_moves_the_picture_without_the_server_and_is_then_in_the_address(
    visit: Visit, path: str, name: str, setting: str
) -> None:
    page = visit.open(path)
    before, sent = visit.drawn(), len(visit.sent)
    value = visit.query().get(setting)
    drag(page, name)
    assert len(visit.sent) == sent
    expect(page.locator(".said")).to_be_visible()
    assert visit.drawn() != before
    page.mouse.up()
    page.wait_for_function(f"([name, before]) => ({ASKED})(name) !== before", arg=[setting, value])


def test_a_pressed_word_is_changed_and_its_change_climbs(visit: Visit) -> None:
    page = visit.open("/masking?see=Leakage")
    page.get_by_role("button", name="Change token 2: the").click()
    asked(page, "masking_change", "2")
    visit.settle()
    expect(page.locator(".said")).to_contain_text("Change “the”: of 1 outputs before it, 0 move")
    page.get_by_role("button", name="Change token 1: <s>").click()
    expect(page.locator(".said")).to_contain_text("7 of 7 outputs move")


def test_words_that_look_like_html_are_shown_and_never_run(visit: Visit) -> None:
    text = "<img/src=x/onerror=window.ran=1> <b>x</b> שלום 🙂"
    for view in ("Picture", "Step by step", "Output and next word", "Leakage"):
        page = visit.open(
            f"/masking?masking_model=any&masking_at=3&masking_text={quote(text)}&see={quote(view)}"
        )
        expect(page.get_by_text("<b>x</b>").first).to_be_attached()
        assert page.evaluate("window.ran") is None
        assert page.locator("svg b, .stMain img[src='x']").count() == 0


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_on_a_phone_the_weights_are_painted_in_one_grid(visit: Visit) -> None:
    page = visit.open("/masking")
    expect(painter(page)).to_have_count(1)
    cell(page, 0, 1).click()
    asked(page, "masking_painted", "1100000.1100000.1110000.1111000.1111100.1111110.1111111")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
