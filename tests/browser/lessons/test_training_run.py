"""A run in a real browser: it starts, learns, pauses, survives a reload, resumes and stops."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit

PATIENCE = 60_000
ENDLESS = "/training?run_steps=100000&hidden=16&embedding=8&batch=8"


def steps(page: Page) -> int:
    """The number of steps shown so far."""
    told = page.locator(".run .count").first.text_content() or ""
    found = re.search(r"step ([\d,]+) of", told)
    assert found
    return int(found[1].replace(",", ""))


def heights(page: Page) -> list[float]:
    """The y coordinates of the first validation curve: smaller is higher up."""
    path = page.locator("path.validation:not(.recorded)").first.get_attribute("d") or ""
    return [float(point.split(",")[1]) for point in path.removeprefix("M").split("L")]


def losses(page: Page) -> tuple[float, float]:
    """The y coordinates of the first and latest validation loss: a smaller loss has a larger y."""
    return heights(page)[0], heights(page)[-1]


def begin(visit: Visit, path: str = ENDLESS) -> Page:
    """Open the page and press Start, in the picture."""
    page = visit.open(path)
    page.get_by_role("button", name="Start training", exact=True).click()
    page.locator(".run .count").first.wait_for(timeout=PATIENCE)
    return page


def past(page: Page, count: int) -> None:
    """Wait until more than `count` steps are shown."""
    page.wait_for_function(
        """count => {
            for (const host of document.querySelectorAll("*")) {
                const found = host.shadowRoot?.querySelector(".run .count");
                const told = found?.textContent.replaceAll(",", "");
                if (told) return Number(told.match(/\\d+/)?.[0]) > count;
            }
        }""",
        arg=count,
        timeout=PATIENCE,
    )


def test_a_run_learns_pauses_is_there_after_a_reload_goes_on_and_stops(visit: Visit) -> None:
    page = begin(visit, ENDLESS.replace("100000", "10000"))
    past(page, 120)  # a run of 10,000 steps is validated every 33
    first, latest = losses(page)
    assert latest > first, "the curve falls"

    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("paused", timeout=PATIENCE)
    paused = steps(page)
    assert visit.query()["runs"]

    page.reload()
    visit.settle()
    expect(page.locator(".run .state")).to_have_text("paused", timeout=PATIENCE)
    assert steps(page) == paused

    page.get_by_role("button", name="One step", exact=True).click()
    past(page, paused)
    expect(page.locator(".run .state")).to_have_text("paused", timeout=PATIENCE)
    assert steps(page) == paused + 1

    page.get_by_role("button", name="Resume", exact=True).click()
    past(page, paused + 20)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("stopped", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Resume", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Start again", exact=True)).to_be_visible()


def test_the_sentence_and_the_formula_follow_the_run(visit: Visit) -> None:
    page = begin(visit, "/training?run_steps=40&hidden=16&embedding=8&batch=8")
    expect(page.locator(".run .state")).to_have_text("finished", timeout=PATIENCE)
    said = page.locator(".said")
    expect(said).to_contain_text("in 40 steps", timeout=PATIENCE)
    marked = page.locator(".said mark").text_content() or ""
    assert marked in page.locator(".box svg text.end").all_text_contents()
    assert f"exp({marked})" in (page.locator(".formula").text_content() or "")
    assert 1 < float(marked) < 5.7
    alt = page.locator(".box svg").get_attribute("aria-label") or ""
    assert f"LSTM: {marked} nats at step 40" in alt
    expect(page.locator(".box svg text.written").first).to_be_visible()


@pytest.mark.walk("training", alone=True)
def test_looking_back_asks_the_server_nothing(visit: Visit) -> None:
    page = begin(visit, "/training?run_steps=40&hidden=16&embedding=8&batch=8")
    expect(page.locator(".run .state")).to_have_text("finished", timeout=PATIENCE)
    visit.settle()
    before, asked = len(visit.sent), len(visit.requests)
    knob = page.get_by_role("slider", name="Step to look at")
    knob.focus()
    page.keyboard.press("Home")
    expect(page.locator(".box svg text.reading").first).to_have_text("step 0")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".box svg text.reading").first).to_have_text("step 1")
    assert knob.get_attribute("aria-valuenow") == "1"
    page.keyboard.press("Escape")
    expect(page.locator(".box svg text.reading")).to_have_count(0)
    assert (len(visit.sent), len(visit.requests)) == (before, asked)
    visit.pill("Look closer", "Against the truth").click()
    expect(page.get_by_role("table", name="Models against the grammar")).to_be_visible(
        timeout=PATIENCE
    )


@pytest.mark.walk("training", alone=True)
def test_a_run_survives_going_to_another_page_and_two_see_one_run(
    visit: Visit, friend: Visit
) -> None:
    page = begin(visit)
    past(page, 5)
    other = friend.open("/training?" + page.evaluate("location.search.slice(1)"))
    other.locator(".run .count").first.wait_for(timeout=PATIENCE)
    visit.open("/neuron")
    page.go_back()
    visit.settle()
    past(page, 10)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(other.locator(".run .state")).to_have_text("stopped", timeout=PATIENCE)


@pytest.mark.walk("training", alone=True)
def test_a_run_that_diverges_says_why_and_the_advice_is_one_that_trains(visit: Visit) -> None:
    page = visit.open("/training")
    visit.choose("Presets", "Too large a learning rate")
    expect(page.locator(".box svg")).to_contain_text("η = 100 is too large; try η = 1,")
    page.get_by_role("button", name="Start training", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("diverged", timeout=PATIENCE)
    expect(page.locator(".run .why")).to_contain_text("η = 100 is too large; try η = 1,")
    expect(page.locator(".said")).to_contain_text("Diverged at step")


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
@pytest.mark.walk("training", alone=True)
def test_a_race_fits_a_phone(visit: Visit) -> None:
    page = visit.open("/training")
    visit.choose("Presets", "Race: four models")
    page.get_by_role("button", name="Start 4 runs", exact=True).click()
    page.locator(".run .count").wait_for(timeout=PATIENCE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Stop all", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("stopped", timeout=PATIENCE)


@pytest.mark.walk("training", alone=True)
def test_the_winner_of_the_recorded_race_is_named_and_marked(visit: Visit) -> None:
    page = visit.open("/training")
    visit.choose("Presets", "Race: four models")
    name = page.locator(".said b").first.text_content() or ""
    loss = page.locator(".said mark").text_content()
    assert f"{name} won the recorded race" in (page.locator(".said").text_content() or "")
    marks = page.locator(".box svg .mark")
    assert marks.count() == 2, "at the end of its line, and in its lane"
    texts = page.locator(".box svg text").all_text_contents()
    assert texts.count(loss or "") == 2
    assert any("enlarged" in text for text in texts)
    visit.open("/training?ask=winner&" + page.evaluate("location.search.slice(1)"))
    assert page.locator(".box svg .mark").count() == 0
    assert name not in (page.locator(".said").text_content() or "")
    assert loss not in page.locator(".box svg text").all_text_contents()


@pytest.mark.walk("training", alone=True)
def test_no_line_leaves_the_frame(visit: Visit) -> None:
    page = visit.open("/training")
    visit.choose("Presets", "Too large a learning rate")
    page.get_by_role("button", name="Start training", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("diverged", timeout=PATIENCE)
    box = page.locator(".box svg").bounding_box() or {}
    for path in page.locator(".box svg path.validation, .box svg path.batch").all():
        found = path.bounding_box()
        if found:
            assert box["y"] <= found["y"] and found["x"] >= box["x"]
            assert found["y"] + found["height"] <= box["y"] + box["height"]


@pytest.mark.walk("training", alone=True)
def test_the_numbers_of_the_axis_are_even_steps_of_the_logarithm(visit: Visit) -> None:
    page = visit.open("/training")
    marks = page.locator(".box svg text.nats")
    placed = sorted(
        (float(one.text_content() or 0), float(one.get_attribute("y") or 0)) for one in marks.all()
    )
    assert len(placed) >= 3
    (first, bottom), *_, (last, top) = placed
    for nats, y in placed:
        share = math.log(nats / first) / math.log(last / first)
        assert abs(y - (bottom + share * (top - bottom))) < 0.5


@pytest.mark.walk("training", alone=True)
def test_own_text_is_there_after_another_page_and_asked_for_after_a_reload(visit: Visit) -> None:
    page = visit.open("/training")
    visit.choose("Text", "My own text")
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_disabled()
    text = " ".join(f"the {n % 7} cats sit." for n in range(60))
    page.get_by_role("button", name="Your text", exact=True).click()
    page.get_by_role("textbox", name="Your text").fill(text)
    page.get_by_role("textbox", name="Your text").press("Control+Enter")
    visit.settle()
    page.keyboard.press("Escape")
    expect(start).to_be_enabled()
    start.click()
    expect(page.locator(".run .state")).to_have_text(re.compile("training|finished"))
    visit.follow(re.compile("Sigmoid"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("neuron")
    page.go_back()
    visit.settle()
    page.get_by_role("button", name="Your text", exact=True).click()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(text)
    assert "cats" not in page.url
    page.reload()
    visit.settle()
    asks = page.locator(".st-key-rail").get_by_text("Paste or upload your text again")
    expect(asks.first).to_be_visible()
    assert page.get_by_test_id("stAlert").count() == 0
    expect(start).to_be_disabled()


def test_what_cannot_be_run_is_said_at_once_and_start_waits(visit: Visit) -> None:
    page = visit.open("/training?batch=256&hidden=512")
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_disabled()
    said = page.get_by_test_id("stAlertContentError")
    expect(said).to_contain_text("one step must take at most 0.2 s on this CPU")
    in_picture = page.get_by_role("button", name="Start training", exact=True)
    expect(in_picture).to_have_attribute("aria-disabled", "true")


def test_a_run_that_is_gone_is_said_to_be(visit: Visit) -> None:
    page = visit.open("/training?runs=nobody")
    expect(page.get_by_text("no longer on the server")).to_be_visible()
