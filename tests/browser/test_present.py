"""Presenter mode: large type, nothing beside the page, and the arrow keys turn its beats."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import ui
from tests.browser.conftest import Visit

FOCUSED = """(part) => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return Boolean(node?.matches(part));
}"""
"""Whether the part of a picture has the focus."""


def plain(said: str) -> str:
    return said.replace("*", "")


@pytest.mark.parametrize(
    ("slug", "forward", "back"),
    [("neuron", "ArrowRight", "ArrowLeft"), ("backprop", "PageDown", "PageUp")],
)
def test_keys_turn_the_beats_and_the_address_follows(
    visit: Visit, slug: str, forward: str, back: str
) -> None:
    beats = ui.lesson(slug).beats
    page = visit.open(f"/{slug}?present=1")
    for key, beat in ((forward, 2), (forward, 3), (back, 2), (back, 1), (back, 1)):
        page.keyboard.press(key)
        expect(page.locator(".st-key-beat")).to_have_text(plain(beats[beat - 1].say))
        visit.settle()
        assert visit.query().get("beat", "1") == str(beat)


def test_a_beat_in_the_address_opens_with_its_sentence(visit: Visit) -> None:
    """For one page, in a browser; `tests/pages/test_screen.py` opens all beats of all pages."""
    beats = ui.lesson("attention").beats
    page = visit.open(f"/attention?present=1&beat={len(beats)}")
    expect(page.locator(".st-key-beat")).to_have_text(plain(beats[-1].say))
    assert visit.query()["beat"] == str(len(beats))


@pytest.mark.parametrize(("slug", "name"), [("neuron", "weight w1"), ("backprop", "a")])
def test_an_arrow_key_on_a_slider_moves_the_slider_and_not_the_beat(
    visit: Visit, slug: str, name: str
) -> None:
    page = visit.open(f"/{slug}?present=1&beat=2")
    number = visit.typed(name).input_value()
    page.get_by_role("slider", name=name, exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(visit.typed(name)).not_to_have_value(number)
    visit.settle()
    assert visit.query()["beat"] == "2"


def test_a_beat_whose_settings_are_changed_leaves_the_headline_to_the_picture(visit: Visit) -> None:
    """The third beat says z = 0.69; during and after the drag of a weight, z is another number."""
    page = visit.open("/neuron?present=1&beat=3")
    beat, said = page.locator(".st-key-beat"), page.locator(".stage .said").first
    expect(beat).to_have_text(plain(ui.lesson("neuron").beats[2].say))
    expect(said).to_be_hidden()
    handle = page.get_by_role("slider", name="weight w1", exact=True)
    box = handle.bounding_box()
    assert box
    where = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*where)
    page.mouse.down()
    page.mouse.move(where[0] + 20, where[1], steps=4)
    expect(said).to_contain_text("You moved")
    expect(beat).to_be_hidden()
    page.mouse.up()
    visit.settle()
    expect(said).to_contain_text("You moved")
    expect(beat).to_have_count(0)
    page.get_by_role("button", name="This step").first.click()
    expect(beat).to_have_text(plain(ui.lesson("neuron").beats[2].say))
    expect(said).to_be_hidden()


def test_a_field_is_left_by_escape_and_enter_and_the_arrows_turn_the_beats_again(
    visit: Visit,
) -> None:
    page = visit.open("/neuron?present=1&beat=1")
    for beat, key in (("2", "Escape"), ("3", "Enter")):
        field = page.get_by_role("textbox").first
        field.click()
        field.press(key)
        expect(field).not_to_be_focused()
        page.keyboard.press("ArrowRight")
        visit.settle()
        assert visit.query()["present"] == "1" and visit.query()["beat"] == beat


def test_the_present_button_starts_and_leaving_brings_the_bar_back(visit: Visit) -> None:
    page = visit.open("/generation")
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.locator(".st-key-beat")).to_be_visible()
    visit.settle()
    assert visit.query()["present"] == "1"
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".st-key-beat")).to_have_count(0)
    visit.settle()
    expect(page.get_by_role("button", name="Pages", exact=True)).to_be_visible()
    assert visit.query().keys().isdisjoint({"present", "beat"})


@pytest.mark.walk("lectures", alone=True)
def test_a_desk_is_left_as_it_was_presented(visit: Visit) -> None:
    page = visit.open("/neuron")
    visit.choose("Presets", "Saturated")
    page.get_by_role("button", name="Present", exact=True).click()
    visit.attached("html[data-beat='present 0']")
    visit.settle()
    expect(page.locator(".said")).to_contain_text("saturated")
    page.keyboard.press("Escape")
    page.wait_for_selector(".st-key-desk")
    visit.settle()
    assert visit.query() == {"w": "4, 4, 4", "b": "2"}


@pytest.mark.walk("lectures", alone=True)
def test_the_next_page_stays_in_presenter_mode(visit: Visit) -> None:
    """After the last beat comes the first one of the next page."""
    last = len(ui.lesson("neuron").beats)
    page = visit.open(f"/neuron?present=1&beat={last}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("h1")).to_have_text("Feedforward networks and classifiers")
    expect(page.locator(".st-key-beat")).to_have_text(plain(ui.lesson("networks").beats[0].say))
    visit.settle()
    assert visit.query()["present"] == "1"


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1920, "height": 1080}}], indirect=True)
def test_an_open_question_stands_on_the_stage_in_large_type(visit: Visit) -> None:
    """The question, the field for the answer and *Reveal* are above the picture, not over it."""
    page = visit.open("/neuron?present=1&ask=sum")
    asked = page.locator(".st-key-question")
    parts = [
        asked.get_by_text("What is z"),
        asked.get_by_role("spinbutton", name="Your prediction"),
        asked.get_by_role("button", name="Reveal"),
    ]
    stage = page.locator(".st-key-stage").bounding_box()
    assert stage
    for part in parts:
        box = part.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 1920
        assert box["y"] + box["height"] <= stage["y"]
        size = part.evaluate("(one) => getComputedStyle(one.querySelector('p') ?? one).fontSize")
        assert float(size.removesuffix("px")) >= 32
    parts[2].click()
    visit.settle()
    expect(asked.get_by_text("It is 0.69")).to_be_visible()
    asked.get_by_role("button", name="Next question").click()
    visit.settle()
    expect(asked.get_by_text("What is z")).to_have_count(0)


@pytest.mark.walk("lectures", alone=True)
def test_a_view_is_put_on_the_stage_while_presenting(visit: Visit) -> None:
    page = visit.open("/neuron?present=1&beat=3")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("radiogroup", name="Look closer").get_by_role("radio", name="Code").click()
    view = page.locator(".st-key-stage .st-key-view-open")
    expect(view.get_by_text("def neuron_forward").first).to_be_visible()
    visit.settle()
    assert visit.query()["beat"] == "3"
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    visit.attached("html[data-beat='present 4']")
    expect(view).to_have_count(0)


def test_the_controls_stay_hidden_from_one_beat_to_the_next(visit: Visit) -> None:
    page = visit.open("/neuron?present=1")
    page.keyboard.press("c")
    expect(page.locator(".st-key-rail")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    visit.attached("html[data-beat='present 2']")
    visit.settle()
    expect(page.locator(".st-key-rail")).to_be_hidden()
    page.keyboard.press("c")
    expect(page.locator(".st-key-rail")).to_be_visible()


@pytest.mark.parametrize(("slug", "part"), [("heads", "[data-part=grid]"), ("masking", ".paint")])
@pytest.mark.walk("lectures", alone=True)
def test_an_arrow_key_in_a_picture_that_has_the_focus_turns_no_beat(
    visit: Visit, slug: str, part: str
) -> None:
    page = visit.open(f"/{slug}?present=1&beat=1")
    page.locator(part).first.wait_for()
    for _ in range(40):
        if page.evaluate(FOCUSED, part):
            break
        page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED, part), f"the Tab key does not reach {part}"
    page.keyboard.press("ArrowRight")
    visit.settle()
    assert visit.query().get("beat", "1") == "1"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    visit.attached("html[data-beat='present 2']")
