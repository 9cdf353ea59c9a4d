"""BertViz's two views draw without a network, show tags as text, and reach nothing outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, expect

from tests.browser.conftest import Visit, visiting
from tests.browser.serving import serve
from tests.sampled import sampled

HOSTILE = "<img src=x onerror=document.title='run'></script><script>document.title='run'</script>"
PAGE = f"""
import torch
import streamlit as st
import ui
st.title("BertViz")
view = st.query_params.get("view", "head")
torch.manual_seed(0)
layers = [torch.randn(4, 6, 6).softmax(-1) for _ in range(3)]
tokens = ["the", "cat", {HOSTILE!r}, "[SEP]", "sat", "שלום"]
ui.bertviz(view, layers, tokens, sentence_b=4, alt="Weights of 3 layers of 4 heads")
"""


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of a page that shows nothing but BertViz."""
    folder: Path = tmp_path_factory.mktemp("views")
    (folder / "bertviz_page.py").write_text(PAGE, "utf-8")
    server = folder / "serve_bertviz.py"
    page = str(folder / "bertviz_page.py")
    server.write_text(f"import streamlit as st\n\napp = st.App({page!r})\n", "utf-8")
    with serve(server) as address:
        yield address


@pytest.fixture(params=sampled(["light", "dark"], ["light"], "heads"))
def visit(browser: Browser, views: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    with visiting(browser, views, {"color_scheme": request.param}) as tab:
        yield tab


def frame(visit: Visit, view: str) -> Frame:
    """The inner frame, drawn while all other hosts are blocked; then the tab is offline."""
    here = visit.address
    visit.page.route(lambda url: not url.startswith(here), lambda route: route.abort())
    visit.page.goto(f"{here}/?view={view}")
    outer = visit.page.get_by_title("Weights of 3 layers of 4 heads").element_handle()
    assert outer
    inside = outer.content_frame()
    assert inside
    inner = inside.wait_for_selector("iframe[sandbox]")
    assert inner
    found = inner.content_frame()
    assert found
    found.wait_for_selector("svg line", state="attached")
    visit.page.context.set_offline(True)
    return found


def visible(found: Frame) -> int:
    """The number of visible lines: those in a visible group, or shown one by one."""
    return found.locator("#attention line").evaluate_all(
        "lines => lines.filter(line => getComputedStyle(line).visibility === 'visible').length"
    )


def test_the_head_view_draws_every_weight_and_a_hover_picks_a_token(visit: Visit) -> None:
    found = frame(visit, "head")
    assert found.locator("svg line").count() == 4 * 6 * 6
    assert visible(found) == 4 * 6 * 6
    found.get_by_text("cat", exact=True).first.hover()
    assert visible(found) == 4 * 6
    opacity = found.locator("#attention line").evaluate_all("ls => ls.map(l => l.__data__)")
    assert all(round(weight, 4) == weight for weight in opacity)


@pytest.mark.walk("heads", alone=True)
def test_another_layer_and_another_part_are_drawn_when_they_are_chosen(visit: Visit) -> None:
    found = frame(visit, "head")
    before = found.locator("#attention line").evaluate_all("ls => ls.map(l => l.__data__)")
    found.get_by_label("Layer:").select_option("2")
    after = found.locator("#attention line").evaluate_all("ls => ls.map(l => l.__data__)")
    assert len(after) == len(before) and after != before
    found.get_by_label("Attention:").select_option(label="Sentence A -> Sentence B")
    assert found.locator("#attention line").count() == 4 * 4 * 2


def test_the_model_view_draws_all_heads_and_a_press_opens_one(visit: Visit) -> None:
    found = frame(visit, "model")
    assert found.locator("svg line").count() == 3 * 4 * 6 * 6
    assert found.locator(".detail").count() == 0
    box = found.locator("#attn_background_1_2").bounding_box()
    assert box
    visit.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(found.get_by_text("Layer 1, Head 2", exact=True)).to_be_visible()
    assert found.locator("svg line").count() == (3 * 4 + 1) * 6 * 6


@pytest.mark.parametrize("view", ["head", "model"])
def test_a_tag_as_a_token_is_text_and_the_frame_reaches_nothing(visit: Visit, view: str) -> None:
    found = frame(visit, view)
    if view == "model":
        found.locator("#attn_background_0_0").dispatch_event("mouseover")
        box = found.locator("#attn_background_0_0").bounding_box()
        assert box
        visit.page.mouse.click(box["x"] + 20, box["y"] + 20)
    expect(found.get_by_text(HOSTILE, exact=True).first).to_be_visible()
    assert found.title() == f"BertViz, {view} view"
    assert found.locator("img").count() == 0
    assert found.evaluate("origin") == "null"
    reached = "() => { try { return parent.document.title } catch (error) { return error.name } }"
    assert found.evaluate(reached) == "SecurityError"


@pytest.mark.walk("heads", alone=True)
def test_what_it_draws_in_words_can_be_read_in_either_theme(visit: Visit) -> None:
    found = frame(visit, "model")
    ink, ground = found.evaluate(
        """() => [getComputedStyle(document.querySelector('svg text')).fill,
                  getComputedStyle(document.body).backgroundColor]"""
    )
    light = [sum(map(int, each[4:-1].split(","))) for each in (ink, ground)]
    assert abs(light[0] - light[1]) > 500
