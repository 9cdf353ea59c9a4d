"""Back and Forward: one entry for a page, example, view or beat; none for a drag; and never a
state that was not shown before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visit, visiting


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """A visitor in a new tab: the history of a reused tab may have its maximum length already."""
    with visiting(browser, address, {}) as tab:
        yield tab


def state(visit: Visit) -> tuple[str, list[str], str]:
    """The query of the address, the selected choices, and the sentence."""
    page = visit.page
    chosen = page.locator("[role=radio][aria-checked=true]").all_inner_texts()
    return page.evaluate("location.search"), chosen, page.locator(".said").inner_text()


def length(visit: Visit) -> int:
    return int(visit.page.evaluate("history.length"))


def test_back_goes_through_what_was_chosen_and_forward_comes_again(visit: Visit) -> None:
    page = visit.open("/neuron")
    seen = [state(visit)]
    began = length(visit)
    visit.choose("Presets", "Saturated")
    seen.append(state(visit))
    visit.choose("Look closer", "Step by step")
    seen.append(state(visit))
    visit.choose("Presets", "XOR fails")
    seen.append(state(visit))
    assert length(visit) == began + 3
    for before in reversed(seen[:-1]):
        page.go_back()
        visit.settle()
        assert state(visit) == before
    page.go_forward()
    visit.settle()
    assert state(visit) == seen[1]


@pytest.mark.parametrize("typed", ["1.5", "nan"])
def test_a_slider_and_a_number_are_no_entries(visit: Visit, typed: str) -> None:
    page = visit.open("/neuron")
    began = length(visit)
    page.get_by_role("slider", name="bias b", exact=True).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        visit.settle()
    visit.type("weight w1", typed)
    assert length(visit) == began
    assert visit.query()["b"] == "0.7"


@pytest.mark.walk("neuron", alone=True)
def test_back_to_another_page_finds_it_as_it_was(visit: Visit) -> None:
    page = visit.open("/neuron")
    visit.choose("Presets", "AND")
    left = state(visit)
    visit.go("Computation graph and backpropagation")
    page.go_back()
    expect(page.locator("h1")).to_have_text("Sigmoid neuron calculator")
    visit.settle()
    assert state(visit) == left


def test_a_beat_is_an_entry(visit: Visit) -> None:
    page = visit.open("/neuron?present=1")
    page.keyboard.press("ArrowRight")
    visit.attached("html[data-beat='present 2']")
    visit.settle()
    page.go_back()
    visit.attached("html[data-beat='present 1']")


@pytest.mark.walk("neuron", alone=True)
def test_a_press_on_the_chosen_example_changes_nothing_and_keeps_the_focus(visit: Visit) -> None:
    page = visit.open("/neuron")
    visit.choose("Presets", "Saturated")
    before = state(visit)
    pill = visit.pill("Presets", "Saturated")
    pill.focus()
    page.keyboard.press("Space")
    visit.settle()
    expect(pill).to_be_focused()
    assert state(visit) == before
