"""In the dark theme, and without a mouse, the page is complete."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit

DARK = pytest.mark.parametrize("visit", [{"color_scheme": "dark"}], indirect=True)
CONTRAST = """() => {
    const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (colour) => {
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
            const share = byte / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paper = light(getComputedStyle(document.querySelector('.stApp')).backgroundColor);
    const roots = [...document.querySelectorAll('*')].map((n) => n.shadowRoot).filter(Boolean);
    const all = '.pictures text, .line, .box svg text, .rich';
    const texts = roots.flatMap((root) => [...root.querySelectorAll(all)])
        .filter((text) => !text.previousElementSibling?.classList.contains('mark')); // on yellow
    const ink = (node) => getComputedStyle(node)[node.tagName === 'text' ? 'fill' : 'color'];
    return [paper, texts.map((node) => {
        const [low, high] = [paper, light(ink(node))].sort((a, b) => a - b);
        return [node.textContent, (high + 0.05) / (low + 0.05)];
    })];
}"""
NAMES = """buttons => buttons.map((button) =>
    [button.textContent.replace(/[◀▶ ]/g, ''), button.ariaLabel || button.textContent])"""
FOCUSED = """() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    const style = getComputedStyle(node);
    // Of a text area, Streamlit colours the frame instead.
    const framed = getComputedStyle(node.parentElement).borderColor === 'rgb(11, 95, 165)';
    const ring = framed || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0);
    const name = node.getAttribute('aria-label') || node.textContent.trim().split('\\n')[0];
    return [node.getAttribute('role') || node.type || node.tagName.toLowerCase(), name,
            ring || style.boxShadow !== 'none'];
}"""


@DARK
@pytest.mark.parametrize("path", ["/neuron", "/backprop"])
def test_the_dark_theme_has_a_dark_page_and_readable_pictures(visit: Visit, path: str) -> None:
    page = visit.open(path)
    visit.drawn()
    paper, texts = page.evaluate(CONTRAST)
    assert paper < 0.05
    assert len(texts) > 15
    assert [(text, ratio) for text, ratio in texts if ratio < 4.5] == []


@pytest.mark.parametrize("path", ["/neuron", "/backprop"])
def test_the_light_theme_has_a_light_page_and_readable_pictures(visit: Visit, path: str) -> None:
    page = visit.open(path)
    visit.drawn()
    paper, texts = page.evaluate(CONTRAST)
    assert paper > 0.8
    assert [(text, ratio) for text, ratio in texts if ratio < 4.5] == []


def tabbed(page: Page, presses: int) -> list[tuple[str, str, bool]]:
    """Role, name and visible focus of each element that Tab reaches, in order."""
    reached = []
    for _ in range(presses):
        page.keyboard.press("Tab")
        role, name, ring = page.evaluate(FOCUSED)
        reached.append((role, name, ring))
    return reached


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/neuron", ["weight w1", "weight w1, typed", "bias b", "Save", "Present"]),
        ("/backprop", ["a", "a, typed", "Reset", "Step", "Play", "End", "Save", "Present"]),
    ],
)
def test_the_tab_key_reaches_everything_and_focus_is_visible(
    visit: Visit, path: str, wanted: list[str]
) -> None:
    page = visit.open(path)
    visit.drawn()
    walker = dict(page.locator(".walker button").evaluate_all(NAMES))
    reached = tabbed(page, 60)
    names = {name for _, name, _ in reached}
    # A button's text begins with the name of its icon.
    missed = [n for n in wanted if not any(walker.get(n, n) in each for each in names)]
    assert missed == []
    presets = {label for role, label, _ in reached if role == "radio"}
    assert any("CMU slide" in label for label in presets)
    assert {"Picture", "Step by step", "Three methods"} & presets
    scrolled = ("main", "body")  # Streamlit's, focusable only for scrolling
    assert [each for each in reached if each[0] not in scrolled and not each[2]] == []


def test_the_keyboard_alone_chooses_a_preset_and_a_section(visit: Visit) -> None:
    page = visit.open("/neuron")
    before = visit.drawn()
    visit.pill("Presets", "Saturated").focus()
    page.keyboard.press("Enter")
    visit.settle()
    assert visit.drawn() != before
    visit.pill("Look closer", "Code").focus()
    page.keyboard.press("Enter")
    visit.settle()
    assert visit.query()["see"] == "Code"
