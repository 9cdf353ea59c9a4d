"""The picture of all heads in a browser: every number on screen is the tensor's own."""

from __future__ import annotations

import re

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from lmcore.attention import heads, weight_packing
from lmcore.attention.heads import HeadsTrace
from lmcore.numbers import format_number
from lmcore.pretrained import wheel
from tests.browser.conftest import SlowLine, Visit
from tests.browser.serving import ROOT
from ui.browser_modules import read_module
from ui.lessons import lesson

pytestmark = [
    pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed"),
    pytest.mark.walk("heads", alone=True),
]
DEFAULTS = lesson("heads").defaults
TEXT, OTHER = DEFAULTS["heads_text"], DEFAULTS["heads_other"]
CHANGED = "([name, before]) => new URLSearchParams(location.search).get(name) !== before"


@pytest.fixture(scope="module")
def seen() -> HeadsTrace:
    reader = wheel.minilm()
    return heads.trace_heads(reader.network, reader.read(TEXT, "", 128))


def readout(page: Page) -> Locator:
    return page.locator("[data-part=readout]")


def wait_for_weights(visit: Visit) -> None:
    """Wait until all weights are painted and no number is being animated."""
    visit.page.locator("[data-part=map]").wait_for()
    visit.page.wait_for_function("performance.getEntriesByName('heads').length > 0")
    visit.settle()


def box_of(page: Page, part: str) -> dict[str, float]:
    box = page.locator(f"[data-part={part}]").bounding_box()
    assert box is not None
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def at_cell(page: Page, row: int, column: int, count: int = 15) -> tuple[float, float]:
    """The middle of a square of the open head."""
    box = box_of(page, "map")
    x = box["x"] + (column + 0.5) * box["width"] / count
    return x, box["y"] + (row + 0.5) * box["height"] / count


def at_head(
    page: Page, layer: int, head: int, row: float = 7, column: float = 7
) -> tuple[float, float]:
    """A pair of tokens in a head of the grid of 6 × 12, as heads_layout.js lays it out."""
    box = box_of(page, "grid")
    across, down = box["width"] / 12, box["height"] / 6
    x = box["x"] + head * across + 2 + (column + 0.5) * (across - 4) / 15
    return x, box["y"] + layer * down + 2 + (row + 0.5) * (down - 4) / 15


def opened_head(page: Page, layer: int, head: int) -> None:
    expect(page.locator(".box svg text", has_text=f"Layer {layer}, head {head}")).to_have_count(1)


def test_the_browser_reads_every_code_as_it_was_written(visit: Visit) -> None:
    page = visit.open("/")
    path = ROOT / "lessons" / "heads" / "heads_codes.js"
    script = read_module(path, path.read_text("utf-8")).body
    weights = torch.rand(3, 5, generator=torch.Generator().manual_seed(1)) ** 6
    packed = weight_packing.pack(weights)
    found = page.evaluate(
        f"""(bytes) => {{
            {script}
            const texts = Array.from({{ length: CODES }}, (_, code) => textOf(code));
            return [texts, [...decode(Uint8Array.from(bytes), 15)].slice(0, 15)];
        }}""",
        list(packed),
    )
    assert found[0] == [
        weight_packing.code_text(code) for code in range(len(weight_packing.code_values()))
    ]
    assert found[1] == weight_packing.encode(weights).reshape(-1).tolist()


def test_every_square_of_the_open_head_says_its_own_weight(visit: Visit, seen: HeadsTrace) -> None:
    page = visit.open("/heads")
    wait_for_weights(visit)
    tokens = seen.text.tokens
    assert len(tokens) == 15
    for row in range(15):
        for column in range(row % 3, 15, 3):
            page.mouse.move(*at_cell(page, row, column))
            weight = format_number(float(seen.weights[3, 1, row, column]))
            expect(readout(page)).to_have_text(f"{tokens[row]} → {tokens[column]}: {weight}")


def test_a_square_of_any_small_head_says_its_weight_too(visit: Visit, seen: HeadsTrace) -> None:
    page = visit.open("/heads")
    wait_for_weights(visit)
    for layer, head, row, column in ((0, 0, 3, 4), (5, 11, 10, 2), (2, 7, 14, 0), (4, 5, 0, 13)):
        page.mouse.move(*at_head(page, layer, head, row, column))
        code = int(weight_packing.encode(seen.weights[layer, head, row, column]).item())
        expect(readout(page)).to_contain_text(f"Layer {layer}, head {head}: ")
        expect(readout(page)).to_contain_text(f": {weight_packing.code_text(code)}")


def test_a_press_opens_a_head_at_once_and_the_address_names_it(
    visit: Visit, seen: HeadsTrace
) -> None:
    page = visit.open("/heads")
    wait_for_weights(visit)
    sent = len(visit.sent)
    page.mouse.click(*at_head(page, 0, 2))
    opened_head(page, 0, 2)
    assert len(visit.sent) == sent
    weight = format_number(float(seen.weights[0, 2, 10, 2]))
    expect(page.locator(".said")).to_contain_text("in layer 0, head 2,")
    expect(page.locator(".said mark")).to_have_text(weight)
    expect(page.locator(".formula")).to_contain_text(f"α = {weight}")
    page.wait_for_function(CHANGED, arg=["heads_head", None])
    visit.settle()
    assert visit.query()["heads_head"] == "0.2"
    expect(page.locator(".said mark")).to_have_text(weight)


def test_the_large_message_is_not_sent_again_when_a_head_is_opened(visit: Visit) -> None:
    sizes: list[int] = []
    visit.page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda f: sizes.append(len(f)))
    )
    page = visit.open("/heads?heads_text=" + "the+cat+and+the+dog+" * 20)
    wait_for_weights(visit)
    largest = max(sizes)
    sizes.clear()
    page.mouse.click(*at_head(page, 4, 3))
    page.wait_for_function(CHANGED, arg=["heads_head", None])
    visit.settle()
    assert sizes and max(sizes) < largest / 4


def test_arrow_keys_open_heads_and_walk_over_squares(visit: Visit, seen: HeadsTrace) -> None:
    page = visit.open("/heads?heads_head=0.0")
    wait_for_weights(visit)
    grid = page.locator("[data-part=grid]")
    grid.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    opened_head(page, 1, 1)
    expect(grid).to_have_attribute("aria-label", re.compile("Layer 1, head 1 is open"))
    page.wait_for_function(CHANGED, arg=["heads_head", "0.0"])
    visit.settle()
    squares = page.locator("[data-part=map]")
    squares.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    tokens = seen.text.tokens
    said = re.compile(re.escape(f"{tokens[9]} → {tokens[3]}: "))
    expect(squares).to_have_attribute("aria-label", said)
    page.wait_for_function(CHANGED, arg=["heads_key", None])
    visit.settle()
    assert (
        visit.query() | {"heads_head": "1.1", "heads_query": "9", "heads_key": "3"} == visit.query()
    )


def test_a_word_that_is_pressed_asks_and_its_row_is_drawn(visit: Visit, seen: HeadsTrace) -> None:
    page = visit.open("/heads")
    wait_for_weights(visit)
    x, y = at_cell(page, 6, 0)
    page.mouse.click(box_of(page, "map")["x"] - 20, y)
    page.wait_for_function(CHANGED, arg=["heads_query", None])
    visit.settle()
    assert seen.text.tokens[6] == "cross"
    weight = format_number(float(seen.weights[3, 1, 6, 2]))
    expect(page.locator(".said mark")).to_have_text(weight)
    expect(page.locator(".formula")).to_contain_text("q(cross)")
    assert x > 0


def test_another_text_is_read_while_a_hand_has_just_opened_a_head(visit: Visit) -> None:
    """A head that was opened in one text is not kept open for another."""
    page = visit.open("/heads")
    wait_for_weights(visit)
    page.mouse.click(*at_head(page, 5, 5))
    page.get_by_role("radio", name="Who is she?").click()
    visit.settle()
    expect(page.locator(".said")).to_contain_text("“\u2068she\u2069”")
    page.wait_for_function("!location.search.includes('heads_head')")
    expect(page.locator(".box svg text", has_text="Layer 5, head 5")).to_have_count(0)


def test_a_head_that_is_opened_while_another_text_is_on_its_way_is_let_go(visit: Visit) -> None:
    """The server gets the press after it has read the other text; the tab still shows the first."""
    line = SlowLine(visit)
    with visit.page.expect_websocket(lambda opened: "_stcore" in opened.url) as opening:
        page = visit.open("/heads")
    wait_for_weights(visit)
    line.slow = True
    with opening.value.expect_event("framesent"):
        page.get_by_role("radio", name="Who is she?").click()
    with opening.value.expect_event("framesent"):
        page.mouse.click(*at_head(page, 5, 5))
        opened_head(page, 5, 5)
    line.slow = False
    line.deliver(line.take())
    expect(page.locator(".said")).to_contain_text("“\u2068she\u2069”")
    visit.settle()
    # The answer to this click comes after the answer to the opened head.
    page.get_by_text("Hide special tokens").click()
    page.wait_for_function(CHANGED, arg=["heads_special", None])
    visit.settle()
    assert "heads_head" not in visit.query()
    expect(page.locator(".box svg text", has_text="Layer 5, head 5")).to_have_count(0)


def test_filters_take_places_away_and_what_is_shown_stays_true(
    visit: Visit, seen: HeadsTrace
) -> None:
    page = visit.open("/heads")
    wait_for_weights(visit)
    page.get_by_text("Hide special tokens").click()
    page.wait_for_function(CHANGED, arg=["heads_special", None])
    visit.settle()
    page.mouse.move(*at_cell(page, 9, 1, 13))
    weight = format_number(float(seen.weights[3, 1, 10, 2]))
    expect(readout(page)).to_have_text(f"it → animal: {weight}")
    expect(page.get_by_text("rows no longer sum to 1")).to_be_visible()
    assert visit.query()["heads_special"] == "true"


def test_a_slider_hides_small_weights_and_counts_the_others(visit: Visit, seen: HeadsTrace) -> None:
    page = visit.open("/heads")
    wait_for_weights(visit)
    sent = len(visit.sent)
    slider = page.get_by_role("slider", name="hide weights under", exact=True)
    place = slider.bounding_box()
    assert place
    across = place["y"] + place["height"] / 2
    page.mouse.move(place["x"] + 8, across)
    page.mouse.down()
    page.mouse.move(place["x"] + 0.15 * place["width"], across, steps=4)
    value = float(visit.typed("hide weights under").input_value())
    assert 0 < value < 0.5
    left = int((seen.weights[3, 1] >= value).sum())
    expect(page.locator(".said mark")).to_have_text(str(left))
    assert len(visit.sent) == sent
    page.mouse.up()
    page.wait_for_function(CHANGED, arg=["heads_threshold", None])
    visit.settle()
    assert float(visit.query()["heads_threshold"]) == value


def test_a_sentence_that_attends_to_the_other_has_its_own_map(visit: Visit) -> None:
    page = visit.open("/heads?heads_text=a+cat&heads_pair=the+old+dog&heads_query=&heads_key=")
    wait_for_weights(visit)
    page.get_by_role("radio", name="A → B").click()
    page.wait_for_function(CHANGED, arg=["heads_between", None])
    visit.settle()
    box = box_of(page, "map")
    # [CLS] a cat [SEP] attends to: the old dog [SEP]
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.6 * box["height"])
    expect(readout(page)).to_contain_text("cat → old: ")


def test_a_long_text_is_shown_whole_and_near_and_scrolls_in_the_picture(visit: Visit) -> None:
    page = visit.open("/heads?heads_text=" + "the+cat+and+the+dog+" * 20)
    wait_for_weights(visit)
    words = page.locator(".box svg text[transform]")
    few = words.count()
    page.get_by_role("button", name="Zoom in").click()
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    assert words.count() > few + 8
    page.mouse.move(*at_cell(page, 0, 0, 20))
    before = readout(page).text_content()
    page.mouse.wheel(0, 90)
    expect(readout(page)).not_to_have_text(before or "")
    assert page.evaluate("document.scrollingElement.scrollTop") == 0


def test_tags_in_a_text_are_shown_and_never_run(visit: Visit) -> None:
    text = "<img src=x onerror=window.ran=1><script>window.ran=1</script>"
    page = visit.open("/heads?" + "heads_text=" + text.replace("=", "%3D").replace("&", "%26"))
    wait_for_weights(visit)
    page.mouse.move(*at_cell(page, 1, 2, 40))
    for view in ("Neuron view", "Statistics", "Surgery", "Two texts, two models", "Five steps"):
        visit.choose("Look closer", view)
    assert page.evaluate("window.ran") is None
    assert page.locator(".figure img, .figure script").count() == 0


@pytest.mark.parametrize("view", ["BertViz head view", "BertViz model view"])
def test_bertviz_draws_with_the_network_off(visit: Visit, view: str) -> None:
    page = visit.open("/heads")
    visit.choose("Look closer", view)
    frame = page.frame_locator("iframe").frame_locator("iframe")
    frame.locator("svg").first.wait_for()
    # 15 × 15 lines a head; the model view draws each head small.
    assert frame.locator("svg line").count() >= 15 * 15
    page.context.set_offline(True)
    frame.locator("svg text").nth(3).hover(force=True)
    assert frame.locator("svg").count() >= 1
    page.context.set_offline(False)


def test_a_key_in_the_neuron_view_is_followed_in_the_picture(
    visit: Visit, seen: HeadsTrace
) -> None:
    page = visit.open("/heads?see=Neuron+view")
    page.get_by_role("button", name="street", exact=True).click()
    page.wait_for_function(CHANGED, arg=["heads_key", None])
    visit.settle()
    weight = format_number(float(seen.weights[3, 1, 10, 8]))
    expect(page.locator(".said mark")).to_have_text(weight)
    expect(page.get_by_text(f"softmax over 15 keys: α = {weight}").first).to_be_visible()


def test_a_table_of_heads_is_sorted_and_opens_them(visit: Visit) -> None:
    page = visit.open("/heads?see=Statistics")
    table = page.get_by_role("table").first
    page.get_by_role("button", name="token after", exact=True).click()
    expect(table.get_by_role("columnheader").nth(4)).to_have_attribute("aria-sort", "descending")
    best = table.get_by_role("rowheader").first.inner_text()
    assert re.fullmatch(r"layer \d+, head \d+", best)
    table.get_by_role("button", name=best, exact=True).click()
    expect(page.locator(".said")).to_contain_text(best)
    visit.settle()
    expect(table.get_by_role("columnheader").nth(4)).to_have_attribute("aria-sort", "descending")


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_the_picture_is_saved_with_its_maps(visit: Visit, kind: str) -> None:
    page = visit.open("/heads")
    wait_for_weights(visit)
    page.get_by_role("button", name="Save", exact=True).click()
    with page.expect_download() as saving:
        page.locator(".saver").get_by_role("button", name=re.compile(kind)).click()
    saved = saving.value.path().read_bytes()
    if kind == "PNG":
        assert saved.startswith(b"\x89PNG")
    else:
        assert saved.count(b"<image") == 3 and b"foreignObject" not in saved


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_on_a_phone_the_open_head_takes_turns_with_the_row(visit: Visit) -> None:
    page = visit.open("/heads?heads_text=" + "the+cat+and+the+dog+" * 20)
    page.locator("[data-part=grid]").wait_for()
    visit.settle()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    page.get_by_role("button", name="Show the map").click()
    box = box_of(page, "map")
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    page.get_by_role("button", name="Show all heads").click()
    expect(page.locator("[data-part=bars]")).to_be_visible()
