"""A link is a view: it shows every visitor the same numbers and the same choices."""

from __future__ import annotations

from itertools import pairwise
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import ui
from tests.browser.conftest import Visit
from tests.sampled import sampled

CHOSEN = "[role=radio][aria-checked=true]"


def selections(visit: Visit) -> list[str]:
    """Every selected choice: preset, activation, view."""
    return visit.page.locator(CHOSEN).all_text_contents()


def fields(visit: Visit) -> list[str]:
    """The numbers in the fields beside the sliders."""
    boxes = visit.page.locator("input[type=text][aria-label$=typed]")
    return boxes.evaluate_all("boxes => boxes.map((box) => box.value)")


def seen(visit: Visit) -> tuple[list[str], list[str], list[str], str]:
    """What a person compares: picture, choices, numbers, sentence."""
    said = visit.page.locator(".said").first.inner_text()
    return visit.drawn(), selections(visit), fields(visit), said


def set_up_the_neuron(visit: Visit) -> None:
    visit.open("/neuron")
    visit.type("weight w1", "0.75")
    visit.type("input x3", "-1.5")
    visit.choose("Activation g", "tanh")
    visit.choose("Look closer", "Activations")


def set_up_the_graph(visit: Visit) -> None:
    page = visit.open("/backprop")
    visit.type("b", "2.25")
    for at in (2, 3, 4):
        page.locator(".box").get_by_role("button", name="Step").click()
        expect(page.locator(".box svg")).to_contain_text(f"{at} of 11")
        visit.settle()
    visit.choose("Look closer", "Step by step")


SET_UP = {"/neuron": set_up_the_neuron, "/backprop": set_up_the_graph}


@pytest.mark.parametrize("path", sampled(SET_UP, ["/neuron"]))
def test_a_copied_address_opens_the_same_view_elsewhere(
    visit: Visit, friend: Visit, path: str
) -> None:
    SET_UP[path](visit)
    copied = visit.page.evaluate("location.pathname + location.search")
    friend.open(copied)
    assert seen(friend) == seen(visit)
    assert friend.query() == visit.query()


def test_the_neurons_view_that_was_set_up_is_the_one_on_screen(visit: Visit) -> None:
    set_up_the_neuron(visit)
    assert selections(visit) == ["tanh", "Activations"]
    assert fields(visit) == ["0.3", "0.75", "0.2", "0.4", "-1.5", "0.2", "0.4"]
    assert visit.query() == {
        "w": "0.75, 0.4, 0.2",
        "x": "0.3, 0.2, -1.5",
        "g": "tanh",
        "see": "Activations",
    }


@pytest.mark.walk("backprop", alone=True)
def test_the_graphs_step_is_part_of_the_address(visit: Visit) -> None:
    set_up_the_graph(visit)
    assert visit.query()["at"] == "4"
    assert "b = 2.25\n" in visit.query()["program"]
    visit.choose("Look closer", "Picture")
    expect(visit.page.locator(".box svg")).to_contain_text("4 of 11")


@pytest.mark.parametrize("path", SET_UP)
@pytest.mark.walk(alone=True)
def test_another_page_and_back_through_the_menu_keeps_the_view(visit: Visit, path: str) -> None:
    SET_UP[path](visit)
    before, address = seen(visit), visit.query()
    titles = {"/neuron": "Sigmoid neuron calculator"}
    titles["/backprop"] = "Computation graph and backpropagation"
    (other,) = titles.keys() - {path}
    for destination in (other, path):
        title = titles[destination]
        visit.go(title)
    assert seen(visit) == before
    assert visit.query() == address


@pytest.mark.parametrize("slug", ["neuron", "backprop"])
@pytest.mark.walk(alone=True)
def test_a_preset_and_its_link_show_the_same(visit: Visit, friend: Visit, slug: str) -> None:
    lesson = ui.lesson(slug)
    visit.open(f"/{slug}")
    chosen, linked = [], []
    for preset in reversed(lesson.presets[::3]):  # AppTest opens the link of every preset
        visit.choose("Presets", preset.label)
        friend.open(f"/{slug}?{urlencode(lesson.address(preset), doseq=True)}")
        chosen.append((preset.label, *seen(visit), visit.query()))
        linked.append((preset.label, *seen(friend), friend.query()))
    pictures = [drawn for _, drawn, *_ in chosen]
    assert all(a != b for a, b in pairwise(pictures))
    assert [drawn for _, drawn, *_ in linked] == pictures
    assert [choices[0] for _, _, choices, *_ in chosen] == [each[0] for each in chosen]
    assert linked == chosen
