"""Input that cannot be computed is refused with a reason, and the last valid picture stays."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit

IMAGE = "![x](http://127.0.0.1:9/x.png)"
NUMBERS: Mapping[str, str] = {
    "nan": "must be a finite number; got 'nan'",
    "1e999": "must be a finite number; got '1e999'",
    "1e308": "must",
    "0.1.2": "must be a number such as 0.4; got '0.1.2'",
    IMAGE: "must be a number such as 0.4; got '![x](http",
}
PROGRAMS: Mapping[str, str] = {
    "": "must",
    "a = 1e999": "must",
    "a = nan\nL = a": "nan",
    "L = __import__('os').system('x')": "must",
    "L = 1/0": "must",
    "a = -1\nL = log(a)": "log",
    "a = 1\nL = a*nowhere": "nowhere",
    "a = [1, 2]\nb = [1, 2, 3]\nL = sum(a + b)": "shape",
    "a = 1e308\nL = a*a": "must",
    IMAGE: "must",
}
ADDRESSES: Mapping[str, Mapping[str, str]] = {
    "/neuron": {"g": "nope", "x": "abc", "see": "nothing", "fold": "?", "present": "x"},
    "/backprop": {"program": "a = ", "at": "zzz", "see": "nothing", "eta": "x", "leaf": "?"},
}


COVERED = """() => {
  const roots = [...document.querySelectorAll('*')].map((node) => node.shadowRoot);
  const root = roots.find((each) => each?.querySelector('.figure'));
  const box = (node) => node.getBoundingClientRect();
  const error = box(document.querySelector('.st-key-errors'));
  const under = ['.box', '.formula'].map((part) => box(root.querySelector(part)));
  return under.some(({ top, bottom }) => bottom <= top || top < error.bottom);
}"""
"""Whether an error covers the picture or its formula, or leaves no room for one of them."""


def no_trace(page: Page) -> None:
    """Check that none of Python's error text is on screen."""
    text = page.locator("body").inner_text()
    for scar in ("Traceback", 'File "', ".py", "Exception", "ValueError", "KeyError", "TypeError"):
        assert scar not in text, scar
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_refused_number_is_explained_and_the_picture_stays(visit: Visit) -> None:
    page = visit.open("/neuron")
    visit.type("weight w1", "0.7")
    good = visit.drawn()
    for typed, reason in NUMBERS.items():
        visit.type("weight w1", typed)
        alert = page.get_by_role("alert")
        expect(alert, typed).to_have_count(1)
        expect(alert, typed).to_contain_text(reason)
        assert visit.drawn() == good, typed
        assert not page.evaluate(COVERED), typed
        no_trace(page)
    visit.type("weight w1", "0.2")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert visit.drawn() != good


def test_an_empty_field_beside_a_slider_is_refused_as_such(visit: Visit) -> None:
    page = visit.open("/neuron")
    visit.type("weight w1", "")
    expect(page.get_by_role("alert")).to_contain_text("got nothing")


@pytest.mark.walk("backprop", alone=True)
def test_a_refused_program_is_explained_and_the_picture_stays(visit: Visit) -> None:
    page = visit.open("/backprop")
    visit.write("a = 2\nb = 4\nL = a*b\n")
    page.locator(".box").get_by_role("button", name="End").click()
    visit.settle()
    good = visit.drawn()
    assert "8" in good
    for program, reason in PROGRAMS.items():
        visit.write(program)
        alert = page.get_by_role("alert")
        expect(alert, program).to_have_count(1)
        expect(alert, program).to_contain_text(reason)
        assert visit.drawn() == good, program
        no_trace(page)
    visit.write("a = 3\nb = 4\nL = a*b\n")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".box").get_by_text("12", exact=True)).to_be_visible()


@pytest.mark.walk("backprop", alone=True)
def test_a_number_refused_beside_a_leaf_leaves_program_and_picture(visit: Visit) -> None:
    page = visit.open("/backprop")
    good, program = visit.drawn(), visit.program().input_value()
    visit.type("b", "one")
    expect(page.get_by_role("alert")).to_contain_text("b must be a number such as 0.4; got 'one'")
    assert visit.drawn() == good
    assert visit.program().input_value() == program


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_broken_address_opens_the_slides_picture(visit: Visit, friend: Visit, path: str) -> None:
    friend.open(path)
    page = visit.open(f"{path}?{urlencode(ADDRESSES[path])}")
    said = " ".join(page.get_by_role("alert").all_inner_texts())
    unheard = ("leaf", "present", "x", "program")  # unknown, ignored, or refused by content
    for name in ADDRESSES[path].keys() - unheard:
        assert f"{name} in the address must be" in said
    assert visit.drawn() == friend.drawn()
    no_trace(page)


def test_bad_rows_are_refused_with_the_place(visit: Visit) -> None:
    page = visit.open("/neuron?see=Many+inputs")
    area = page.get_by_role("textbox", name="Rows of 3 numbers (CSV)")
    for rows, reason in {
        "1, 2": "line 1 must have 3 numbers; got 2",
        f"1, 2, 3\n1, 2, {IMAGE}": "line 2, column 3 must be a number such as 0.4",
    }.items():
        area.fill(rows)
        area.press("Control+Enter")
        visit.settle()
        expect(page.get_by_role("alert")).to_contain_text(reason)
        no_trace(page)


def test_an_image_typed_into_any_text_asks_no_one_for_it(visit: Visit) -> None:
    page = visit.open("/neuron")
    page.get_by_role("button", name="More…").click()
    visit.settle()
    for label in ("Inputs x", "Weights w", "Bias b"):
        box = page.get_by_role("textbox", name=label, exact=True)
        box.fill(IMAGE)
        box.press("Enter")
        visit.settle()
        expect(page.get_by_role("alert")).to_contain_text("![x](http")
    visit.open(f"/backprop?{urlencode({'program': IMAGE + ' = 1'})}")
    assert page.locator("img[src*='127.0.0.1:9']").count() == 0
    assert visit.foreign() == []
