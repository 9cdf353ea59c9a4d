"""The network pages in a browser: the picture follows; only the last position is sent."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, Position, expect

import ui
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import STEPS, drag

pytestmark = pytest.mark.walk("networks", alone=True)

WATCH = """() => {
    window.redrawn = 0;
    for (const { shadowRoot } of document.querySelectorAll("*")) {
        const watcher = new MutationObserver(() => { window.redrawn += 1; });
        const changes = { subtree: true, childList: true, characterData: true, attributes: true };
        if (shadowRoot) watcher.observe(shadowRoot, changes);
    }
}"""

INSIDE: Position = {"x": 20, "y": 40}
CHANGED = "([name, before]) => new URLSearchParams(location.search).get(name) !== before"


class Dragged(NamedTuple):
    """A slider of a page, and the setting in the address that it changes."""

    path: str
    name: str
    setting: str


DRAGGED = (
    Dragged("/lstm", "forget gate, pre-activation", "gates"),
    Dragged("/lstm?see=Vanishing+gradients", "spectral radius of W_h", "radius"),
    Dragged("/rnn?rnn_step=1", "Time t", "rnn_step"),
    Dragged("/feedforward", "Position in the text", "ff_at"),
    Dragged("/feedforward?see=Embeddings+drifting", "Training step", "drift_at"),
)


@pytest.mark.parametrize("dragged", DRAGGED, ids=lambda each: f"{each.path} {each.name}")
def test_a_drag_redraws_without_a_word_to_the_server_and_then_is_in_the_address(
    visit: Visit, dragged: Dragged
) -> None:
    page = visit.open(dragged.path)
    page.get_by_role("slider", name=dragged.name, exact=True).wait_for()
    page.evaluate(WATCH)
    sent, before = len(visit.sent), visit.query().get(dragged.setting)
    drag(page, dragged.name)
    assert len(visit.sent) == sent
    assert page.evaluate("window.redrawn") >= min(STEPS // 3, moves(page, dragged.name))
    page.mouse.up()
    page.wait_for_function(CHANGED, arg=[dragged.setting, before])
    assert len(visit.sent) > sent


def moves(page: Page, name: str) -> int:
    """The number of positions that the slider passed."""
    ends = page.get_by_role("slider", name=name, exact=True).evaluate(
        "node => [node.value, (Number(node.max) + Number(node.min)) / 2].map(Number)"
    )
    return int(abs(ends[0] - ends[1]))


def step(page: Page) -> Locator:
    return page.get_by_role("button", name="Step: the next quantity", exact=False)


def lit(page: Page) -> str:
    """The highlighted lines of the loop, as soon as there is one."""
    page.locator("[data-lit]").first.wait_for()
    return "".join(page.locator("[data-lit]").all_text_contents())


def time(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Time t, typed", exact=True)


def test_a_step_through_the_rnn_lights_the_line_that_runs(visit: Visit) -> None:
    page = visit.open("/rnn?rnn_step=2&rnn_phase=x")
    sent, seen = len(visit.sent), [lit(page)]
    said = [page.locator(".said").inner_text()]
    for _ in range(4):
        step(page).click()
        expect(page.locator(".said")).not_to_have_text(said[-1])
        said.append(page.locator(".said").inner_text())
        seen.append(lit(page))
    assert len(visit.sent) <= sent + 5  # only where it rests is sent
    assert len(set(seen)) == len(set(said)) == 5
    hidden = seen[2]
    assert "W_h" in hidden, seen
    expect(time(page)).to_have_value("2")
    step(page).click()
    expect(time(page)).to_have_value("3")
    expect(page.locator(".said")).to_contain_text("reads horse")
    assert lit(page) == seen[0]
    visit.until_address(rnn_step="3", rnn_phase="x")


def test_the_rnn_plays_on_by_itself_until_it_is_paused(visit: Visit) -> None:
    page = visit.open("/rnn?rnn_step=1&rnn_phase=x")
    page.get_by_role("button", name="Play", exact=False).click()
    expect(time(page)).to_have_value("3", timeout=15_000)
    page.get_by_role("button", name="Pause", exact=True).click()
    page.wait_for_function(CHANGED, arg=["rnn_step", "1"])
    expect(page.locator(".said")).to_contain_text("horse")
    rests = visit.query()
    page.wait_for_timeout(900)
    assert visit.query() == rests


def test_the_chain_of_the_rnn_rolls_to_the_column_that_is_pressed(visit: Visit) -> None:
    page = visit.open("/rnn")
    page.locator(".box svg g.press").nth(3).click(position=INSIDE)
    expect(time(page)).to_have_value("4")
    expect(page.locator(".said")).to_contain_text("“was” came next")
    visit.until_address(rnn_step="4")


def test_a_pressed_unit_of_the_rnn_is_opened(visit: Visit) -> None:
    page = visit.open("/rnn")
    page.locator("[data-unit='12']").last.click()
    page.wait_for_function(CHANGED, arg=["rnn_unit", None])
    visit.settle()
    expect(page.get_by_text("unit 12 of 160", exact=True).first).to_be_visible()


def test_arrow_keys_walk_the_rnn_and_its_table_follows(visit: Visit) -> None:
    page = visit.open("/rnn?rnn_step=1&see=Step+by+step")
    table = page.get_by_role("table").first
    before = table.inner_text()
    page.get_by_role("slider", name="Time t", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(time(page)).to_have_value("3")
    expect(table).not_to_have_text(before)
    expect(page.locator(".said")).to_contain_text("“which” came next")
    visit.until_address(rnn_step="3")


def test_a_pressed_bar_is_what_the_sentence_speaks_of(visit: Visit) -> None:
    page = visit.open("/language_model?lm_models=trigram,lstm")
    page.get_by_role("button", name="LSTM, gets: ").click()
    visit.settle()
    assert visit.query()["lm_model"] == "lstm"
    assert visit.query()["lm_word"] == "9"
    expect(page.locator(".said")).to_contain_text("LSTM gives “gets” p = 6.7")
    head = page.get_by_role("button", name="dog", exact=True)
    head.focus()
    page.keyboard.press("Enter")
    visit.settle()
    assert visit.query()["lm_word"] == "8"


def test_a_word_of_the_microworld_takes_the_place_of_the_one_looked_at(visit: Visit) -> None:
    page = visit.open("/language_model?lm_word=8")
    page.get_by_role("button", name="The Microworld").click()
    page.get_by_role("radio", name="cat", exact=True).click()
    visit.settle()
    expect(page.locator(".said")).to_contain_text("Trigram gives “cat”")


def test_words_that_do_not_fit_are_a_press_away(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 360, "height": 740})
    text = "+".join(["the cats that the dogs see wait ."] * 3).replace(" ", "+")
    page = visit.open(f"/language_model?lm_text={text}&lm_word=24")
    page.get_by_role("button", name="words before").click()
    expect(page.get_by_role("button", name="words after")).to_be_visible()


def test_a_gate_that_is_held_changes_what_the_lstm_says_next(visit: Visit) -> None:
    page = visit.open("/lstm?see=Gates+over+a+text")
    visit.choose("Hold", "Forget gate f")
    table = page.get_by_role("table", name="The most probable next tokens")
    expect(table.get_by_role("columnheader")).to_have_text(["next token", "p, free", "p, held"])
    rows = table.get_by_role("row").all()[1:]
    chances = [row.get_by_role("cell").all_inner_texts()[-2:] for row in rows]
    assert any(free != held for free, held in chances)


@pytest.mark.parametrize("path", ["/language_model", "/feedforward", "/rnn", "/lstm"])
def test_a_preset_of_a_network_page_and_its_address_show_the_same(
    visit: Visit, friend: Visit, path: str
) -> None:
    visit.open(path)
    visit.choose("Presets", ui.lesson(path[1:]).presets[2].label)
    friend.open(visit.page.evaluate("location.pathname + location.search"))
    assert friend.query() == visit.query() != {}
    assert friend.written() == visit.written()


def test_a_word_that_is_pressed_in_the_picture_is_where_the_window_ends(visit: Visit) -> None:
    page = visit.open("/feedforward")
    page.get_by_role("button", name="sure, not seen; read up to here").click()
    page.wait_for_function(CHANGED, arg=["ff_at", None])
    visit.settle()
    assert visit.query()["ff_at"] == "5"
    expect(page.locator(".said")).to_contain_text("From to make sure alone")


def test_a_cell_is_read_with_the_keyboard_and_a_unit_is_chosen(visit: Visit) -> None:
    page = visit.open("/feedforward")
    strip = page.get_by_role("slider", name="h, 128 numbers")
    strip.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(strip).to_have_attribute("aria-valuetext", re.compile(r"^h, number 4: "))
    sent = strip.get_attribute("aria-valuetext")
    expect(page.locator(".box svg").get_by_text(str(sent), exact=True)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".formula")).to_contain_text("unit 4:")
    assert visit.query()["ff_unit"] == "4"


def test_a_question_hides_the_winner_in_the_picture_too(visit: Visit) -> None:
    page = visit.open("/feedforward?ask=winner")
    box = page.locator(".box svg")
    expect(box.get_by_text("?", exact=True).first).to_be_visible()
    assert "fed" not in box.locator("text").all_text_contents()
    expect(page.locator(".said")).not_to_contain_text("fed")
    page.get_by_role("radio", name="fed", exact=True).click()
    expect(page.locator(".said")).to_contain_text("the model gives fed")
