"""The stage of every page: one picture that fills the screen, at every example and every beat.

Every example is checked on a laptop and in all of `WINDOWS`; every beat on a projector.
The checks: everything lies in the window, or further down where the page scrolls; the picture's
share of the window and its smallest type are large enough; no text leaves the picture or overlaps
another; nothing is wider than the screen; the boxes keep their places; no control of the dock is
out of sight or over another; each example and each beat changes something on the stage or
highlights a part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TimedOut

import ui
from tests.browser.conftest import MOVING, TWO_FRAMES, Visit
from tests.sampled import sampled
from ui import contents

PAGES = [page.slug for page in contents.PAGES if page.built]
LAPTOP = {"width": 1366, "height": 768}
WINDOWS = {
    "tablet": {"width": 1024, "height": 768},
    "small phone": {"width": 360, "height": 740},
    "200 %": {"width": 683, "height": 384},
    "small laptop": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844},
    "phone on its side": {"width": 844, "height": 390},
    "low laptop": {"width": 1366, "height": 657},
}
PROJECTOR = {"width": 1920, "height": 1080}
SMALL_PROJECTOR = {"width": 1280, "height": 720}
FIGURE = """const figure = [...document.querySelectorAll('*')]
    .map((node) => node.shadowRoot?.querySelector('.figure')).find(Boolean);"""
SETTLED = f"""() => {{
  {FIGURE}
  return figure && !document.querySelector('[data-testid=stSkeleton]');
}}"""
SEEN = "(" + (Path(__file__).parent / "stage_faults.js").read_text("utf-8").partition("\n(")[2]
DRAWN = f"""() => {{
  {FIGURE}
  const view = document.querySelector('.st-key-view-open');
  return figure.querySelector('.box svg').innerHTML + (view ? view.innerText : '');
}}"""
REDRAWN = f"before => ({DRAWN})() !== before"
SHIFTS = """() => new Promise((then) => {
  new PerformanceObserver((seen) => then(seen.getEntries()
      .filter((each) => !each.hadRecentInput).reduce((sum, each) => sum + each.value, 0)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => then(0), 500); // there was none
})"""
ROWS = ["bar", "strip", "stage", "rail", "look"]
OUT_OF_SIGHT = """() => {
  const dock = document.querySelector('.st-key-rail');
  return [dock.scrollWidth - dock.clientWidth, dock.scrollHeight - dock.clientHeight];
}"""
"""By how many pixels the controls of the dock are wider and higher than it is."""
OVER_OTHERS = """() => {
  const parts = [...document.querySelectorAll(
    '.st-key-rail :is(button, label, input, textarea, [data-testid=stWidgetLabel])')]
    .filter((part) => part.checkVisibility({ visibilityProperty: true }));
  const named = (part) => part.innerText || part.value || part.getAttribute('aria-label');
  const found = [];
  parts.forEach((part, i) => parts.slice(0, i).forEach((other) => {
    if (part.contains(other) || other.contains(part)) return;
    const [a, b] = [part.getBoundingClientRect(), other.getBoundingClientRect()];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 2 && down > 2) found.push(`${named(other)} / ${named(part)}`);
  }));
  return found;
}"""
"""The controls of the dock that overlap."""


def settle(visit: Visit) -> None:
    """Wait until the picture is drawn and nothing is being animated."""
    visit.settle()
    visit.page.wait_for_function(SETTLED)
    visit.page.evaluate(TWO_FRAMES)


def faults(
    visit: Visit, rows: list[str], share: float, least: float, *, scrolls: bool = False
) -> tuple[list[str], Any]:
    seen = visit.page.evaluate(SEEN, {"rows": rows, "scrolls": scrolls})
    wrong = list(seen["wrong"])
    if seen["share"] < share:
        wrong.append(f"the picture has {seen['share']:.3f} of the screen")
    if seen["least"] < least:
        wrong.append(f"smallest type {seen['least']:.1f} px")
    if not seen["texts"]:
        wrong.append("nothing is written in the picture")
    return wrong, seen["boxes"]


def open_watched(visit: Visit, path: str) -> float:
    """Open the page, and return its layout shift since the first paint."""
    visit.open(path)
    settle(visit)
    shifts: float = visit.page.evaluate(SHIFTS)
    return shifts


@pytest.mark.parametrize("slug", sampled(PAGES, PAGES[::2]))
def test_every_example_fills_the_stage_in_every_window(
    visit: Visit, slug: str, walking: bool
) -> None:
    """The sample is the first example of one page in two, in three windows."""
    found: dict[str, list[str]] = {}
    lesson = ui.lesson(slug)
    visit.page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    shifts = open_watched(visit, f"/{slug}")
    stood: dict[str, Any] = {}
    same: list[str] = []
    before = None
    for preset in lesson.presets if walking else lesson.presets[:1]:
        pill = visit.page.locator(".st-key-pills").get_by_role(
            "radio", name=preset.label, exact=True
        )
        if pill.get_attribute("aria-checked") != "true":
            pill.click()
        settle(visit)
        if before is not None:
            try:
                visit.page.wait_for_function(REDRAWN, arg=before, timeout=10_000)
            except TimedOut:
                same.append(preset.label)
        windows = WINDOWS if walking else {name: WINDOWS[name] for name in ("200 %", "phone")}
        for name, size in [*windows.items(), ("laptop", LAPTOP)]:
            visit.page.set_viewport_size(size)  # type: ignore[arg-type]
            visit.page.evaluate(TWO_FRAMES)
            wrong, boxes = faults(visit, ROWS, 0.45, 13, scrolls=size["height"] < 600)
            if name == "laptop":
                before = visit.page.evaluate(DRAWN)
            wrong += [f"controls over each other: {o}" for o in visit.page.evaluate(OVER_OTHERS)]
            if stood.setdefault(name, boxes) != boxes:
                wrong.append(f"the boxes moved: {stood[name]} → {boxes}")
            if wrong:
                found[f"{preset.label}, {name}"] = wrong
    assert found == {}
    assert same == []
    assert shifts <= 0.02


SAID = """(sentences) => {
  const text = document.querySelector(".st-key-beat p");
  return sentences.filter((said) => {
    text.innerHTML = said.replace(/[*]{2}(.+?)[*]{2}/g, "<strong>$1</strong>");
    const range = document.createRange();
    range.selectNodeContents(text);
    const { top } = document.querySelector(".st-key-caption").getBoundingClientRect();
    const foot = document.querySelector(".st-key-stage").getBoundingClientRect().top;
    return [...range.getClientRects()].some((line) =>
      line.top < top || line.left < 0 || line.right > innerWidth || line.bottom > foot);
  });
}"""
"""The sentences with a line that would leave the row above the stage."""


@pytest.mark.parametrize("mode", ["tour", "present"])
def test_the_sentence_of_every_beat_is_whole_in_every_window(visit: Visit, mode: str) -> None:
    """The sentences of all pages are tried in one page's row: it is the same row everywhere."""
    visit.open(f"/neuron?{mode}=1&beat=2")
    sentences = [beat.say for slug in PAGES for beat in ui.lesson(slug).beats]
    assert len(sentences) > 50
    cut = {}
    for size in [*WINDOWS.values(), LAPTOP, PROJECTOR]:
        visit.page.set_viewport_size(size)  # type: ignore[arg-type]
        visit.page.evaluate(TWO_FRAMES)
        cut["{width}×{height}".format(**size)] = visit.page.evaluate(SAID, sentences)
    assert {size: each for size, each in cut.items() if each} == {}


HOMES = ["/", "/?u=0.9&heat=3", "/?u=1&heat=0.1"]
HIDDEN_LINKS = """() => [...document.querySelectorAll(".st-key-cards a")].filter((link) => {
  const {left, width, top, height} = link.getBoundingClientRect();
  return width && !link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((link) => link.innerText)"""
"""The links of Home's cards that cannot be clicked in their middle."""


@pytest.mark.parametrize("path", sampled(HOMES, HOMES[:1]))
def test_home_fills_every_window(visit: Visit, path: str) -> None:
    """The picture and, on a laptop, the cards below it; on a phone the cards are further down."""
    visit.page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    shifts = open_watched(visit, path)
    found = {}
    for name, size in [("laptop", LAPTOP), *WINDOWS.items()]:
        visit.page.set_viewport_size(size)  # type: ignore[arg-type]
        settle(visit)
        small = size["width"] <= 1100 or size["height"] < 600
        wrong, _boxes = faults(visit, ["bar", "stage", "cards"], 0.45, 13, scrolls=small)
        if wrong:
            found[name] = wrong
        if not small:
            assert visit.page.evaluate(HIDDEN_LINKS) == [], name
    assert found == {}
    assert shifts <= 0.02


@pytest.mark.parametrize("slug", sampled(PAGES, PAGES[1::4]))
def test_every_beat_fills_the_projector_and_changes_or_lights_something(
    visit: Visit, slug: str, walking: bool
) -> None:
    """The sample is the first two beats, of one page in four."""
    visit.page.set_viewport_size(PROJECTOR)  # type: ignore[arg-type]
    visit.open(f"/{slug}?present=1")
    found: dict[str, list[str]] = {}
    before = ""
    beats = len(ui.lesson(slug).beats)
    for number in range(1, (beats if walking else min(beats, 2)) + 1):
        if number > 1:
            visit.page.keyboard.press("ArrowRight")
            visit.attached(f"html[data-beat='present {number}']")
        settle(visit)
        wrong, _boxes = faults(visit, ["caption", "stage", "rail"], 0.65, 22)
        if number == 1:
            for size in (SMALL_PROJECTOR, PROJECTOR):
                visit.page.set_viewport_size(size)  # type: ignore[arg-type]
                visit.page.evaluate(TWO_FRAMES)
                if max(out := visit.page.evaluate(OUT_OF_SIGHT)) > 0:
                    wrong.append(f"controls are out of sight at {size}: {out}")
                if over := visit.page.evaluate(OVER_OTHERS):
                    wrong.append(f"controls lie over each other at {size}: {over}")
        visit.page.keyboard.press("c")
        visit.page.evaluate(TWO_FRAMES)
        bare, _boxes = faults(visit, ["caption", "stage"], 0.80, 22)
        wrong += [f"without the dock: {each}" for each in bare]
        visit.page.keyboard.press("c")
        visit.page.evaluate(TWO_FRAMES)
        now = visit.page.evaluate(DRAWN)
        if now == before:
            wrong.append("nothing on the stage has changed")
        before = now
        if wrong:
            found[f"beat {number}"] = wrong
    assert found == {}


def changes_while(visit: Visit, change: Callable[[], None]) -> tuple[list[str], int]:
    """The sentences shown while `change` changes the numbers, in order, and the number of different
    drawings after the first."""
    page = visit.page
    page.evaluate(
        f"""() => {{
          {FIGURE}
          const [said, box] = [figure.querySelector('.said'), figure.querySelector('.box svg')];
          [window.said, window.drawn] = [[said.textContent], new Set([box.innerHTML])];
          new MutationObserver(() => {{
            window.said.push(said.textContent);
            window.drawn.add(box.innerHTML);
          }}).observe(figure,
            {{ subtree: true, characterData: true, childList: true, attributes: true }});
        }}"""
    )
    change()
    page.evaluate(TWO_FRAMES)
    said: list[str] = page.evaluate("[...new Set(window.said)]")
    assert said[-1] == page.locator(".said").inner_text()
    drawn: int = page.evaluate("window.drawn.size")
    return said, drawn - 1


@MOVING
def test_marks_run_from_one_example_to_the_next_and_the_sentence_jumps(visit: Visit) -> None:
    visit.open("/neuron")
    said, drawn = changes_while(visit, lambda: visit.choose("Presets", "Saturated"))
    assert len(said) == 2, "a claim on its way was read"
    assert drawn > 4, "no mark was seen between"


@MOVING
def test_marks_do_not_run_in_a_picture_that_lies_under_a_view(visit: Visit) -> None:
    visit.open("/neuron?see=Step+by+step")
    said, drawn = changes_while(visit, lambda: visit.type("bias b", "2"))
    assert (len(said), drawn) == (2, 1)


@MOVING
def test_beads_flow_after_a_change_and_then_rest(visit: Visit) -> None:
    visit.changed = True
    visit.page.clock.install()
    page = visit.open("/neuron")
    beads = page.locator(".box .beads").first
    state = "node => getComputedStyle(node).animationPlayState"
    assert beads.evaluate(state) == "running"
    page.clock.run_for(10_000)
    assert beads.evaluate(state) == "paused"
    slider = page.get_by_role("slider", name="bias b", exact=True)
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.clock.run_for(100)
    assert beads.evaluate(state) == "running"


def test_a_formula_that_is_higher_than_its_row_is_scrolled_from_its_first_line(
    visit: Visit,
) -> None:
    visit.page.set_viewport_size({"width": 320, "height": 640})
    visit.open("/transfer?tr_task=answer&tr_network=gpt&tr_labels=10000")
    formula = visit.page.locator(".formula")
    assert formula.evaluate("row => row.scrollHeight > row.clientHeight + 1")
    row, first = (each.bounding_box() for each in (formula, formula.locator(".rich").first))
    assert row and first
    assert first["y"] >= row["y"]


WIDTHS = """() => {
  const brush = document.createElement("canvas").getContext("2d");
  const found = [];
  for (const { shadowRoot } of document.querySelectorAll("*")) {
    for (const text of shadowRoot?.querySelectorAll(".box svg text") ?? []) {
      const { fontWeight, fontFamily, fontSize } = getComputedStyle(text);
      brush.font = `${fontWeight} 100px ${fontFamily}`;
      const measured = (brush.measureText(text.textContent).width / 100) * parseFloat(fontSize);
      found.push([text.textContent, text.getComputedTextLength(), measured]);
    }
  }
  return found;
}"""
"""Each text of a picture, its width on the screen, and the width that `drawing/pen.js` measures."""


def test_texts_are_as_wide_as_they_are_measured_at_every_size(visit: Visit) -> None:
    """Labels are placed by measured widths; small letters must not be rounded to whole pixels."""
    page = visit.page
    for size in ({"width": 390, "height": 844}, {"width": 1366, "height": 768}):
        page.set_viewport_size(size)
        visit.open("/contextual?see=Seven+senses&ct_layer=3")
        found = [each for each in page.evaluate(WIDTHS) if each[2] > 20]
        assert len(found) > 20
        wrong = [each for each in found if abs(each[1] - each[2]) > max(1, 0.02 * each[2])]
        assert wrong == []
