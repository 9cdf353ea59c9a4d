"""Beam search, the bench and the slide's tree in a browser: step, drag, stop, save, share."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import drag, slider

pytestmark = pytest.mark.walk("generation", alone=True)

FEW = "gen_text=the+animal+didn't+cross+the&gen_seed=1"
BEAM = f"/generation?{FEW}&see=Beam+search"
TREE = f"/generation?{FEW}&see={quote('The slide’s tree')}"
BENCH = f"/generation?{FEW}&see=Bench"
YES = "probability of yes after <s>"
OK = "probability of ok after <s>"


def in_address(page: Page, name: str, value: str) -> None:
    page.wait_for_function(
        "([n, v]) => (new URLSearchParams(location.search).get(n) ?? '').startsWith(v)",
        arg=[name, value],
    )


def sentence(page: Page) -> Locator:
    return page.locator(".said")


def test_an_edge_that_is_dragged_takes_its_node_along_and_the_link_shows_the_same(
    visit: Visit, friend: Visit
) -> None:
    page = visit.open(TREE)
    expect(sentence(page)).to_have_text(
        "Greedy search finds yes yes, 0.2. A beam of 2 finds ok ok, 0.28."
    )
    greedy = page.locator(".box path[stroke-dasharray='9 5']")
    expect(greedy).to_have_count(4)
    sent = len(visit.sent)
    drag(page, YES)
    expect(sentence(page)).to_contain_text("find yes yes")
    expect(slider(page, OK)).to_have_attribute("aria-valuetext", re.compile(r"^0\.1\d*$"))
    assert len(visit.sent) == sent
    page.mouse.up()
    in_address(page, "tree_edges", "0.")
    visit.settle()
    edges = [float(p) for p in visit.query()["tree_edges"].split(",")[0].split()]
    assert sum(edges) == pytest.approx(1) and edges[0] > 0.6
    assert edges[1] / edges[2] == pytest.approx(4)
    other = friend.open(page.url.removeprefix(visit.address))
    friend.settle()
    expect(other.locator(".box text")).to_have_text(page.locator(".box text").all_text_contents())


def test_the_number_of_an_edge_is_dragged_in_the_tree_itself(visit: Visit) -> None:
    page = visit.open(TREE)
    box = page.locator(".box [data-n=e01]").bounding_box()
    assert box
    sent = len(visit.sent)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 40, steps=5)
    expect(sentence(page)).to_contain_text("find ok ok")
    assert len(visit.sent) == sent
    page.mouse.up()
    in_address(page, "tree_edges", "0.")


def test_an_edge_that_is_no_probability_is_refused_where_the_tree_is(visit: Visit) -> None:
    page = visit.open(TREE)
    visit.type(YES, "2")
    expect(
        page.get_by_text("the probability of an edge must be from 0 to 1; got 2")
    ).to_be_visible()
    expect(
        page.get_by_text("Still showing the last valid setting: yes after <s> is 0.5.")
    ).to_be_visible()
    visit.type(YES, "0")
    expect(sentence(page)).to_contain_text("find ok ok, 0.56")


def test_more_texts_are_drawn_while_the_hand_moves(visit: Visit) -> None:
    page = visit.open(TREE)
    head = page.locator(".box text", has_text="drawn")
    expect(head).to_contain_text("share of 100 drawn")
    sent = len(visit.sent)
    slider(page, "texts drawn").focus()
    page.keyboard.press("End")
    expect(head).to_contain_text("share of 10,000 drawn")
    in_address(page, "tree_texts", "10000")
    assert len(visit.sent) > sent


def test_the_search_is_stepped_by_keys_and_the_link_shows_the_step(
    visit: Visit, friend: Visit
) -> None:
    page = visit.open(BEAM)
    step = page.locator(".box text", has_text=" of 15")
    expect(step).to_have_text("step 2 of 15")
    ahead = page.get_by_role("button", name="One step forward")
    ahead.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(step).to_have_text("step 4 of 15")
    in_address(page, "beam_step", "4")
    visit.settle()
    expect(ahead).to_be_focused()
    expect(sentence(page)).to_contain_text("Step 4: of the 8 best candidates 4 go on")
    other = friend.open(page.url.removeprefix(visit.address))
    friend.settle()
    expect(other.locator(".box text")).to_have_text(page.locator(".box text").all_text_contents())
    page.get_by_role("button", name="From the start").click()
    expect(step).to_have_text("step 1 of 15")
    page.get_by_role("button", name="To the end").click()
    expect(step).to_have_text("step 15 of 15")
    expect(sentence(page)).to_contain_text("The search stops: 4 texts have ended")


def test_a_candidate_that_is_pressed_says_why_it_is_pruned(visit: Visit) -> None:
    page = visit.open(BEAM)
    pruned = page.get_by_role("button", name=re.compile("pruned")).first
    pruned.click()
    expect(page.locator(".box text", has_text="pruned:")).to_be_visible()


def test_dragging_the_length_penalty_ranks_anew_and_searches_again_when_asked(
    visit: Visit,
) -> None:
    page = visit.open(f"{BEAM}&beam_step=15")
    first = page.locator(".box text", has_text="street because").first
    expect(first).to_contain_text("all day")
    sent = len(visit.sent)
    handle = slider(page, "length penalty a")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box
    page.mouse.move(box["x"] + 0.62 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2, steps=5)
    expect(first).to_contain_text("the street was closed")
    assert len(visit.sent) == sent
    page.mouse.up()
    in_address(page, "beam_a", "-1.")
    page.get_by_role("button", name="Search again with this a").click()
    in_address(page, "gen_length_penalty", "-1.")
    expect(page.get_by_text("The search ran with this a = −1.")).to_be_visible()


def test_the_whole_search_is_saved_as_json(visit: Visit) -> None:
    page = visit.open(BEAM)
    page.get_by_role("button", name="More…").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the whole search as JSON").click()
    saved = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert saved["settings"]["width"] == 4 and len(saved["branches"]) == 120


def test_a_bench_can_be_stopped(visit: Visit) -> None:
    long = "gen_model=trigram&gen_width=16&bench_shown=drawn_beam,greedy&bench_seeds=50"
    long += "&bench_length=100"  # seconds of generation, so that there is something to stop
    page = visit.page
    page.goto(f"{visit.address}{BENCH}&{long}")
    # By its key: on a slow machine the page's own computations first have a Stop button, too.
    page.locator(".st-key-bench-stop button").click()
    expect(
        page.get_by_text(re.compile("Stopped: . of 2 strategies are not measured"))
    ).to_be_visible()
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    expect(page.get_by_role("rowheader", name="Beam + sampling")).to_have_count(0)
