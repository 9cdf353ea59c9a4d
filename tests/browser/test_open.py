"""Home links to every page; a page opens from one host alone, also on a server just started."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import fmean
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

import ui
from lmcore.transfer import curves
from tests.browser.conftest import Visit
from tests.browser.serving import serve
from ui import contents

TITLES = {"/": "Language Models, Live"} | {
    f"/{page.slug}": page.title for page in contents.PAGES if page.built
}
FORMULA = "z = 0.1·0.3 + 0.4·0.2 + 0.2·0.9 + 0.4 = 0.69"
RECORDED = Path(curves.__file__).parent / "recorded" / "encoder.json"


def recorded_mean(way: str) -> float:
    """The mean accuracy of the runs that Transfer opens with, read from the file of the record."""
    runs = json.loads(RECORDED.read_text("utf-8"))["runs"]
    return fmean(each["right"] for each in runs[f"acceptable {way} frozen 0 labels 100"].values())


WRITTEN = {
    "/": ["Teach a lecture", "Learn by yourself", "All pages", "street", "0.1908"],
    "/neuron": ["0.69", "0.6660", FORMULA],
    "/networks": ["input x", "What the network computes", "0 of 4 wrong", "0.9857", "step 500"],
    "/descent": [
        "Loss L(β₀, β₁)",
        "GD diverges above 2/λₘₐₓ = 0.3913",
        "0.9199 of 2/λₘₐₓ",
        "step 6",
        "L = 0.4338",
    ],
    "/vectors": ["Nearest to cat, by cosine", "ringed: 5 of 5 planted", "0.919", "animals"],
    "/seq2seq": ["All weights αᵢⱼ", "7 of 9 words right", "kayla", "0.56"],
    "/transformer": ["Block 2", "logits → ŷ → word", "chases", "are", "0.37", "Attention"],
    "/results": ["BLEU EN-DE ↑ better", "Transformer (big)", "28.4", "× 0.2987", "+2.04", "MoE"],
    "/contextual": [
        "“fine” by MiniLM, layer 6",
        "a penalty",
        "0.3887",
        "14 of 14 right",
        "the plane shows 68 % of the variance",
    ],
    "/transfer": [
        "new head, 258 weights",
        "fine-tuned",
        "from scratch",
        "best possible 1",
        *(f"{recorded_mean(way):.4f}" for way in ("pretrained", "scratch")),
    ],
    "/backprop": ["3", "1", "−2", "d = 2 × b", "e = a + d", "L = c × e"],
    "/language_model": ["product", "perplexity"],
    "/feedforward": ["logits", "softmax", "0.7528"],
    "/rnn": ["h₀", "barn", "e = E[x]", "1.754"],
    "/heads": ["72 heads, one small map each", "attends ↓", "Layer 3, head 1", "0.6397"],
    "/lstm": ["before, cₜ₋₁", "0.9975", "0.8003", "0.6327", "tanh"],
    "/training": ["Start"],
    "/positions": ["PE(1)·PE(4) = 5.543", "1.437", "dog + PE(4)", "without positions"],
    "/masking": ["Weights α: each row sums to 1", "on later words", "−2.09", "0.49", "softmax"],
    "/generation": ["Random walk", "−2.971", "−3.567", "perplexity 1.529"],
    "/bert": ["animal", "0.92", "our small encoder", "exact answer"],
    "/tokens": ["flight", "##less", "id 57", "id 51", "2 pieces", "197"],
    "/attention": ["112", "96", "14", "12", "0.8808", "0.1192", "z₁ = 0.8808·v₁ + 0.1192·v₂"],
}


PATCHES = ["none", "script_scheduler,message_batching,reconnect"]


def check_opened(visit: Visit, path: str) -> None:
    """Open the page, and check its one title and its numbers."""
    page = visit.open(path)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("h1")).to_have_text(TITLES[path])
    for text in WRITTEN[path]:
        expect(page.get_by_text(text, exact=True).first).to_be_visible()


@pytest.mark.walk("home", alone=True)
@pytest.mark.parametrize("patches", PATCHES)
def test_a_page_opens_and_answers_as_the_first_one_after_a_start(
    visit: Visit, patches: str
) -> None:
    """With the patches of Streamlit off and on.

    `tests/pages/test_first_page.py` opens each page as the first one.
    """
    settings = {"LMCORE_STREAMLIT_INTERNALS": patches, "LMCORE_WARM_UP": "false"}
    with serve(settings=settings) as fresh:
        visit.address = fresh
        check_opened(visit, "/attention")
        visit.choose("Presets", "√3, as drawn")
        expect(visit.page.get_by_text("64.66", exact=True).first).to_be_visible()
        visit.page.goto("about:blank")  # or else the page would report the server's end


def test_the_slides_graph_has_the_slides_numbers(visit: Visit) -> None:
    page = visit.open("/backprop?at=-1")
    page.locator(".box .node").first.wait_for()
    nodes = page.locator(".box .node").evaluate_all(
        "nodes => nodes.map(node => [...node.querySelectorAll('text')].map(t => t.textContent))"
    )
    assert nodes == [
        ["a", "3", "∂L/∂a = −2"],
        ["b", "1", "∂L/∂b = −4"],
        ["c", "−2", "∂L/∂c = 5"],
        ["d = 2 × b", "2", "∂L/∂d = −2"],
        ["e = a + d", "5", "∂L/∂e = −2"],
        ["L = c × e", "−10", "∂L/∂L = 1"],
    ]


def test_home_leads_to_every_page_and_back(visit: Visit) -> None:
    """Each page is linked to; `test_views.py` opens the addresses."""
    page = visit.open("/")
    cards = page.locator(".st-key-card-pages")
    for each in contents.PAGES:
        if each.built:
            link = cards.get_by_role("link", name=each.short, exact=True)
            assert urlsplit(link.evaluate("link => link.href")).path == f"/{each.slug}"
    cards.get_by_role("link", name="Neuron", exact=True).click()
    expect(page.locator("h1")).to_have_text(TITLES["/neuron"])
    visit.settle()
    page.go_back()
    expect(page.locator("h1")).to_have_text(TITLES["/"])


def test_home_lists_the_objectives_and_says_where_it_computes(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_role("button", name="Goals").click()
    deck = [each for each in contents.OBJECTIVES.values() if each.source == "deck"]
    assert len(deck) == 9
    for objective in deck:
        expect(page.get_by_text(f"{objective.id} {objective.text}")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Pages", exact=True).click()
    expect(page.locator(".stMarkdownBadge").get_by_text("CPU")).to_be_visible()


def test_the_needle_follows_the_hand_on_home_without_the_server(visit: Visit) -> None:
    page = visit.open("/")
    chosen = page.locator(".said b").first
    expect(chosen).to_have_text("street")
    line = page.locator(".box svg").bounding_box()
    handle = page.locator(".box [data-n=u] rect").last.bounding_box()
    assert line and handle
    page.mouse.move(handle["x"] + 26, handle["y"] + 18)
    page.mouse.down()
    sent = len(visit.sent)
    for step in range(1, 21):
        page.mouse.move(handle["x"] + 26 + step * line["width"] / 40, handle["y"] + 18)
    expect(chosen).to_have_text("river")
    assert len(visit.sent) == sent
    page.mouse.up()
    visit.settle()
    assert 0.5 < float(visit.query()["u"]) < 0.62
    expect(chosen).to_have_text("river")


@pytest.mark.walk("home", alone=True)
def test_the_path_of_seven_pages_is_marked_as_far_as_one_has_been(visit: Visit) -> None:
    """The end of a tour leads to the next page of the path; the marks stay in this browser."""
    page = visit.open("/")
    path = page.locator(".st-key-path")
    expect(path.get_by_role("link")).to_have_count(7)
    expect(page.get_by_text("Marks stay in this browser")).to_be_visible()
    last = len(ui.lesson("neuron").beats)
    visit.open(f"/neuron?tour=1&beat={last}")
    page.locator(".st-key-turns").get_by_role("link", name="Backprop").click()
    expect(page.locator("h1")).to_have_text(TITLES["/backprop"])
    visit.settle()
    assert visit.query()["tour"] == "1"
    visit.open("/")
    expect(page.get_by_text("1 of 7 done")).to_be_visible()
    mark = "link => getComputedStyle(link, '::after').content"
    neuron = path.get_by_role("link", name="Neuron")
    assert "✓" in neuron.evaluate(mark)
    assert "✓" not in path.get_by_role("link", name="Backprop").evaluate(mark)
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_text("Marks stay in this browser")).to_be_visible()
    assert "✓" not in neuron.evaluate(mark)


@pytest.mark.walk("home", alone=True)
def test_a_mark_of_the_timeline_is_said_and_leads_to_its_page(visit: Visit) -> None:
    event = contents.TIMELINE[0]
    page = visit.open("/")
    page.get_by_role("button", name="Timeline").click()
    page.get_by_role("link", name="Show the timeline").click()
    page.get_by_role("button", name=f"{event.label} {event.year}").click()
    expect(page.get_by_text(event.text)).to_be_visible()
    page.get_by_role("link", name="Open Language model").click()
    expect(page.locator("h1")).to_have_text(contents.page(event.page).title)


@pytest.mark.walk("home", alone=True)
def test_the_timeline_is_there_as_a_list_too(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_role("button", name="Timeline").click()
    for event in contents.TIMELINE:
        line = page.get_by_text(re.compile(rf"^{event.year}.*{re.escape(event.label)}: "))
        expect(line.first).to_be_visible()


def test_the_tab_icon_comes_from_this_server(visit: Visit) -> None:
    page = visit.open("/neuron")
    icon = page.locator("link[rel~=icon]").first.evaluate("link => link.href")
    assert urlsplit(icon).netloc == urlsplit(visit.address).netloc
    answer = page.request.get(icon)
    assert answer.ok
    assert answer.body().startswith(b"\x89PNG")
