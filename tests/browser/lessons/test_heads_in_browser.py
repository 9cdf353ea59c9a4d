"""The picture of all heads, by hand: what is said on screen is the tensor's own number."""

from __future__ import annotations

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from lmcore.attention import heads, weight_packing
from lmcore.attention.heads import HeadsTrace
from lmcore.numbers import format_number
from lmcore.pretrained import wheel
from tests.browser.conftest import Visit
from tests.browser.serving import ROOT
from ui.browser_modules import read_module
from ui.lessons import lesson

pytestmark = pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")
DEFAULTS = lesson("heads").defaults
TEXT, OTHER = DEFAULTS["heads_text"], DEFAULTS["heads_other"]
CHANGED = "([name, before]) => new URLSearchParams(location.search).get(name) !== before"


@pytest.fixture(scope="module")
def seen() -> HeadsTrace:
    reader = wheel.minilm()
    return heads.trace_heads(reader.network, reader.read(TEXT, "", 128))


def readout(page: Page) -> Locator:
    return page.locator(".heads-readout")


def at_cell(page: Page, row: int, column: int, count: int = 15) -> tuple[float, float]:
    """The middle of a cell of the open head's map."""
    box = page.locator(".heads-map .heads-layers").bounding_box()
    assert box is not None
    x = box["x"] + (column + 0.5) * box["width"] / count
    return x, box["y"] + (row + 0.5) * box["height"] / count


def grid(page: Page) -> Locator:
    return page.locator(".heads-left .heads-box").first


def at_head(
    page: Page, layer: int, head: int, row: float = 7, column: float = 7
) -> tuple[float, float]:
    """A pair of tokens in a head of the grid of 6 × 12, as heads_grid.js lays it out."""
    box = grid(page).locator(".heads-layers").bounding_box()
    assert box is not None
    step = (box["width"] - 34) / 12
    thumb = step - 4
    x = box["x"] + 34 + head * step + 2 + (column + 0.5) * thumb / 15
    return x, box["y"] + 34 + layer * step + 2 + (row + 0.5) * thumb / 15


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


def test_every_cell_of_the_open_head_says_its_own_weight(visit: Visit, seen: HeadsTrace) -> None:
    page = visit.open("/heads")
    page.locator(".heads-map").wait_for()
    tokens = seen.text.tokens
    assert len(tokens) == 15
    for row in range(15):
        for column in range(15):
            page.mouse.move(*at_cell(page, row, column))
            said = readout(page).text_content()
            weight = format_number(float(seen.weights[3, 1, row, column]))
            assert said == f"{tokens[row]} looks at {tokens[column]} with weight {weight}"


def test_a_cell_of_any_small_head_says_its_weight_too(visit: Visit, seen: HeadsTrace) -> None:
    page = visit.open("/heads")
    page.locator(".heads-map").wait_for()
    for layer, head, row, column in ((0, 0, 3, 4), (5, 11, 10, 2), (2, 7, 14, 0), (4, 5, 0, 13)):
        page.mouse.move(*at_head(page, layer, head, row, column))
        code = int(weight_packing.encode(seen.weights[layer, head, row, column]).item())
        expect(readout(page)).to_contain_text(f"Layer {layer}, head {head}: ")
        expect(readout(page)).to_contain_text(f" with weight {weight_packing.code_text(code)}")


def test_a_press_opens_a_head_at_once_and_the_address_names_it(visit: Visit) -> None:
    page = visit.open("/heads")
    page.locator(".heads-map").wait_for()
    told = len(visit.sent)
    page.mouse.click(*at_head(page, 0, 2))
    expect(page.locator(".heads-title")).to_have_text("Layer 0, head 2")
    assert len(visit.sent) == told
    page.wait_for_function(CHANGED, arg=["heads_head", None])
    visit.settle()
    assert visit.query()["heads_head"] == "0.2"
    expect(page.get_by_text("In layer 0, head 2")).to_be_visible()


def test_the_large_message_is_not_sent_again_when_a_head_is_opened(visit: Visit) -> None:
    sizes: list[int] = []
    visit.page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda f: sizes.append(len(f)))
    )
    page = visit.open("/heads?heads_text=" + "the+cat+and+the+dog+" * 20)
    page.locator(".heads-map").wait_for()
    largest = max(sizes)
    sizes.clear()
    page.mouse.click(*at_head(page, 4, 3))
    page.wait_for_function(CHANGED, arg=["heads_head", None])
    visit.settle()
    assert sizes and max(sizes) < largest / 4


def test_arrow_keys_open_heads_and_walk_over_cells_and_are_announced(
    visit: Visit, seen: HeadsTrace
) -> None:
    page = visit.open("/heads?heads_head=0.0")
    page.locator(".heads-map").wait_for()
    grid(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".heads-title")).to_have_text("Layer 1, head 1")
    aloud = page.locator(".heads-right [aria-live]")
    expect(aloud).to_contain_text("Layer 1, head 1")
    page.locator(".heads-map").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    tokens = seen.text.tokens
    expect(aloud).to_contain_text(f"{tokens[9]} looks at {tokens[3]} with weight")
    page.wait_for_function(CHANGED, arg=["heads_key", None])
    visit.settle()
    assert (
        visit.query() | {"heads_head": "1.1", "heads_query": "9", "heads_key": "3"} == visit.query()
    )


def test_filters_take_places_away_and_what_is_shown_stays_true(
    visit: Visit, seen: HeadsTrace
) -> None:
    page = visit.open("/heads")
    page.locator(".heads-map").wait_for()
    page.get_by_label("Hide special tokens").check()
    page.mouse.move(*at_cell(page, 9, 1, 13))
    weight = format_number(float(seen.weights[3, 1, 10, 2]))
    expect(readout(page)).to_contain_text(f"it looks at animal with weight {weight}")
    expect(readout(page)).to_contain_text("rows no longer sum to 1")
    page.wait_for_function(CHANGED, arg=["heads_special", None])
    assert visit.query()["heads_special"] == "true"


def test_a_sentence_that_looks_at_the_other_has_its_own_map(visit: Visit) -> None:
    page = visit.open("/heads?heads_text=a+cat&heads_pair=the+old+dog&heads_query=&heads_key=")
    page.locator(".heads-map").wait_for()
    page.get_by_label("Which sentence looks at which").select_option("A → B")
    box = page.locator(".heads-map .heads-layers").bounding_box()
    assert box is not None
    # [CLS] a cat [SEP] looks at: the old dog [SEP]
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.6 * box["height"])
    expect(readout(page)).to_contain_text("cat looks at old")


def test_tags_in_a_text_are_shown_and_never_run(visit: Visit) -> None:
    text = "<img src=x onerror=window.ran=1><script>window.ran=1</script>"
    page = visit.open("/heads?" + "heads_text=" + text.replace("=", "%3D").replace("&", "%26"))
    page.locator(".heads-map").wait_for()
    for view in ("Neuron view", "Statistics", "Surgery", "Two texts, two models", "Five steps"):
        visit.choose("Look closer", view)
    page.mouse.move(*at_cell(page, 1, 2, 40))
    assert page.evaluate("window.ran") is None
    assert page.locator(".heads img, .heads script").count() == 0


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
    page = visit.open("/heads")
    page.get_by_role("button", name="street", exact=True).click()
    page.wait_for_function(CHANGED, arg=["heads_key", None])
    visit.settle()
    weight = format_number(float(seen.weights[3, 1, 10, 8]))
    expect(readout(page)).to_have_text(f"it looks at street with weight {weight}")
    expect(page.get_by_text(f"softmax over 15 keys: α = {weight}")).to_be_visible()


def test_a_table_of_heads_is_sorted_and_opens_them(visit: Visit) -> None:
    page = visit.open("/heads?heads_see=Statistics")
    table = page.get_by_role("table").first
    page.get_by_role("button", name="token after", exact=True).click()
    expect(table.get_by_role("columnheader").nth(4)).to_have_attribute("aria-sort", "descending")
    best = table.get_by_role("rowheader").first.inner_text()
    table.get_by_role("button", name=best, exact=True).click()
    layer, head = best.split(".")
    expect(page.locator(".heads-title")).to_have_text(f"Layer {layer}, head {head}")
    visit.settle()
    expect(table.get_by_role("columnheader").nth(4)).to_have_attribute("aria-sort", "descending")


def test_the_picture_is_saved_as_png(visit: Visit) -> None:
    page = visit.open("/heads")
    page.locator(".heads-map").wait_for()
    with page.expect_download() as saving:
        page.locator(".heads-bar").get_by_role("button", name="PNG").click()
    assert saving.value.suggested_filename == "heads-3-1.png"
    assert saving.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_on_a_phone_nothing_runs_over_the_edge(visit: Visit) -> None:
    page = visit.open("/heads?heads_text=" + "the+cat+and+the+dog+" * 20)
    page.locator(".heads-map").wait_for()
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= 360
    box = grid(page).bounding_box()
    assert box is not None and box["width"] <= 360
