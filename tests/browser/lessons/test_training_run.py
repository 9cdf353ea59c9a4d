"""A run in a real browser: it starts, learns, pauses, survives a reload, goes on and stops."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit

PATIENCE = 60_000
ENDLESS = "/training?run_steps=100000&hidden=16&embedding=8&batch=8"


def steps(page: Page) -> int:
    """Steps told so far."""
    found = re.search(r"step (\d+) of", page.locator(".run .count").first.inner_text())
    assert found
    return int(found[1])


def heights(page: Page) -> list[float]:
    """Where the points of the first validation curve stand: smaller is higher up."""
    path = page.locator(".curve .validation").first.get_attribute("d") or ""
    return [float(point.split(",")[1]) for point in path.removeprefix("M").split("L")]


def losses(page: Page) -> tuple[float, float]:
    """The first and the latest validation loss, as the curve draws them: smaller is lower down."""
    return heights(page)[0], heights(page)[-1]


def begin(visit: Visit, path: str = ENDLESS) -> Page:
    page = visit.open(path)
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".run .count").first.wait_for(timeout=PATIENCE)
    return page


def past(page: Page, count: int) -> None:
    """Wait until more than `count` steps are told."""
    page.wait_for_function(
        """count => {
            for (const host of document.querySelectorAll("*")) {
                const found = host.shadowRoot?.querySelector(".run .count");
                if (found) return Number(found.textContent.match(/\\d+/)?.[0]) > count;
            }
        }""",
        arg=count,
        timeout=PATIENCE,
    )


def test_a_run_learns_pauses_is_there_after_a_reload_goes_on_and_stops(visit: Visit) -> None:
    page = begin(visit, ENDLESS.replace("100000", "10000"))
    past(page, 120)  # such a run is validated every 33 steps
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
    assert page.get_by_role("button", name="Resume", exact=True).is_disabled()
    visit.settle()
    expect(page.get_by_role("table", name="Models against the grammar")).to_be_visible(
        timeout=PATIENCE
    )


def test_looking_back_asks_the_server_nothing(visit: Visit) -> None:
    page = begin(visit, "/training?run_steps=40&hidden=16&embedding=8&batch=8")
    expect(page.locator(".run .state")).to_have_text("finished", timeout=PATIENCE)
    visit.settle()
    before, asked = len(visit.sent), len(visit.requests)
    scrubber = page.get_by_role("slider", name="Step to look at")
    latest = page.locator(".run .numbers").inner_text()
    scrubber.fill("10")
    expect(page.locator(".scrub output")).to_have_text("10 of 40")
    assert page.locator(".run .numbers").inner_text() != latest
    assert (len(visit.sent), len(visit.requests)) == (before, asked)


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


def test_a_run_that_diverges_says_why(visit: Visit) -> None:
    page = visit.open("/training")
    visit.choose("Presets", "Too large a learning rate")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("diverged", timeout=PATIENCE)
    expect(page.locator(".run .why")).to_contain_text("η = 100 is too large")


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_a_race_fits_a_phone(visit: Visit) -> None:
    page = visit.open("/training")
    visit.choose("Presets", "Race: four models")
    page.get_by_role("button", name="Start 4 runs", exact=True).click()
    expect(page.locator(".run")).to_have_count(4, timeout=PATIENCE)
    past(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Stop all", exact=True).click()
    expect(page.locator(".run .state", has_text="stopped")).to_have_count(4, timeout=PATIENCE)


def boxes(page: Page, what: str) -> list[dict[str, float]]:
    """Where these parts of the picture are, in the window."""
    found: list[dict[str, float]] = page.locator("svg.curves").evaluate(
        """(svg, what) => Array.from(
            svg.querySelectorAll(what), (part) => part.getBoundingClientRect().toJSON())""",
        what,
    )
    return found


@pytest.mark.parametrize(
    "visit", [{}, {"viewport": {"width": 360, "height": 740}}], indirect=True, ids=["wide", "phone"]
)
@pytest.mark.parametrize("preset", ["Overfitting", "Too large a learning rate"])
def test_labels_stand_apart_above_the_lines_and_no_line_leaves_the_frame(
    visit: Visit, preset: str
) -> None:
    page = visit.open("/training")
    visit.choose("Presets", preset)
    page.get_by_role("button", name="Start", exact=True).click()
    past(page, 19)
    if preset == "Overfitting":
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(page.locator(".run .state")).to_have_text("stopped", timeout=PATIENCE)
    upper, lower = boxes(page, "text.bound")
    assert lower["y"] - upper["y"] >= 16
    last = page.locator("svg.curves > *").last
    assert last.evaluate("node => node.classList.contains('bound') && node.tagName === 'text'")
    assert [one.get_attribute("paint-order") for one in page.locator("text.bound").all()] == [
        "stroke",
        "stroke",
    ]
    (frame,) = page.locator("svg.curves clipPath rect").all()
    low, high = (float(frame.get_attribute(name) or 0) for name in ("y", "height"))
    assert all(low <= y <= low + high for y in heights(page))
    assert page.locator(".curve:has(.batch)").get_attribute("clip-path") == "url(#frame)"
    assert page.locator("svg.curves text.key").all_text_contents()[-1] == "validation"


def test_the_numbers_of_the_axis_are_even_steps_of_the_logarithm(visit: Visit) -> None:
    page = begin(visit, "/training?run_steps=40&hidden=16&embedding=8&batch=8")
    expect(page.locator(".run .state")).to_have_text("finished", timeout=PATIENCE)
    marks = page.locator("svg.curves text.nats")
    placed = sorted(
        (float(one.text_content() or 0), float(one.get_attribute("y") or 0)) for one in marks.all()
    )
    assert len(placed) >= 3
    (first, bottom), *_, (last, top) = placed
    for nats, y in placed:
        share = math.log(nats / first) / math.log(last / first)
        assert abs(y - (bottom + share * (top - bottom))) < 0.5


def test_own_text_is_there_after_another_page_and_asked_for_after_a_reload(visit: Visit) -> None:
    page = visit.open("/training")
    visit.choose("Text", "My own text")
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_disabled()
    text = " ".join(f"the {n % 7} cats sit." for n in range(60))
    page.get_by_role("textbox", name="Your text").fill(text)
    page.get_by_role("textbox", name="Your text").press("Control+Enter")
    visit.settle()
    expect(start).to_be_enabled()
    start.click()
    expect(page.locator(".run .state")).to_have_text(re.compile("training|finished"))
    visit.follow(re.compile("Sigmoid"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("neuron")
    page.go_back()
    visit.settle()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(text)
    assert "cats" not in page.url
    page.reload()
    visit.settle()
    expect(page.get_by_text("Paste or upload your text again")).to_be_visible()
    assert page.get_by_test_id("stAlert").count() == 1
    expect(start).to_be_disabled()


def test_what_cannot_be_run_is_said_at_once_and_start_waits(visit: Visit) -> None:
    page = visit.open("/training?batch=256&hidden=512")
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_disabled()
    said = page.get_by_test_id("stAlertContentError")
    expect(said).to_contain_text("one step must take at most 0.2 s on this CPU")
    below = (said.bounding_box() or {})["y"] - (start.bounding_box() or {})["y"]
    assert 0 < below < 80


def test_a_run_that_is_gone_is_said_to_be(visit: Visit) -> None:
    page = visit.open("/training?runs=nobody")
    expect(page.get_by_text("no longer on the server")).to_be_visible()
