"""The Encoder–decoder page in a browser: a translation stepped through, α pointed at and forced."""

from __future__ import annotations

import re

import pytest
import torch
from playwright.sync_api import Locator, Page

from lmcore.attention.translation_steps import trace_translation
from lmcore.corpora.translation import parse_source
from lmcore.numbers import format_number
from lmcore.shipped.models import load_translator
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import SET

pytestmark = pytest.mark.walk("seq2seq", alone=True)

NETWORK, VOCABULARY, _, _ = load_translator("seq2seq_attention")
SOURCE = parse_source("the cup was hidden by a man and paul was found by kayla", "mixture")
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def picture(page: Page) -> Locator:
    return page.locator(".stage.figure")


def said(page: Page) -> str:
    return picture(page).locator(".said").inner_text()


def written(page: Page) -> list[str]:
    """The words that the decoder with attention writes, from the labels of their buttons."""
    names = [
        chip.get_attribute("aria-label") or ""
        for chip in picture(page).get_by_role("button", name=re.compile(r"^Step \d+, ")).all()
    ]
    return [name.split(", ")[1] for name in names]


def test_every_word_is_stepped_through_without_a_message(visit: Visit) -> None:
    page = visit.open("/seq2seq")
    its = trace_translation(NETWORK, VOCABULARY, SOURCE)
    assert its.trace.weights is not None
    words = VOCABULARY.decode(its.written.tolist())
    assert written(page) == words
    slider = page.get_by_role("slider", name="step i of the decoder", exact=True)
    sent = len(visit.sent)
    for place in (0, 3, 8, 4, 1):
        slider.evaluate(SET, place)
        page.evaluate(NEXT_FRAME)
        weights = its.trace.weights[0, place]
        assert f"To write {words[place]}, the decoder attends to" in said(page)
        assert f"= {format_number(float(weights.max()))}" in said(page)
    assert len(visit.sent) == sent


def test_a_word_is_pressed_to_go_to_its_step(visit: Visit) -> None:
    page = visit.open("/seq2seq")
    picture(page).get_by_role("button", name="Step 5, cup", exact=True).click()
    visit.settle()
    assert "To write cup, the decoder attends to cup" in said(page)
    assert visit.query()["s2_step"] == "5"


def test_pointing_at_a_state_shows_its_word_and_a_press_forces_it(visit: Visit) -> None:
    page = visit.open("/seq2seq")
    its = trace_translation(NETWORK, VOCABULARY, SOURCE)
    assert its.alternatives is not None
    sent = len(visit.sent)
    for j in (0, 4, 1):
        name = f"Force α of step 2 on {SOURCE[j]}, place {j + 1}"
        picture(page).get_by_role("button", name=name, exact=True).hover()
        page.evaluate(NEXT_FRAME)
        (other,) = VOCABULARY.decode(its.alternatives[1, j : j + 1].tolist())
        assert written(page)[1] == other
        assert picture(page).get_by_text(re.compile(rf"^{other}, p = ")).is_visible()
    assert len(visit.sent) == sent
    picture(page).get_by_role("button", name="Force α of step 2 on cup, place 2").click()
    visit.settle()
    assert visit.query()["s2_forced"] == "2:2"
    assert "the decoder writes cup instead of man" in said(page)
    forced = trace_translation(NETWORK, VOCABULARY, SOURCE, forced={1: torch.eye(14)[1]})
    page.mouse.move(5, 5)
    page.evaluate(NEXT_FRAME)
    assert written(page) == VOCABULARY.decode(forced.written.tolist())
    picture(page).get_by_role("button", name="Release α", exact=True).click()
    visit.settle()
    assert "s2_forced" not in visit.query()
    assert written(page)[1] == "man"


def test_the_map_is_swept_over_and_pressed(visit: Visit) -> None:
    page = visit.open("/seq2seq")
    its = trace_translation(NETWORK, VOCABULARY, SOURCE)
    assert its.alternatives is not None
    box = picture(page).locator("rect.press").last.bounding_box()
    assert box is not None
    rows, columns = its.alternatives.shape
    for i, j in ((3, 1), (4, 12), (0, 6)):
        page.mouse.move(
            box["x"] + (j + 0.5) * box["width"] / columns,
            box["y"] + (i + 0.5) * box["height"] / rows,
        )
        page.evaluate(NEXT_FRAME)
        (other,) = VOCABULARY.decode(its.alternatives[i, j : j + 1].tolist())
        assert written(page)[i] == other
    page.mouse.down()
    page.mouse.up()
    visit.settle()
    assert visit.query()["s2_forced"] == "1:7"
    assert "With all of α₁ forced on man" in said(page)


def test_a_translator_is_trained_before_its_recorded_run(visit: Visit) -> None:
    page = visit.open("/seq2seq?see=Train+it+here&s2t_steps=20&s2t_task=copy&s2t_longest=3")
    page.get_by_role("button", name="Train both").click()
    sent = page.get_by_text("are right in every word")
    sent.nth(1).wait_for(timeout=60_000)
    assert sent.count() == 2
    assert page.locator("path.validation").count() == 2
    labels = page.locator("[data-run] .name").all_inner_texts()
    assert labels == ["Attention, dot", "One vector"]


def test_the_recorded_run_stands_there_before_one_is_started(visit: Visit) -> None:
    page = visit.open("/seq2seq?see=Train+it+here")
    page.locator("path.recorded").wait_for()
    assert page.get_by_text("recorded: attention, dot").is_visible()
    assert not page.get_by_text("Look back to step").is_visible()
