"""The Networks page in a browser: steps scrubbed, weights and input dragged, without the server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from lmcore.networks.network import NetworkConfig
from lmcore.networks.points import PointSet, draw_points
from lmcore.networks.training import TrainingConfig, train_network
from lmcore.numbers import format_number
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import SET

pytestmark = pytest.mark.walk("networks", alone=True)

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def run_of_the_page() -> list[float]:
    points = draw_points(PointSet())
    return train_network(NetworkConfig(), points, TrainingConfig(seed=1)).loss.tolist()


def picture(page: Page) -> Locator:
    return page.locator(".stage.figure")


def pull(page: Page, part: Locator, across: float, steps: int = 12) -> None:
    """Hold a part of the picture and move it sideways, without releasing it."""
    box = part.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(x + across * step / steps, y)
        page.evaluate(NEXT_FRAME)


def said(page: Page) -> str:
    return picture(page).locator(".said").inner_text()


def formula(page: Page) -> str:
    return picture(page).locator(".formula").inner_text()


def test_every_step_of_the_training_is_scrubbed_through_without_a_message(visit: Visit) -> None:
    page = visit.open("/networks")
    losses = run_of_the_page()
    slider = page.get_by_role("slider", name="step of training", exact=True)
    sent = len(visit.sent)
    slider.evaluate("node => node.focus()")
    for step in (0, 57, 180, 233, 499):
        slider.evaluate(
            SET,
            step,
        )
        page.evaluate(NEXT_FRAME)
        assert f"After {step} steps" in said(page)
        assert f"L = {format_number(losses[step])} nats" in formula(page)
    assert len(visit.sent) == sent


def test_a_weight_follows_the_hand_and_the_server_agrees_with_what_was_drawn(visit: Visit) -> None:
    page = visit.open("/networks")
    edge = picture(page).locator("[data-edge='3'] rect").first
    sent = len(visit.sent)
    pull(page, edge, -150)
    held = formula(page)
    assert "You moved W⁽¹⁾₂₂ from" in said(page)
    assert len(visit.sent) == sent
    page.mouse.up()
    visit.settle()
    assert formula(page) == held
    expect(page.get_by_role("slider", name="parameter W⁽¹⁾₂₂", exact=True)).to_be_visible()
    assert re.fullmatch(r"3:-?[\d.]+", visit.query()["nn_hand"])


def test_the_input_is_dragged_over_the_plane(visit: Visit) -> None:
    page = visit.open("/networks")
    cross = picture(page).locator("rect.grab").first
    box = cross.bounding_box()
    assert box is not None
    sent = len(visit.sent)
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"], steps=6)
    page.evaluate(NEXT_FRAME)
    held = formula(page)
    assert len(visit.sent) == sent
    page.mouse.up()
    visit.settle()
    x, y = (float(part) for part in visit.query()["nn_x"].split(","))
    assert abs(x - 0.7) < 0.02
    assert abs(y - 0.3) < 0.02
    assert formula(page) == held


def test_the_training_plays_and_ends_at_its_last_step(visit: Visit) -> None:
    page = visit.open("/networks?nn_step=0")
    picture(page).get_by_role("button", name="Play the training").click()
    expect(picture(page).locator(".said")).to_contain_text("After 500 steps", timeout=15_000)
    visit.settle()
    assert "nn_step" not in visit.query()


def test_the_lines_of_the_forward_pass_are_stepped_through_and_light_their_tensors(
    visit: Visit,
) -> None:
    page = visit.open("/networks?see=Forward+pass")
    whole = picture(page)
    expect(whole).to_contain_text("2×1 = 2×2 · 2×1 + 2×1")
    for _ in range(4):
        whole.get_by_role("button", name="Next line").click()
    expect(whole).to_contain_text("ŷ = 0.98")
    marks = whole.locator("path[stroke='#f6ec7a']")
    assert marks.count() == 0
    whole.get_by_role("button", name="Show W of layer 2").focus()
    page.keyboard.press("Enter")
    expect(marks).to_have_count(2)
