"""The one-screen Transformer in a browser: pointing, scrubbing, dragging, pressing, and keys."""

from __future__ import annotations

import random
from dataclasses import fields
from functools import cache

import pytest
from playwright.sync_api import Locator, Page, expect

from lessons.transformer.tiny_picture import weight_label
from lmcore.numbers import format_number
from lmcore.transformer import tiny
from lmcore.transformer.tiny import MATRICES, TinyRun, TinyTrace, WeightPlace
from tests.browser.conftest import Visit
from tests.browser.lessons.test_drag import NEXT_FRAME, SET

pytestmark = pytest.mark.walk("transformer", alone=True)

PATH = "/transformer?see=One+screen"
TEXT = "cat near cats runs"
POINTS = 70
"""The number of points of the picture that are read; most of them lie on a number."""
READ = """async (node, points) => {
    const frame = node.getBoundingClientRect();
    const next = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const read = [];
    for (const [x, y] of points) {
        const at = { clientX: frame.left + x * frame.width, clientY: frame.top + y * frame.height };
        node.dispatchEvent(new PointerEvent('pointermove', at));
        await next();
        read.push(node.getAttribute('aria-label'));
    }
    return read;
}"""
LETTERS = {
    **{name: name.upper() for name in "xqkvszorfgmh"},
    **{f"n{n}": f"N{'₁₂₃'[n - 1]}" for n in (1, 2, 3)},
    "alpha": "α",
    "logits": "logits",
    "p": "ŷ",
}


@cache
def run(edits: str = "") -> TinyRun:
    return tiny.train_tiny(edits=tiny.parse_edits(edits))


@cache
def numbers(step: int, edits: str = "") -> dict[str, str]:
    """Every weight and every number of the text at a training step: name on screen → as printed."""
    row = run(edits).weights[step // tiny.EVERY]
    trace, words = tiny.trace_tiny(row, tiny.tiny_ids(TEXT)), TEXT.split()
    across = dict.fromkeys(("logits", "p"), tiny.WORDS)
    across |= dict.fromkeys(("s", "alpha"), tuple(f"{j} {w}" for j, w in enumerate(words, 1)))
    found = {}
    for field in fields(TinyTrace):
        for i, line in enumerate(getattr(trace, field.name).float().tolist()):
            for j, value in enumerate(line):
                column = across[field.name][j] if field.name in across else j + 1
                found[f"{LETTERS[field.name]}[{i + 1} {words[i]}, {column}]"] = format_number(value)
    for name, its in MATRICES.items():
        for i in range(its.rows):
            for j in range(its.columns):
                place = WeightPlace(name, i, j)
                label = weight_label(place).replace("^", " ")
                found[label] = format_number(float(row[place.offset].float()))
    return found


def cover(page: Page) -> Locator:
    return page.locator("[data-cover]")


def pointed(label: str) -> tuple[str, str]:
    """The name and the number in a label that is read out."""
    name = label[: label.index("]") + 1]
    return name, label.rpartition("= ")[2]


def check(page: Page, wanted: dict[str, str], seed: int) -> None:
    """Check that the numbers at many points of the picture are those of `wanted`."""
    drawn = random.Random(seed)
    points = [[drawn.random(), drawn.uniform(0.08, 0.62)] for _ in range(POINTS)]
    read = dict(
        pointed(label)
        for label in cover(page).evaluate(READ, points)
        if not label.startswith("All numbers")
    )
    assert len(read) > 20
    assert read == {name: wanted[name] for name in read}
    assert sum(name.startswith(("E[", "P[", "W", "b", "U[", "γ", "β")) for name in read) > 4


def painted(page: Page) -> str:
    """The painted cells, as a data URL."""
    page.evaluate(NEXT_FRAME)
    picture: str = page.locator(".box svg canvas").evaluate("node => node.toDataURL()")
    return picture


def test_every_number_is_its_tensors_while_the_training_is_scrubbed_without_a_message(
    visit: Visit,
) -> None:
    page = visit.open(PATH)
    slider = page.get_by_role("slider", name="step of training", exact=True)
    page.evaluate("document.fonts.ready.then(() => null)")
    sent, pictures = len(visit.sent), {}
    for seed, step in enumerate((200, 0, 84)):
        slider.evaluate(SET, step // tiny.EVERY)
        pictures[step] = painted(page)
        check(page, numbers(step), seed)
        losses = [format_number(each) for each in run().losses[step // tiny.EVERY].tolist()]
        chips = page.locator("[aria-label^='Follow “'] text:last-child")
        assert chips.all_text_contents() == losses
    assert len(set(pictures.values())) == 3
    slider.evaluate(SET, 42)
    cover(page).dispatch_event("pointerleave")
    assert painted(page) == pictures[84]
    assert len(visit.sent) == sent


def test_a_weight_is_pressed_dragged_and_kept_and_training_goes_on_from_it(visit: Visit) -> None:
    page = visit.open(f"{PATH}&tiny_step=84")
    cover(page).focus()
    name = before = ""
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.evaluate(NEXT_FRAME)
        name, before = pointed(cover(page).get_attribute("aria-label") or "")
        if name.startswith("W "):
            break
    assert name.startswith("W ")
    page.keyboard.press("Enter")
    visit.settle()
    chosen = tiny.parse_place(visit.query()["tiny_weight"])
    assert weight_label(chosen).replace("^", " ") == name
    slider = page.get_by_role("slider", name=f"weight {weight_label(chosen)}", exact=True)
    sent = len(visit.sent)
    slider.evaluate(SET, 60)
    page.evaluate(NEXT_FRAME)
    held = page.locator(".said").inner_text()
    assert f"You moved {weight_label(chosen)} from {before} to 3" in held
    check(page, numbers(84, f"84:{chosen}=3"), 7)
    assert len(visit.sent) == sent
    slider.dispatch_event("change")
    visit.settle()
    assert visit.query()["tiny_edits"] == f"84:{chosen}=3"
    for seed, step in ((8, 82), (9, 120)):
        page.get_by_role("slider", name="step of training", exact=True).evaluate(SET, step // 2)
        page.evaluate(NEXT_FRAME)
        check(page, numbers(step, f"84:{chosen}=3"), seed)
    page.get_by_role("button", name="Undo edit").click()
    visit.settle()
    assert "tiny_edits" not in visit.query()
    check(page, numbers(84), 11)


def test_a_chosen_weight_follows_a_drag_in_the_picture(visit: Visit) -> None:
    page = visit.open(PATH)
    cover(page).focus()
    outline = page.locator(".box svg rect[stroke-width='3']").first
    box = outline.bounding_box()
    assert box is not None
    x, y, sent = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, len(visit.sent)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=5)
    page.evaluate(NEXT_FRAME)
    assert "You moved P[3, 1] from −0.6891 to" in page.locator(".said").inner_text()
    assert len(visit.sent) == sent
    page.mouse.up()
    visit.settle()
    (edit,) = tiny.parse_edits(visit.query()["tiny_edits"])
    assert str(edit.place) == "P[3,1]"
    assert -0.3 < edit.value < 0
    check(page, numbers(200, str(edit)), 12)


def test_a_sentence_and_a_place_are_pressed(visit: Visit) -> None:
    page = visit.open(PATH)
    page.get_by_role("button", name="Follow “cats near cat run”").click()
    visit.settle()
    expect(page.locator(".said")).to_contain_text("“cats near cat” continues with run, right")
    cover(page).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    visit.settle()
    assert visit.query()["tiny_text"] == "cats near cat run"


def test_a_phone_shows_the_parts_one_at_a_time(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.open(PATH)
    for part, number in (("Embed", "X["), ("MLP", "F["), ("Word", "ŷ["), ("Attention", "α[")):
        page.get_by_role("button", name=f"Show {part}", exact=True).click()
        page.evaluate(NEXT_FRAME)
        drawn = random.Random(1)
        points = [[drawn.random(), drawn.random()] for _ in range(60)]
        read = [pointed(label) for label in cover(page).evaluate(READ, points) if "]" in label]
        wanted = numbers(200)
        assert any(name.startswith(number) for name, _ in read)
        assert all(wanted[name] == value for name, value in read)
    page.get_by_role("button", name="Show Result", exact=True).click()
    expect(page.locator("[aria-label^='Follow “']")).to_have_count(4)
