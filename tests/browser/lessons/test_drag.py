"""The picture follows a drag without the server; releasing the slider updates everything else."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from lmcore.numbers import format_number
from tests.browser.conftest import PICTURE, SlowLine, Visit

WATCH = """(selector) => {
    const roots = [...document.querySelectorAll('*')].map((node) => node.shadowRoot);
    const root = roots.find((each) => each?.querySelector('.pictures, .figure'));
    const read = () => [...root.querySelectorAll(selector)].map((n) => n.textContent).join('|');
    window.seen = new Set();
    new MutationObserver(() => window.seen.add(read()))
        .observe(root, { subtree: true, childList: true, characterData: true });
}"""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SET = """(node, value) => {
    node.value = value;
    node.dispatchEvent(new Event('input', { bubbles: true }));
}"""
"""Moves a slider as a drag does, without releasing it."""
STEPS = 30


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=True)


def drag(page: Page, name: str) -> None:
    """Hold a slider and drag it slowly to the right, without releasing it."""
    handle = slider(page, name)
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.5 * box["width"], y)
    page.mouse.down()
    for step in range(1, STEPS + 1):
        page.mouse.move(box["x"] + (0.5 + 0.3 * step / STEPS) * box["width"], y)
        page.evaluate(NEXT_FRAME)


@pytest.mark.parametrize(("path", "name"), [("/neuron", "weight w1"), ("/backprop", "b")])
def test_a_drag_moves_the_picture_many_times_and_tells_the_server_nothing(
    visit: Visit, path: str, name: str
) -> None:
    page = visit.open(path)
    before = visit.drawn()
    page.evaluate(WATCH, PICTURE)
    sent = len(visit.sent)
    drag(page, name)
    seen, sent_meanwhile = page.evaluate("() => window.seen.size"), len(visit.sent) - sent
    held = visit.drawn()
    page.mouse.up()
    visit.settle()
    assert seen >= 10
    assert sent_meanwhile == 0
    assert held != before
    assert len(visit.sent) > sent
    assert visit.drawn() == held


def test_letting_go_settles_the_neurons_address_and_notice_on_the_picture(visit: Visit) -> None:
    page = visit.open("/neuron")
    drag(page, "weight w1")
    page.mouse.up()
    visit.settle()
    weight = visit.typed("weight w1").input_value()
    assert float(weight) != 0.1
    assert visit.query()["w"] == f"{weight}, 0.4, 0.2"
    z = next(text for text in visit.drawn() if text.startswith("z = ") and "·" not in text)
    number = z.removeprefix("z = ")
    expect(page.locator(".said")).to_have_text(
        re.compile(rf"You moved w₁ from 0.1 to {weight}: z went from 0.69 to {number},")
    )
    visit.choose("Look closer", "Step by step")
    expect(page.get_by_role("row", name="pre-activation")).to_contain_text(number)


@pytest.mark.walk("backprop", alone=True)
def test_letting_go_settles_the_graphs_address_program_and_notice_on_the_picture(
    visit: Visit,
) -> None:
    page = visit.open("/backprop?at=-1")
    drag(page, "b")
    page.mouse.up()
    visit.settle()
    leaf = visit.typed("b").input_value()
    assert float(leaf) != 1
    assert f"b = {leaf}\n" in visit.query()["program"]
    assert f"b = {leaf}\n" in visit.program().input_value()
    total = format_number(3 + 2 * float(leaf))
    result = format_number(-2 * (3 + 2 * float(leaf)))
    assert total in visit.drawn() and result in visit.drawn()
    expect(page.locator(".said")).to_contain_text(
        f"You moved b from 1 to {leaf}: L went from −10 to {result}."
    )
    expect(page.locator(".formula")).to_contain_text(f"∂L/∂c = {total}")


@pytest.mark.parametrize(("path", "name"), [("/neuron", "bias b"), ("/backprop", "a")])
def test_arrow_keys_move_a_slider_and_settle(visit: Visit, path: str, name: str) -> None:
    page = visit.open(path)
    before, number = visit.drawn(), float(visit.typed(name).input_value())
    slider(page, name).focus()
    page.keyboard.press("ArrowRight")
    expect(visit.typed(name)).not_to_have_value(f"{number:g}")
    visit.settle()
    assert float(visit.typed(name).input_value()) > number
    assert visit.drawn() != before
    assert visit.query()


def test_a_number_typed_beside_a_slider_moves_slider_and_picture(visit: Visit) -> None:
    page = visit.open("/neuron")
    visit.type("bias b", "1.2345")
    expect(page.get_by_text("z = 1.524", exact=True).first).to_be_visible()
    assert visit.query()["b"] == "1.2345"
    assert slider(page, "bias b").get_attribute("aria-valuetext") == "1.234"


@pytest.mark.walk("backprop", alone=True)
def test_a_number_typed_beside_a_leaf_is_written_into_the_program(visit: Visit) -> None:
    page = visit.open("/backprop")
    visit.type("c", "-2.5")
    expect(page.locator(".box").get_by_text("−2.5", exact=True).first).to_be_visible()
    assert "c = -2.5\n" in visit.query()["program"]


def test_a_number_beyond_the_sliders_ends_widens_them(visit: Visit) -> None:
    page = visit.open("/neuron")
    visit.type("weight w2", "37")
    assert visit.typed("weight w2").input_value() == "37"
    assert slider(page, "weight w2").get_attribute("aria-valuetext") == "37"
    expect(page.get_by_text("z = 8.01", exact=True).first).to_be_visible()


PATIENT = "(() => { const at = performance.now(); performance.now = () => at - 60_000; })()"
"""Stops the page's clock a minute in the past: a picture's wait of a second lasts a minute."""


def one_answer_late(visit: Visit) -> tuple[SlowLine, Page, list[str | bytes]]:
    """Move a slider twice by key; return the answer to the first move, not yet delivered."""
    line = SlowLine(visit)
    page = visit.open("/neuron")
    line.slow = True
    slider(page, "weight w1").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)  # until the whole answer to this key is held
    late = line.take()
    assert late
    page.keyboard.press("ArrowRight")
    page.evaluate(NEXT_FRAME)
    return line, page, late


@pytest.mark.walk("neuron", alone=True)
def test_an_answer_to_an_older_move_takes_nothing_back_while_the_hand_goes_on(
    visit: Visit,
) -> None:
    line, page, late = one_answer_late(visit)
    said, shown = page.locator(".said").inner_text(), page.locator(".formula").inner_text()
    assert said.startswith("You moved")
    page.evaluate(PATIENT)  # the newer answer may take longer than a second on a slow machine
    line.deliver(late)
    page.wait_for_timeout(300)
    assert page.locator(".said").inner_text() == said
    line.slow = False
    line.deliver(line.take())
    visit.settle()
    assert page.locator(".said").inner_text() == said
    assert page.locator(".formula").inner_text() == shown


@pytest.mark.walk("neuron", alone=True)
def test_an_older_answer_counts_where_no_newer_one_follows(visit: Visit) -> None:
    line, page, late = one_answer_late(visit)
    shown = page.locator(".formula").inner_text()
    line.deliver(late)
    expect(page.locator(".formula")).not_to_have_text(shown, use_inner_text=True)
    line.slow = False
    line.deliver(line.take())
    expect(page.locator(".formula")).to_have_text(shown, use_inner_text=True)
