"""The Results page in a browser: the slider through the models, presses, the sorted table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from lmcore.numbers import format_number
from lmcore.results.comparison import compare
from lmcore.results.tables import load_results
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import SET

pytestmark = pytest.mark.walk("results", alone=True)

WMT = load_results("wmt")
COSTS, SCORES = WMT.values("cost_de"), WMT.values("de")
ORDER = sorted((i for i, cost in enumerate(COSTS) if cost == cost), key=COSTS.__getitem__)
ENSEMBLE = 7
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def picture(page: Page) -> Locator:
    return page.locator(".stage.figure")


def said(page: Page) -> str:
    return picture(page).locator(".said").inner_text()


def shown(page: Page) -> str:
    return " ".join(picture(page).locator(".box svg text").all_text_contents())


def test_the_slider_goes_through_the_models_without_a_message(visit: Visit) -> None:
    page = visit.open("/results")
    slider = page.get_by_role("slider", name="model, by training cost EN-DE, FLOPs", exact=True)
    sent = len(visit.sent)
    for place in (0, 3, 6, 2, 4):
        slider.evaluate(SET, place)
        page.evaluate(NEXT_FRAME)
        i = ORDER[place]
        costs, scores = (compare(each[ENSEMBLE], each[i]) for each in (COSTS, SCORES))
        row = WMT.rows[i]
        assert f"{row.name}: {WMT.printed(row, 'de')} BLEU EN-DE" in said(page)
        assert f"{format_number(abs(scores.difference))} " in said(page)
        assert f"at {format_number(costs.ratio)} times the FLOPs" in said(page)
        formula = picture(page).locator(".formula").inner_text()
        assert format_number(costs.ratio) in formula
        assert format_number(scores.difference) in formula
    assert len(visit.sent) == sent


def test_a_point_is_pressed_and_pressed_again_to_compare_with_it(visit: Visit) -> None:
    page = visit.open("/results")
    picture(page).get_by_role("button", name="Choose MoE", exact=True).click()
    visit.settle()
    assert visit.query()["re_chosen"] == "5"
    assert "MoE: 26.03 BLEU EN-DE" in said(page)
    picture(page).get_by_role("button", name="Compare others with MoE", exact=True).click()
    visit.settle()
    assert visit.query()["re_with"] == "5"
    assert "The others are compared with it." in said(page)
    picture(page).get_by_role("button", name="Choose Transformer (big)", exact=True).press("Enter")
    visit.settle()
    assert "2.37 more than MoE, at 1.15 times the FLOPs" in said(page)


def test_a_task_and_a_system_are_pressed(visit: Visit) -> None:
    page = visit.open("/results?re_table=glue&re_x=tasks&re_y=average&re_chosen=5&re_with=3")
    picture(page).get_by_role("button", name="Task CoLA", exact=True).click()
    visit.settle()
    assert visit.query()["re_task"] == "6"
    assert "On CoLA, BERT large scores 60.5, GPT 45.4: 15.1 more." in said(page)
    picture(page).get_by_role("button", name="Choose BERT base", exact=True).click()
    visit.settle()
    assert "On CoLA, BERT base scores 52.1, GPT 45.4: 6.7 more." in said(page)
    assert "+6.7" in shown(page)


def test_a_row_of_bars_is_pressed(visit: Visit) -> None:
    page = visit.open("/results?re_table=co2&re_x=rows&re_y=co2&re_chosen=8&re_with=4")
    assert "626,155" in shown(page) and "× 4.969" in shown(page)
    name = "Choose American life, avg, 1 year"
    picture(page).get_by_role("button", name=name, exact=True).click()
    visit.settle()
    assert "36,156" in said(page)
    assert "× 0.2870" in shown(page)


@pytest.mark.parametrize(
    ("ask", "covered"), [("pair", ["× 0.2987"]), ("frontier", ["frontier: no other"])]
)
def test_what_is_asked_for_is_covered_until_it_is_revealed(
    visit: Visit, ask: str, covered: list[str]
) -> None:
    page = visit.open(f"/results?ask={ask}")
    for text in covered:
        assert text not in shown(page)
    page.get_by_role("button", name="Reveal", exact=True).click()
    visit.settle()
    for text in covered:
        assert text in shown(page)


def test_a_heading_sorts_the_table_and_keeps_the_focus(visit: Visit) -> None:
    page = visit.open("/results?see=Table&re_list=glue")
    table = page.locator("table.quoted")
    first = table.locator("tbody tr").first
    expect(first.locator("th")).to_have_text("Pre-OpenAI SOTA")
    table.get_by_role("button", name=re.compile("^CoLA")).click()
    visit.settle()
    expect(first.locator("th")).to_have_text("BERT large")
    assert visit.query()["re_sort"] == "-6"
    heading = table.get_by_role("columnheader", name=re.compile("^CoLA"))
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(heading.get_by_role("button")).to_be_focused()
    expect(page.get_by_text("recomputed 70.9").first).to_be_visible()
