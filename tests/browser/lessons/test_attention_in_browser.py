"""Attention in a browser: the picture of one query, and the table whose cells open."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

import ui
from lessons.attention.attention_picture import table_view
from lmcore.attention.step_table import (
    AttentionConfig,
    AttentionInputs,
    compute_step_table,
    from_inputs,
    inputs_from_qkv,
)
from lmcore.numbers import format_number
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import NEXT_FRAME, STEPS, drag
from tests.sampled import sampled

pytestmark = pytest.mark.walk("attention", alone=True)

LESSON = ui.lesson("attention")
PRESETS = {preset.label: preset for preset in LESSON.presets}
TYPED = [label for label in PRESETS if not label.startswith("Real head")]
CELL = ".step[data-i]"
TABLE = "/attention?see=Step+by+step"
READ = """nodes => nodes.map(node =>
    [node.getAttribute('aria-label'), node.querySelector('text').textContent])"""


def path(label: str, **more: str) -> str:
    return "/attention?" + urlencode(LESSON.address(PRESETS[label]) | more)


def given(label: str) -> tuple[AttentionInputs, AttentionConfig]:
    settings = {name.removeprefix("attention_"): value for name, value in
                PRESETS[label].settings.items()}  # fmt: skip
    words = tuple(settings["words"].split())
    made, names = (from_inputs, ("X", "WQ", "WK", "WV")) if settings["from"] == "x" else (
        inputs_from_qkv, ("Q", "K", "V"))  # fmt: skip
    how = AttentionConfig(
        int(settings["d_k"]),
        settings["scale"] == "true",
        float(settings["temperature"]),
        settings["mask"],
        int(settings["hidden"]),
    )
    return made(words, *(settings[name] for name in names)), how


def stages(label: str) -> dict[str, torch.Tensor]:
    """The tensor behind each stage, computed here."""
    what, how = given(label)
    table = compute_step_table(what, how)
    query = int(PRESETS[label].settings["attention_query"])
    found = {
        "q": what.query, "k": what.key, "v": what.value, "score": table.scores,
        "scaled": table.scaled, "masked": table.masked, "exp": table.exponentials,
        "weight": table.weights, "context": table.context,
        "weighted": table.weights[query - 1][:, None] * what.value,
    }  # fmt: skip
    return found if what.inputs is None else found | {"x": what.inputs}


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'{CELL}[aria-label^="{name}: "]').first


@pytest.mark.parametrize("label", sampled(TYPED, TYPED[:2], "attention"))
def test_the_whole_table_is_walked_and_every_number_is_its_tensors(
    visit: Visit, label: str
) -> None:
    page = visit.open(path(label, attention_mode="query", see="Step by step"))
    tensors = stages(label)
    for left in (set(), {"exp", "weighted"}):  # one query, then all
        page.locator(CELL).first.wait_for()
        met = set()
        for name, text in page.locator(CELL).evaluate_all(READ):
            opens, spoken = name.split(": ")
            stage, i, j = opens.split()
            number = float(tensors[stage][int(i) - 1, int(j) - 1])
            assert text == spoken == format_number(number), opens
            met.add(stage)
        assert met == tensors.keys() - left
        expect(page.locator(".line").first).to_be_visible()
        visit.choose("Show", "All queries")


def test_a_cell_of_the_slides_table_opens_to_what_it_was_computed_from(visit: Visit) -> None:
    """The first cell of every stage, and a third of the others.

    `tests/lessons/attention` opens all without a browser.
    """
    page = visit.open(TABLE)
    page.locator(CELL).first.wait_for()
    names = list(dict.fromkeys(name for name, _ in page.locator(CELL).evaluate_all(READ)))
    stages = {name.split()[0]: name for name in reversed(names)}
    names = [name for name in names[::3] if name not in stages.values()] + list(stages.values())
    assert len(stages) == 11 and len(names) == 20
    for name in names:
        opens, text = name.split(": ")
        cell(page, opens).click()
        visit.settle()
        expect(cell(page, opens)).to_have_attribute("aria-pressed", "true")
        lines = page.locator(".opened .line:not(:first-child)")
        if opens.split()[0] in ("score", "context", "q", "k", "v"):
            result = re.compile(rf"= {re.escape(text)}$|as entered")
            expect(lines.last).to_have_text(result)
        expect(lines.filter(has_text=text).first).to_be_visible()
    assert visit.query()["attention_cell"] == names[-1].split(": ")[0]


def written(page: Page) -> list[str]:
    """Every text of the main picture."""
    return page.locator(".box svg text").all_text_contents()


def pull(page: Page, name: str, shares: list[float]) -> None:
    """Hold a slider, and pull it to each of these shares of its width."""
    box = page.get_by_role("slider", name=name, exact=True).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.4 * box["width"], y)
    page.mouse.down()
    for share in shares:
        page.mouse.move(box["x"] + share * box["width"], y)
        page.evaluate(NEXT_FRAME)


def test_a_drag_of_d_k_moves_the_picture_with_the_hand_and_then_settles(visit: Visit) -> None:
    page = visit.open("/attention?attention_d_k=16")
    assert {"112", "0.9820", "0.01799"} <= set(written(page))
    sent, seen = len(visit.sent), set()
    box = page.get_by_role("slider", name="width d_k", exact=True).bounding_box()
    assert box is not None
    for step in range(1, STEPS + 1):
        if step == 1:
            pull(page, "width d_k", [0.4])
        page.mouse.move(box["x"] + (0.4 + 0.6 * step / STEPS) * box["width"], box["y"] + 12)
        page.evaluate(NEXT_FRAME)
        texts = written(page)
        seen.add(tuple(texts))
        assert "112" in texts
    assert len(visit.sent) == sent and len(seen) >= 10
    held = {"0.6698", "0.3302", "112 − 96", "0.7071 apart"}
    assert held <= set(written(page))
    moved = "You moved d_k from 16 to 512: scores ÷ 4 are now ÷ 22.63, and “Thinking” gets"
    expect(page.locator(".said")).to_have_text(f"{moved} 0.9820 → 0.6698.")
    assert page.locator(".box svg rect[stroke-dasharray='4 3']").count() >= 2  # the former values
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('attention_d_k=512')")
    visit.settle()
    assert held <= set(written(page))
    assert "0.6698·v₁" in page.locator(".formula").inner_text()


def test_the_handle_of_the_divisor_moves_d_k(visit: Visit) -> None:
    page = visit.open("/attention")
    box = page.locator("[data-n='d_k']").bounding_box()
    assert box is not None
    sent = len(visit.sent)
    page.mouse.move(box["x"] + 40, box["y"] + 10)
    page.mouse.down()
    for x in range(10, 101, 10):
        page.mouse.move(box["x"] + 40 + x, box["y"] + 10)
        page.evaluate(NEXT_FRAME)
    assert len(visit.sent) == sent
    assert float(page.get_by_role("textbox", name="width d_k, typed").input_value()) > 150
    page.mouse.up()
    visit.settle()
    assert int(visit.query()["attention_d_k"]) > 150


def test_a_drag_of_d_k_moves_the_table_with_the_hand_and_then_settles(visit: Visit) -> None:
    page = visit.open(f"{TABLE}&attention_d_k=16")
    weight, score = cell(page, "weight 1 1"), cell(page, "score 1 1")
    expect(weight).to_have_text("0.9820")
    sent, seen = len(visit.sent), set()
    pull(page, "width d_k", [0.4])
    for step in range(1, STEPS + 1):
        box = page.get_by_role("slider", name="width d_k", exact=True).bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + (0.4 + 0.6 * step / STEPS) * box["width"], box["y"] + 12)
        page.evaluate(NEXT_FRAME)
        seen.add(weight.text_content())
        assert score.text_content() == "112"
    assert len(visit.sent) == sent and len(seen) >= 10
    expect(weight).to_have_text("0.6698")
    assert "0.6698·v₁" in page.locator(".line").first.inner_text()
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('attention_d_k=512')")
    visit.settle()
    expect(weight).to_have_text("0.6698")
    expect(page.locator(".said")).to_contain_text("0.6698")


def test_every_slider_position_is_the_tensor_of_that_setting(visit: Visit) -> None:
    page = visit.open(TABLE)
    what, _ = given("CMU slide: Thinking Machines")
    handle = page.get_by_role("slider", name="width d_k", exact=True)
    handle.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"):
        page.keyboard.press(key)
        page.evaluate(NEXT_FRAME)
        d_k = int(page.get_by_role("textbox", name="width d_k, typed").input_value())
        weights = compute_step_table(what, AttentionConfig(d_k)).weights[0].tolist()
        for j, weight in enumerate(weights, start=1):
            expect(cell(page, f"weight 1 {j}").locator("text")).to_have_text(format_number(weight))
            drawn = page.locator(".box svg text").get_by_text(format_number(weight), exact=True)
            expect(drawn.first).to_be_attached()  # the answer to an earlier key may come first


def test_the_temperature_and_the_scale_move_the_table_too(visit: Visit) -> None:
    page = visit.open(TABLE)
    drag(page, "temperature")
    page.mouse.up()
    visit.settle()
    tau = float(visit.query()["attention_temperature"])
    what, _ = given("CMU slide: Thinking Machines")
    expected = format_number(
        float(compute_step_table(what, AttentionConfig(64, temperature=tau)).weights[0, 0])
    )
    expect(cell(page, "weight 1 1")).to_have_text(expected)
    page.get_by_text("Divide by √d_k", exact=True).click()
    visit.settle()
    expect(page.get_by_role("slider", name="width d_k", exact=True)).to_have_count(0)
    assert visit.query()["attention_scale"] == "false"


def test_arrow_keys_walk_the_cells_and_enter_opens_one(visit: Visit) -> None:
    page = visit.open(TABLE)
    cell(page, "score 1 2").focus()
    page.keyboard.press("ArrowRight")
    expect(cell(page, "scaled 1 2")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(cell(page, "scaled 1 1")).to_be_focused()
    page.keyboard.press("Enter")
    visit.settle()
    expect(page.locator(".opened .line").nth(1)).to_contain_text("112 ÷ 8 = 14")
    assert visit.query()["attention_cell"] == "scaled 1 1"
    expect(cell(page, "scaled 1 1")).to_be_focused()


def test_another_query_is_chosen_from_the_list(visit: Visit) -> None:
    page = visit.open(TABLE)
    page.get_by_label("Query", exact=True).select_option("2")
    visit.settle()
    assert visit.query()["attention_query"] == "2"
    expect(cell(page, "score 2 1")).to_have_text("74")


def test_a_word_that_is_pressed_asks(visit: Visit) -> None:
    page = visit.open("/attention")
    word = page.get_by_role("button", name="Query 2: Machines")
    expect(word).to_have_attribute("aria-pressed", "false")
    word.click()
    visit.settle()
    assert visit.query()["attention_query"] == "2"
    expect(page.locator(".said")).to_contain_text("“Machines” looks most at itself: 0.7311")
    expect(word).to_have_attribute("aria-pressed", "true")
    assert {"74", "82", "asks with q₂"} <= set(written(page))
    first = page.get_by_role("button", name="Query 1: Thinking")
    first.focus()
    page.keyboard.press("Enter")
    visit.settle()
    assert "attention_query" not in visit.query()
    expect(first).to_be_focused()


def test_of_many_keys_the_others_are_a_press_away(visit: Visit) -> None:
    rows = "; ".join(f"{i % 3} {i % 5}" for i in range(16))
    words = {"attention_from": "qkv", "attention_words": " ".join(f"w{i}" for i in range(1, 17))}
    matrices = {f"attention_{name}": rows for name in "QKV"}
    visit.page.set_viewport_size({"width": 1366, "height": 657})
    page = visit.open("/attention?" + urlencode(words | matrices))
    last = page.get_by_role("button", name="Query 16: w16")
    expect(last).to_have_count(0)
    more = page.get_by_role("button", name="Show later keys")
    more.click()
    expect(last).to_be_visible()
    expect(more).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Query 16: w16").hover()
    page.mouse.wheel(0, -600)
    expect(last).to_have_count(0)


def test_what_is_asked_for_is_not_on_the_picture(visit: Visit) -> None:
    page = visit.open("/attention?ask=weight")
    texts = written(page)
    assert {"14", "12", "112", "96", "?"} <= set(texts)
    assert not [text for text in texts if "0.8808" in text or "7.389" in text or "2.881" in text]
    assert "0.8808" not in page.locator(".formula").inner_text()
    page.get_by_role("button", name="Reveal").click()
    visit.settle()
    assert {"0.8808", "2.881"} <= set(written(page))


def test_more_words_get_rows_and_the_picture_has_them(visit: Visit) -> None:
    page = visit.open("/attention?see=Words+and+numbers")
    box = page.get_by_role("textbox", name="Words, separated by spaces")
    box.fill("Thinking Machines dream")
    box.press("Enter")
    visit.settle()
    expect(page.get_by_role("textbox", name="X", exact=True)).to_have_value(
        "1 0 2 1\n2 1 0 1\n1 2 1 0"
    )
    expect(page.get_by_text("X: 1 new row, each the row above it")).to_be_visible()
    visit.choose("Look closer", "Picture")
    expect(page.get_by_role("button", name="Query 3: dream")).to_be_visible()


def test_matrices_are_edited_and_a_fault_leaves_the_last_good_picture(visit: Visit) -> None:
    page = visit.open("/attention?see=Words+and+numbers")
    box = page.get_by_role("textbox", name="W^Q", exact=True)
    box.fill("0 0 2\n0 3 0\n2 2 0\n3 1 2")
    box.press("Control+Enter")
    visit.settle()
    assert {"115", "4"} <= set(written(page))
    box.fill("0 0 two")
    box.press("Control+Enter")
    visit.settle()
    expect(page.get_by_role("alert")).to_contain_text("row 1, column 3 of W^Q must be a number")
    assert "115" in written(page)


def test_another_mask_changes_the_label_of_its_column(visit: Visit) -> None:
    page = visit.open(path("Five by five"))
    visit.choose("Look closer", "Step by step")
    names = page.locator(".pictures svg text, .cells svg text")
    expect(names.get_by_text("none", exact=True)).to_have_count(1)
    visit.choose("Mask", "Causal")
    visit.settle()
    expect(names.get_by_text("j ≤ i", exact=True)).to_have_count(1)
    expect(names.get_by_text("none", exact=True)).to_have_count(0)


@pytest.mark.parametrize("mode", ["query", "matrix"])
def test_words_that_are_scripts_are_shown_and_never_run(visit: Visit, mode: str) -> None:
    words = "<script>window.hacked=1</script> <img/src=x/onerror=window.hacked=1>"
    address = urlencode({"attention_words": words, "attention_mode": mode, "see": "Step by step"})
    page = visit.open(f"/attention?{address}")
    options = page.get_by_label("Query", exact=True).locator("option")
    expect(options).to_have_text([f"{i} {word}" for i, word in enumerate(words.split(), start=1)])
    expect(page.locator(".said")).to_contain_text("“<script>window.ha…” looks most at")
    visit.choose("Look closer", "Picture")
    expect(
        page.get_by_role("button", name="Query 1: <script>window.hacked=1</script>")
    ).to_be_visible()
    assert page.evaluate("window.hacked") is None


def test_what_is_hidden_is_not_told_by_colour_alone(visit: Visit) -> None:
    page = visit.open(path("Causal mask"))
    assert written(page).count("−∞ → 0") == 2
    visit.choose("Look closer", "Step by step")
    hidden = cell(page, "masked 1 2")
    expect(hidden).to_have_text("−∞")
    assert hidden.locator("rect").get_attribute("stroke-dasharray") == "4 3"
    assert cell(page, "masked 2 1").locator("rect").get_attribute("stroke-dasharray") == "none"


def test_the_presets_open_a_cell_that_is_there() -> None:
    for label in TYPED:
        settings = PRESETS[label].settings
        what, _ = given(label)
        names = ("mode", "query", "cell", "columns")
        mode, query, opened, columns = (settings[f"attention_{name}"] for name in names)
        seen = table_view(mode, query, opened, columns, what)
        assert " ".join(map(str, seen.cell)) == opened and str(seen.query) == query
