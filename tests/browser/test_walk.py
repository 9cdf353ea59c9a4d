"""Walking a graph: one number at a time, values forward and gradients backward."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MOVING, TWO_FRAMES, SlowLine, Visit

pytestmark = pytest.mark.walk("backprop", alone=True)

NODES = """() => {
  const figure = [...document.querySelectorAll('*')]
      .map((node) => node.shadowRoot?.querySelector('.figure')).find(Boolean);
  return [...figure.querySelectorAll('.node')].map((node) =>
      [...node.querySelectorAll('text')].map((text) => text.textContent));
}"""
FIRST, LAST = "0 of 11", "11 of 11"


def texts(page: Page) -> list[list[str]]:
    """For each node, a b c d e L: its name, value and gradient, as far as they are shown."""
    found: list[list[str]] = page.evaluate(NODES)
    return found


def shown(page: Page) -> list[tuple[bool, bool]]:
    """For each node, a b c d e L: whether its value and its gradient are shown."""
    return [(len(node) > 1, len(node) > 2) for node in texts(page)]


def button(page: Page, label: str) -> Locator:
    return page.locator(".box").get_by_role("button", name=re.compile(f"^{label}"))


def count(page: Page) -> Locator:
    return page.locator(".box svg text").filter(has_text=re.compile(r"^\d+ of \d+"))


def words(page: Page) -> Locator:
    return page.locator(".said")


def formula(page: Page) -> Locator:
    return page.locator(".formula")


def test_the_page_opens_at_the_first_step_and_shows_no_gradient(visit: Visit) -> None:
    page = visit.open("/backprop")
    expect(count(page)).to_contain_text("1 of 11")
    assert shown(page) == [(True, False)] * 3 + [(False, False)] * 3
    assert not any("∂" in text for text in visit.drawn())
    assert "∂" not in words(page).inner_text()
    visit.open("/backprop?present=1")
    assert not any("∂" in text for text in visit.drawn())


def test_reset_hides_every_number_and_end_shows_all(visit: Visit) -> None:
    page = visit.open("/backprop?at=-1")
    assert shown(page) == [(True, True)] * 6
    button(page, "Reset").click()
    expect(button(page, "Reset")).to_have_attribute("aria-disabled", "true")
    assert shown(page) == [(False, False)] * 6
    expect(count(page)).to_have_text(FIRST)
    expect(words(page)).to_contain_text("Nothing is computed yet")
    button(page, "End").click()
    expect(count(page)).to_contain_text(LAST)
    assert shown(page) == [(True, True)] * 6
    expect(words(page)).to_contain_text("L moves most with c: ∂L/∂c = 5.")


def test_step_reveals_values_forward_and_then_gradients_backward(visit: Visit) -> None:
    page = visit.open("/backprop?at=0")
    reveals = []
    before = shown(page)
    for step in range(1, 11):
        button(page, "Step").click()
        expect(count(page)).to_contain_text(f"{step} of 11")
        after = shown(page)
        reveals.append(changes(before, after))
        before = after
    forward, backward = reveals[:4], reveals[4:]
    assert forward == [["a", "b", "c"], ["d"], ["e"], ["L"]]
    assert [len(step) for step in backward] == [1] * 6
    assert backward[0] == ["∂L"]
    assert sorted(name for step in backward for name in step) == sorted(
        f"∂{name}" for name in "abcdeL"
    )
    for node, onward in {"∂d": "∂e", "∂b": "∂d", "∂a": "∂e", "∂e": "∂L", "∂c": "∂L"}.items():
        assert backward.index([onward]) < backward.index([node])
    button(page, "Step").click()
    expect(button(page, "Step")).to_have_attribute("aria-disabled", "true")


def changes(before: list[tuple[bool, bool]], after: list[tuple[bool, bool]]) -> list[str]:
    """What became visible: a node's name for its value, ∂ and the name for its gradient."""
    found = []
    for name, was, now in zip("abcdeL", before, after, strict=True):
        assert was <= now, f"{name} must not hide a number again"
        if was[0] != now[0]:
            found.append(name)
        if was[1] != now[1]:
            found.append(f"∂{name}")
    return found


def test_back_undoes_a_step(visit: Visit) -> None:
    page = visit.open("/backprop?at=6")
    before, said = shown(page), words(page).inner_text()
    button(page, "Step").click()
    expect(count(page)).to_contain_text("7 of 11")
    assert shown(page) != before
    button(page, "Back").click()
    expect(count(page)).to_contain_text("6 of 11")
    assert shown(page) == before
    assert words(page).inner_text() == said


def test_the_words_say_upstream_times_local_is_downstream(visit: Visit) -> None:
    page = visit.open("/backprop?at=0")
    said, plugged = [], []
    for step in range(1, 11):
        button(page, "Step").click()
        expect(count(page)).to_contain_text(f"{step} of 11")
        said.append(words(page).inner_text())
        plugged.append(formula(page).inner_text())
    assert plugged[0].split() == ["a", "=", "3", "b", "=", "1", "c", "=", "−2"]
    assert plugged[1:4] == [
        "d = 2 × b = 2 × 1 = 2",
        "e = a + d = 3 + 2 = 5",
        "L = c × e = (−2) × 5 = −10",
    ]
    assert "Forward: d is computed from b. It is 2." in said
    assert "Back to d: upstream (−2) × local 1 = downstream −2." in said
    assert "Back to b: upstream (−2) × local 2 = downstream −4." in said
    assert set(plugged[5:]) == {
        "∂L/∂c = ∂L/∂L × ∂L/∂c = 1 × 5 = 5",
        "∂L/∂e = ∂L/∂L × ∂L/∂e = 1 × (−2) = −2",
        "∂L/∂a = ∂L/∂e × ∂e/∂a = (−2) × 1 = −2",
        "∂L/∂d = ∂L/∂e × ∂e/∂d = (−2) × 1 = −2",
        "∂L/∂b = ∂L/∂d × ∂d/∂b = (−2) × 2 = −4",
    }


def test_play_runs_to_the_end_and_says_so_in_the_address(visit: Visit) -> None:
    page = visit.open("/backprop?at=9")
    button(page, "Play").click()
    expect(count(page)).to_contain_text(LAST)
    expect(button(page, "Play")).to_be_visible()
    assert shown(page) == [(True, True)] * 6
    visit.settle()
    assert visit.query() == {"at": "-1"}


def test_pause_stops_where_it_is(visit: Visit) -> None:
    visit.changed = True
    visit.page.clock.install()
    page = visit.open("/backprop?at=2")
    button(page, "Play").click()
    page.clock.run_for(1000)
    expect(count(page)).to_contain_text("3 of 11")
    button(page, "Pause").click()
    page.clock.run_for(5000)
    expect(count(page)).to_contain_text("3 of 11")
    expect(button(page, "Play")).to_be_visible()


@MOVING
def test_numbers_ride_along_their_edges_and_then_stand_in_their_node(visit: Visit) -> None:
    page = visit.open("/backprop?at=6")
    button(page, "Step").click()
    riders = page.locator(".box svg rect[rx]").locator("xpath=following-sibling::*[1]")
    assert riders.count()
    expect(page.locator(".box .beads.back")).to_have_count(1)
    expect(page.get_by_text("∂L/∂d = −2", exact=True)).to_be_visible()
    button(page, "Reset").click()
    for _ in range(2):
        button(page, "Step").click()
    expect(page.locator(".box .beads")).to_have_count(1)
    expect(page.locator(".box .beads.back")).to_have_count(0)


def test_a_leaf_in_the_picture_is_dragged_and_values_and_gradients_follow(visit: Visit) -> None:
    page = visit.open("/backprop?at=-1")
    handle = page.locator(".box [data-n='b']")
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 4
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=6)
    expect(words(page)).to_contain_text("You moved b from 1 to 2: L went from −10 to −14.")
    nodes = {node[0]: node[1:] for node in texts(page)}
    assert nodes["d = 2 × b"] == ["2 → ", "4", "∂L/∂d = −2"]
    assert nodes["c"][1:] == ["∂L/∂c = 7"]
    page.mouse.up()
    visit.settle()
    assert visit.typed("b").input_value() == "2"
    assert "b = 2\n" in visit.query()["program"]


def test_a_large_graph_scrolls_inside_the_picture_and_follows_its_step(visit: Visit) -> None:
    lines = ["n0 = 1", *(f"n{i} = tanh(n{i - 1})" for i in range(1, 60))]
    page = visit.open(f"/backprop?{urlencode({'program': chr(10).join(lines)})}")
    wide = "() => document.scrollingElement.scrollWidth - innerWidth"
    tall = "() => document.scrollingElement.scrollHeight - innerHeight"
    assert page.evaluate(wide) <= 0 and page.evaluate(tall) <= 0
    names = "nodes => nodes.map((node) => node.querySelector('text')?.textContent).filter(Boolean)"
    nodes = page.locator(".box .node")
    assert nodes.count() == 60
    first = nodes.evaluate_all(names)
    assert "n0" in first and not any(name.startswith("n59") for name in first)
    button(page, "End").click()
    expect(count(page)).to_contain_text("121 of 121")
    page.mouse.move(500, 400)
    page.mouse.wheel(0, 3000)
    page.evaluate(TWO_FRAMES)
    assert any(name.startswith("n59") for name in nodes.evaluate_all(names))
    for _ in range(3):
        button(page, "Back").click()
    page.evaluate(TWO_FRAMES)
    assert page.evaluate(wide) <= 0 and page.evaluate(tall) <= 0


def test_a_long_name_is_cut_in_its_room(visit: Visit) -> None:
    name = "a_leaf_with_a_name_that_is_far_too_long_for_its_node"
    page = visit.open(f"/backprop?{urlencode({'program': f'{name} = 3{chr(10)}L = {name}^2'})}")
    drawn = texts(page)
    assert drawn[0][0].endswith("…") and len(drawn[0][0]) < 30
    assert page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth") <= 0


def test_a_late_answer_does_not_undo_a_newer_click(visit: Visit) -> None:
    line = SlowLine(visit)
    page = visit.open("/backprop?at=10")
    line.slow = True
    button(page, "Back").click()
    page.wait_for_timeout(500)  # until the whole answer to this click is held
    late = line.take()
    assert late
    button(page, "Back").click()
    line.deliver(late)
    page.wait_for_timeout(300)
    expect(count(page)).to_contain_text("8 of 11")
    line.slow = False
    line.deliver(line.take())
    visit.settle()
    expect(count(page)).to_contain_text("8 of 11")


@pytest.mark.parametrize("at", [0, 3, 7])
def test_the_step_is_in_the_address_and_survives_a_reload(visit: Visit, at: int) -> None:
    page = visit.open("/backprop?at=5")
    if at == 0:
        button(page, "Reset").click()
    for _ in range(abs(5 - at) if at else 0):
        button(page, "Step" if at > 5 else "Back").click()
    expect(count(page)).to_contain_text(f"{at} of 11")
    visit.settle()
    assert visit.query() == {"at": str(at)}
    before = shown(page), words(page).inner_text()
    page.reload()
    visit.settle()
    expect(count(page)).to_contain_text(f"{at} of 11")
    assert (shown(page), words(page).inner_text()) == before


def test_one_step_downhill_at_a_tenth_gives_minus_fifteen(visit: Visit) -> None:
    page = visit.open("/backprop?see=Gradient+descent")
    page.get_by_role("button", name="Take one step", exact=True).click()
    expect(page.locator(".st-key-view")).to_contain_text("from −15 to")
    visit.settle()
    program = visit.program().input_value().split("\n")
    leaves = dict(line.split(" = ") for line in program[:3])
    assert {name: float(value) for name, value in leaves.items()} == {"a": 3.2, "b": 1.4, "c": -2.5}
    assert program[3:] == ["d = 2*b", "e = a + d", "L = c*e", ""]
