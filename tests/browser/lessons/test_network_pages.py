"""The pages on networks, walked by hand: the picture follows, the server is told where it rests."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import STEPS, drag

WATCH = """() => {
    window.redrawn = 0;
    for (const { shadowRoot } of document.querySelectorAll("*")) {
        const watcher = new MutationObserver(() => { window.redrawn += 1; });
        const changes = { subtree: true, childList: true, characterData: true, attributes: true };
        if (shadowRoot) watcher.observe(shadowRoot, changes);
    }
}"""

CHANGED = "([name, before]) => new URLSearchParams(location.search).get(name) !== before"


class Dragged(NamedTuple):
    """A slider of a page, and the setting of the address that it decides."""

    path: str
    name: str
    setting: str


DRAGGED = (
    Dragged("/lstm", "forget gate, pre-activation", "gates"),
    Dragged("/lstm?lstm_view=Vanishing+gradients", "spectral radius of W_h", "radius"),
    Dragged("/rnn?rnn_step=1", "Time t", "rnn_step"),
    Dragged("/feedforward", "Position in the text", "ff_at"),
    Dragged("/feedforward?ff_view=Embeddings+drifting", "Training step", "drift_at"),
)


@pytest.mark.parametrize("dragged", DRAGGED, ids=lambda each: f"{each.path} {each.name}")
def test_a_drag_redraws_without_a_word_to_the_server_and_then_is_in_the_address(
    visit: Visit, dragged: Dragged
) -> None:
    page = visit.open(dragged.path)
    page.get_by_role("slider", name=dragged.name, exact=True).wait_for()
    page.evaluate(WATCH)
    told, before = len(visit.sent), visit.query().get(dragged.setting)
    drag(page, dragged.name)
    assert len(visit.sent) == told
    assert page.evaluate("window.redrawn") >= min(STEPS // 3, moves(page, dragged.name))
    page.mouse.up()
    page.wait_for_function(CHANGED, arg=[dragged.setting, before])
    assert len(visit.sent) > told


def moves(page: Page, name: str) -> int:
    """Positions that the slider passed on its way."""
    ends = page.get_by_role("slider", name=name, exact=True).evaluate(
        "node => [node.value, (Number(node.max) + Number(node.min)) / 2].map(Number)"
    )
    return int(abs(ends[0] - ends[1]))


def step(page: Page) -> Locator:
    return page.get_by_role("button", name="Step ▶", exact=True)


def lit(page: Page) -> str:
    """The lines of the loop that are said to run, once one is."""
    page.locator(".loop .lit").first.wait_for()
    return "".join(page.locator(".loop .lit").all_text_contents())


def test_a_step_through_the_rnn_lights_the_line_that_runs(visit: Visit) -> None:
    page = visit.open("/rnn?rnn_step=2&rnn_phase=x")
    seen = [lit(page)]
    for _ in range(4):
        step(page).click()
        seen.append(lit(page))
    assert len(set(seen)) == 5
    hidden = seen[2]
    assert "W_h" in hidden, seen
    expect(page.locator(".scrub output").first).to_have_text("2 of 11: the")
    step(page).click()
    expect(page.locator(".scrub output").first).to_have_text("3 of 11: horse")
    assert lit(page) == seen[0]


def test_arrow_keys_walk_the_rnn_and_its_table_follows(visit: Visit) -> None:
    page = visit.open("/rnn?rnn_step=1")
    table = page.get_by_role("table").first
    before = table.inner_text()
    page.get_by_role("group", name="The network, one column per word; ← and → move").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".scrub output").first).to_have_text("3 of 11: horse")
    expect(table).not_to_have_text(before)
    page.wait_for_function(CHANGED, arg=["rnn_step", "1"])
    assert visit.query()["rnn_step"] == "3"


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
    visit.changed = True
    visit.page.set_viewport_size({"width": 360, "height": 740})
    text = "+".join(["the cats that the dogs see wait ."] * 3).replace(" ", "+")
    page = visit.open(f"/language_model?lm_text={text}&lm_word=24")
    page.get_by_role("button", name="words before").click()
    expect(page.get_by_role("button", name="words after")).to_be_visible()
    visit.page.set_viewport_size({"width": 1400, "height": 900})


def test_a_gate_that_is_held_changes_what_the_lstm_says_next(visit: Visit) -> None:
    page = visit.open("/lstm?lstm_view=Gates+over+a+text")
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
    group = visit.page.get_by_role("radiogroup", name=re.compile("^(Presets|Examples)$"))
    pills = group.get_by_role("radio")
    visit.choose("Presets", pills.nth(2).inner_text())
    friend.open(visit.page.evaluate("location.pathname + location.search"))
    assert friend.query() == visit.query() != {}
    assert friend.written() == visit.written()
