"""The Transformer page in a browser: zoomed by press, wheel and keys to the model's own numbers."""

from __future__ import annotations

import random
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page

from lessons.transformer.transformer_shown import Shown, follow_text, follow_translation
from lmcore.models.gpt import GPT
from lmcore.numbers import format_number
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder, encoder_decoder, load_shipped
from tests.browser.conftest import Visit

pytestmark = pytest.mark.walk("transformer", alone=True)

TEXT = "the cats that the dog chases"
TRANSLATED = {"tf_model": "encoder_decoder", "tf_text": "the big dogs see a cat"}
MASKED = {"tf_model": "encoder", "tf_text": "the [MASK] gets fed ."}
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
AT = re.compile(r"([a-z0-9.]+)\[(\d+), (\d+)\]")


def shown(settings: dict[str, str]) -> Shown:
    """The forward pass that the page shows."""
    clock = lambda: 0.0  # noqa: E731
    if settings.get("tf_model") == "encoder_decoder":
        network, vocabulary, *_ = encoder_decoder()
        return follow_translation(network, vocabulary, settings["tf_text"], clock)
    if settings.get("tf_model") == "encoder":
        network, vocabulary, *_ = encoder()
        return follow_text(VocabularyModel("", network, vocabulary), settings["tf_text"], clock)
    model, *_ = load_shipped("gpt")
    assert isinstance(model.network, GPT)
    return follow_text(VocabularyModel("", model.network, model.vocabulary), TEXT, clock)


def hand(page: Page) -> Locator:
    return page.locator("[data-part=hand]")


def readout(page: Page) -> Locator:
    return page.locator("[data-part=readout]")


def zoomed(visit: Visit) -> str:
    return visit.query().get("tf_zoom", "")


PLACES: list[tuple[dict[str, str], list[str]]] = [
    ({}, ["", "b1", "b1.q.2", "b2.alpha.3", "b1.act", "b2.r2", "b2.head.1", "embed", "final"]),
    (MASKED, ["b3.feed", "b2.score.4", "dense", "b1.attention"]),
    (TRANSLATED, ["d2.calpha.1", "e1.head.2", "d1.cq.3", "m.end"]),
]


def test_200_numbers_pointed_at_are_those_of_the_forward_pass(visit: Visit) -> None:
    rng, seen = random.Random(7), set[str]()
    for settings, zooms in PLACES:
        flow = shown(settings).flow
        for zoom in zooms:
            page = visit.open(f"/transformer?{urlencode({**settings, 'tf_zoom': zoom})}")
            box = hand(page).bounding_box()
            assert box is not None
            for _ in range(26):
                x, y = rng.random() * box["width"], rng.random() * box["height"]
                page.mouse.move(box["x"] + x, box["y"] + y)
                page.evaluate(NEXT_FRAME)
                at = readout(page).get_attribute("data-at")
                if at is None:
                    continue
                place = AT.fullmatch(at)
                assert place is not None
                value = float(flow[place[1]].values[int(place[2]), int(place[3])])
                text = str(readout(page).text_content())
                assert text.startswith(f"{format_number(value)}: "), at
                seen.add(at)
    assert len(seen) >= 200


def test_four_presses_lead_from_the_model_to_a_number(visit: Visit) -> None:
    page = visit.open("/transformer")
    flow = shown({}).flow
    way = ["Zoom to Block 1, Attention", "Zoom to Block 1, Attention, Head 2"]
    way.append("Zoom to Block 1, Attention, Head 2, Q")
    for name in way:
        page.get_by_role("button", name=name, exact=True).click()
        visit.settle()
    assert zoomed(visit) == "b1.q.2"
    box = hand(page).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visit.settle()
    place = AT.fullmatch(visit.query()["tf_at"])
    assert place is not None
    assert place[1] == "b1.q"
    value = format_number(float(flow["b1.q"].values[int(place[2]), int(place[3])]))
    said = page.locator(".stage.figure .said").inner_text()
    assert said.endswith(f"is {value}.")
    assert f"= {value}" in page.locator(".stage.figure .formula").inner_text()
    page.get_by_role("button", name="Close the number").click()
    visit.settle()
    assert "tf_at" not in visit.query()


def test_pressing_in_the_picture_brings_a_part_near(visit: Visit) -> None:
    page = visit.open("/transformer")
    name = page.get_by_role("button", name="Zoom to Block 2, MLP", exact=True).bounding_box()
    assert name is not None
    page.mouse.click(name["x"] + name["width"] / 2, name["y"] + 120)
    visit.settle()
    assert zoomed(visit) == "b2.feed"
    page.get_by_role("button", name="Back to the whole model").click()
    visit.settle()
    assert "tf_zoom" not in visit.query()


def test_wheel_and_dragging_move_without_a_message(visit: Visit) -> None:
    page = visit.open("/transformer")
    box = hand(page).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2
    sent = len(visit.sent)
    names = "[aria-label^='Zoom to']"
    before = page.locator(names).all_text_contents()
    page.mouse.move(x, y)
    for _ in range(3):
        page.mouse.wheel(0, -240)
        page.evaluate(NEXT_FRAME)
    near = page.locator(names).all_text_contents()
    assert near != before
    page.mouse.down()
    page.mouse.move(x - 200, y, steps=4)
    page.mouse.up()
    page.evaluate(NEXT_FRAME)
    assert page.locator(names).all_text_contents() != near
    assert len(visit.sent) == sent
    for _ in range(8):
        page.mouse.wheel(0, 480)
        page.evaluate(NEXT_FRAME)
    assert page.locator(names).all_text_contents() == before


def test_the_keyboard_zooms_moves_and_goes_back(visit: Visit) -> None:
    page = visit.open("/transformer?tf_zoom=b1.attention")
    names = "[aria-label^='Zoom to']"
    hand(page).focus()
    before = page.locator(names).all_text_contents()
    page.keyboard.press("+")
    page.evaluate(NEXT_FRAME)
    near = page.locator(names).all_text_contents()
    assert near != before
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.evaluate(NEXT_FRAME)
    page.keyboard.press("Backspace")
    visit.settle()
    assert zoomed(visit) == "b1"


def test_arrow_keys_walk_from_number_to_number(visit: Visit) -> None:
    page = visit.open("/transformer?tf_at=b1.q[2,+0]")
    hand(page).focus()
    for key, at in (("ArrowRight", "b1.q[2, 1]"), ("ArrowDown", "b1.q[3, 1]")):
        page.keyboard.press(key)
        visit.settle()
        assert visit.query()["tf_at"] == at


def test_a_token_is_pressed_to_be_followed(visit: Visit) -> None:
    page = visit.open("/transformer")
    page.get_by_role("button", name="Follow token 3, cats").click()
    visit.settle()
    assert visit.query()["tf_step"] == "3"
    assert "turn the vector of cats" in page.locator(".stage.figure .said").inner_text()


@pytest.mark.parametrize(
    ("zoom", "page_name"), [("b2.head.3", "/heads?"), ("b2.alpha.3", "/attention?")]
)
def test_a_door_leads_to_the_page_of_a_part(visit: Visit, zoom: str, page_name: str) -> None:
    page = visit.open(f"/transformer?tf_zoom={zoom}")
    page.locator(".box svg a").click()
    visit.settle()
    assert page_name in page.url
    weights: Any = shown({}).flow["b2.alpha.3"].values[6]
    text = page.locator("body").inner_text() + " ".join(
        page.locator("svg text").all_text_contents()
    )
    assert format_number(float(weights.max())) in text
