"""Walking a graph: one number at a time, values forward and gradients backward."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.conftest import Visit

VISIBLE = """nodes => nodes.map((node) => [...node.querySelectorAll('text')].slice(1)
    .map((text) => getComputedStyle(text).visibility === 'visible'))"""
FIRST, LAST = "0 of 10", "10 of 10"


def shown(page: Page) -> list[tuple[bool, bool]]:
    """Of each node, a b c d e L: whether its value and its gradient are visible."""
    found = page.locator(".pictures svg g").evaluate_all(VISIBLE)
    return [(value, gradient) for value, gradient in found]


def button(page: Page, label: str) -> Locator:
    return page.locator(".walker button").filter(has_text=label)


def count(page: Page) -> Locator:
    return page.locator(".count")


def words(page: Page) -> Locator:
    return page.locator(".words")


def test_reset_hides_every_number_and_end_shows_all(visit: Visit) -> None:
    page = visit.open("/backprop")
    assert shown(page) == [(True, True)] * 6
    button(page, "Reset").click()
    assert shown(page) == [(False, False)] * 6
    expect(count(page)).to_have_text(FIRST)
    expect(words(page)).to_contain_text("Nothing is computed yet")
    button(page, "End").click()
    assert shown(page) == [(True, True)] * 6
    expect(count(page)).to_contain_text(LAST)


def test_step_reveals_values_forward_and_then_gradients_backward(visit: Visit) -> None:
    page = visit.open("/backprop?at=0")
    reveals = []
    before = shown(page)
    for _ in range(10):
        button(page, "Step").click()
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
    expect(button(page, "Step")).to_be_disabled()


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
    assert shown(page) != before
    button(page, "Back").click()
    assert shown(page) == before
    assert words(page).inner_text() == said


def test_the_words_say_upstream_times_local_is_downstream(visit: Visit) -> None:
    page = visit.open("/backprop?at=0")
    said = []
    for _ in range(10):
        button(page, "Step").click()
        said.append(words(page).inner_text())
    assert said[:4] == [
        "Given: a = 3, b = 1, c = −2",
        "d = 2 × b = 2 × 1 = 2",
        "e = a + d = 3 + 2 = 5",
        "L = c × e = (−2) × 5 = −10",
    ]
    assert set(said[5:]) == {
        "∂L/∂c = ∂L/∂L × ∂L/∂c = 1 × 5 = 5",
        "∂L/∂e = ∂L/∂L × ∂L/∂e = 1 × (−2) = −2",
        "∂L/∂a = ∂L/∂e × ∂e/∂a = (−2) × 1 = −2",
        "∂L/∂d = ∂L/∂e × ∂e/∂d = (−2) × 1 = −2",
        "∂L/∂b = ∂L/∂d × ∂d/∂b = (−2) × 2 = −4",
    }


def test_play_runs_to_the_end_and_says_so_in_the_address(visit: Visit) -> None:
    page = visit.open("/backprop?at=8")
    button(page, "Play").click()
    expect(count(page)).to_contain_text(LAST)
    expect(button(page, "Play")).to_be_visible()
    assert shown(page) == [(True, True)] * 6
    visit.settle()
    assert "at" not in visit.query()


def test_pause_stops_where_it_is(visit: Visit) -> None:
    visit.page.clock.install()
    page = visit.open("/backprop?at=2")
    button(page, "Play").click()
    page.clock.run_for(1000)
    expect(count(page)).to_contain_text("3 of 10")
    button(page, "Pause").click()
    page.clock.run_for(5000)
    expect(count(page)).to_contain_text("3 of 10")
    expect(button(page, "Play")).to_be_visible()


def test_a_late_answer_does_not_undo_a_newer_click(visit: Visit) -> None:
    held: list[str | bytes] = []
    tab: list[WebSocketRoute] = []
    slow = False

    def through(socket: WebSocketRoute) -> None:
        tab.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda message: held.append(message) if slow else socket.send(message))

    visit.page.route_web_socket("**/_stcore/stream", through)
    page = visit.open("/backprop")
    slow = True
    button(page, "Back").click()
    page.wait_for_timeout(500)  # the whole answer to this click waits in `held`
    late = held.copy()
    held.clear()
    assert late
    button(page, "Back").click()
    for message in late:
        tab[-1].send(message)
    page.wait_for_timeout(300)
    expect(count(page)).to_contain_text("8 of 10")
    slow = False
    for message in held:
        tab[-1].send(message)
    visit.settle()
    expect(count(page)).to_contain_text("8 of 10")


@pytest.mark.parametrize("at", [0, 3, 7])
def test_the_step_is_in_the_address_and_survives_a_reload(visit: Visit, at: int) -> None:
    page = visit.open("/backprop?at=5")
    if at == 0:
        button(page, "Reset").click()
    for _ in range(abs(5 - at) if at else 0):
        button(page, "Step" if at > 5 else "Back").click()
    visit.settle()
    assert visit.query() == {"at": str(at)}
    before = shown(page), words(page).inner_text()
    page.reload()
    visit.settle()
    expect(count(page)).to_contain_text(f"{at} of 10")
    assert (shown(page), words(page).inner_text()) == before


def test_one_step_downhill_at_a_tenth_gives_minus_fifteen(visit: Visit) -> None:
    page = visit.open("/backprop?panel=Gradient+descent")
    page.get_by_role("button", name="Take one step", exact=True).click()
    expect(page.get_by_text("−15", exact=True).first).to_be_visible()
    visit.settle()
    program = visit.program().input_value().split("\n")
    leaves = dict(line.split(" = ") for line in program[:3])
    assert {name: float(value) for name, value in leaves.items()} == {"a": 3.2, "b": 1.4, "c": -2.5}
    assert program[3:] == ["d = 2*b", "e = a + d", "L = c*e", ""]
