"""The cut through the waves and its sentence follow a drag, in the picture and on the sliders."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import NEXT_FRAME, drag
from tests.browser.lessons.test_network_pages import CHANGED

pytestmark = pytest.mark.walk("positions", alone=True)

DOT = ".formula .rich:nth-child(3)"
GRIP = "[data-n=pos]"


def grip(page: Page) -> tuple[float, float]:
    """The middle of the flag of the first cut, on screen."""
    box = page.locator(f"{GRIP} rect").nth(1).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pull(page: Page, places: int) -> list[str]:
    """Drag the first cut right by `places`, hold it, and return the dot product at every third."""
    per = float(page.locator(GRIP).first.get_attribute("data-per") or 0)
    per *= float(page.locator(".figure").get_attribute("data-unit") or 1)
    x, y = grip(page)
    page.mouse.move(x, y)
    page.mouse.down()
    seen = []
    for place in range(1, places + 1, 3):
        page.mouse.move(x + per * place, y)
        page.evaluate(NEXT_FRAME)
        seen.append(page.locator(DOT).inner_text())
    page.mouse.move(x + per * places, y)
    page.evaluate(NEXT_FRAME)
    return seen


def test_a_drag_of_the_cut_moves_the_sentence_and_leaves_the_dot_product(visit: Visit) -> None:
    page = visit.open("/positions")
    cells, told = visit.drawn(), len(visit.sent)
    seen = pull(page, 30)
    assert len(visit.sent) == told
    assert len(set(seen)) == len(seen) and all(each.endswith("= 5.543") for each in seen)
    assert visit.drawn() != cells
    expect(page.get_by_role("slider", name="position pos", exact=True)).to_have_value("30")
    expect(page.locator(".said")).to_contain_text("You moved pos from 1 to 31")
    page.mouse.up()
    page.wait_for_function(CHANGED, arg=["positions_start", None])
    visit.settle()
    assert visit.query() == {"positions_start": "30"}
    expect(page.locator(DOT)).to_contain_text("PE(31)·PE(34)")


def test_a_dot_lies_on_its_wave_and_a_hand_points_where_it_reads(visit: Visit) -> None:
    page = visit.open("/positions?positions_start=9")
    found = page.evaluate(
        """() => {
          const figure = [...document.querySelectorAll('*')]
            .map((node) => node.shadowRoot?.querySelector('.figure')).find(Boolean);
          const dot = [...figure.querySelectorAll('[data-n=pos]')][0]
            .nextElementSibling.parentElement.querySelectorAll('circle');
          const sine = figure.querySelector('[aria-label^="Pair 0"] path[stroke-width="2.6"]');
          const read = (node, name) => Number(node.getAttribute(name));
          const near = [];
          for (const each of dot) {
            const [x, y] = [read(each, 'cx'), read(each, 'cy')];
            for (let at = 0; at < sine.getTotalLength(); at += 0.5) {
              const point = sine.getPointAtLength(at);
              if (Math.hypot(point.x - x, point.y - y) < 1.5) { near.push(each); break; }
            }
          }
          return near.length;
        }"""
    )
    assert found >= 2
    texts = visit.drawn()
    assert f"{math.sin(10):.2f}".replace("-", "−") in texts
    assert f"{math.cos(13):.2f}".replace("-", "−") in texts


def test_width_and_base_stretch_the_waves_and_tell_nobody_meanwhile(visit: Visit) -> None:
    for name, setting in (("width d", "positions_width"), ("base", "positions_base")):
        page = visit.open("/positions")
        waves = page.locator("[aria-label^='Pair'] path[stroke-width='2.6']")
        before, told = waves.nth(3).get_attribute("d"), len(visit.sent)
        drag(page, name)
        assert len(visit.sent) == told
        assert waves.nth(3).get_attribute("d") != before
        page.mouse.up()
        page.wait_for_function(CHANGED, arg=[setting, None])


def test_a_pressed_wave_is_opened_in_the_formula_and_in_the_step_table(visit: Visit) -> None:
    page = visit.open("/positions")
    page.get_by_role("button", name="Pair 7, ").click(position={"x": 20, "y": 12})
    page.wait_for_function(CHANGED, arg=["positions_pair", None])
    visit.settle()
    expect(page.locator(".formula")).to_contain_text("PE(1, 14)")
    visit.choose("Look closer", "Step by step")
    expect(page.get_by_text("Pair 7, dimensions 14 and 15")).to_be_attached()


def test_a_pressed_word_is_followed_in_both_orders(visit: Visit) -> None:
    page = visit.open("/positions")
    page.get_by_role("button", name="man, position 1").click()
    page.wait_for_function(CHANGED, arg=["positions_word", None])
    visit.settle()
    assert visit.query()["positions_word"] == "4"
    expect(page.locator(".said")).to_contain_text("both orders give “man” the same output")
    assert {"man + PE(4)", "man + PE(1)"} <= set(visit.drawn())


def test_what_is_asked_for_is_hidden_until_it_is_answered(visit: Visit) -> None:
    page = visit.open("/positions?ask=plain")
    assert "?" in visit.drawn() and "=" not in visit.drawn()
    page.get_by_role("button", name="Reveal").click()
    visit.settle()
    assert "=" in visit.drawn()


def test_of_many_words_a_part_is_shown_and_the_rest_is_a_press_away(visit: Visit) -> None:
    words = "+".join(f"word{i}" for i in range(20))
    page = visit.open(f"/positions?positions_text={words}&positions_order=seed+1")
    assert "word19" not in visit.drawn()[:40]
    for _ in range(4):
        page.get_by_role("button", name="Show later words").click()
    expect(page.get_by_role("button", name="word19, position 19").first).to_be_attached()


def test_a_shuffle_by_hand_changes_nothing_until_positions_are_on(visit: Visit) -> None:
    page = visit.open("/positions?see=In+an+encoder")
    page.get_by_role("button", name="Shuffle").click()
    visit.settle()
    expect(page.get_by_text("the vector it had")).to_be_visible()
    page.get_by_text("Add positions", exact=True).click()
    visit.settle()
    expect(
        page.get_by_text("the network gets the order of the words from positions")
    ).to_be_visible()
    assert visit.query()["positions_order"] == "seed 1"
    assert visit.query()["positions_on"] == "true"
