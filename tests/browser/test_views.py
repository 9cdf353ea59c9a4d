"""Every page and view in a real browser: its numbers, its accessibility, and small windows.

axe-core must find nothing serious in what this project draws, light or dark. The dark theme changes
only colours, so only contrast is checked again. A page is checked whole in its first view, and in
its other views only on the stage. The view of the code, which all pages have in common, is checked
on the Neuron, Backprop and Transformer pages only, and presenter mode on some.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.browser.conftest import TWO_FRAMES, Visit
from tests.browser.test_open import TITLES, WRITTEN, check_opened
from tests.browser.test_stage import PAGES as SLUGS
from tests.sampled import sampled


class Shell(NamedTuple):
    """A violation that Streamlit's own elements cause: the rule, and where it occurs."""

    rule: str
    inside: str
    why: str


SHELL = [
    Shell("color-contrast", ".stCode", "Streamlit's colours for code are not ours to set"),
]
PATHS = (
    "/",
    "/language_model",
    "/neuron",
    "/neuron?ask=sum",
    "/neuron?present=1",
    "/neuron?tour=1",
    "/networks",
    "/descent",
    "/vectors",
    "/vectors?see=Methods&wv_epochs=1&wv_dim=8",
    "/seq2seq",
    "/seq2seq?ask=attends",
    "/transformer",
    "/transformer?tf_at=b1.q%5B2%2C+3%5D",
    "/transformer?tf_model=encoder_decoder&tf_text=the+big+dogs+see+a+cat",
    "/results",
    "/results?re_table=co2&re_x=rows&re_y=co2&re_chosen=8&re_with=4",
    "/results?ask=frontier",
    "/contextual",
    "/transfer",
    "/transfer?tr_task=roles&tr_network=bilm&tr_frozen=3",
    "/transfer?ask=scratch",
    "/contextual?ct_layer=0",
    "/contextual?ask=static",
    "/backprop",
    "/backprop?at=-1",
    "/backprop?ask=step2",
    "/rnn",
    "/heads",
    "/heads?ask=most",
    "/training",
    "/training?ask=untrained",
    "/feedforward",
    "/feedforward?ask=winner",
    "/lstm",
    "/attention",
    "/attention?see=Step+by+step&attention_mode=matrix&attention_mask=causal",
    "/attention?ask=weight&attention_mask=causal",
    "/attention?present=1",
    "/tokens",
    "/tokens?ask=pieces",
    "/masking",
    "/masking?see=Leakage",
    "/masking?see=Train+without+it",
    "/masking?see=Corruption",
    "/masking?see=Corruption&corrupt_seed=4&present=1",
    "/masking?see=10%2C000+words&corrupt_order=fate",
    "/masking?ask=ahead",
    "/bert",
    "/bert?ask=covered",
    "/bert?see=Cloze+game",
    "/bert?see=Cloze+game&game_said=cold",
    "/bert?see=Next+sentence",
    "/bert?see=Train+one",
    "/bert?see=Five+readers",
    "/positions",
    "/positions?ask=plain&positions_causal=true",
    "/generation",
    "/generation?gen_shown=top_k,top_p,min_p&gen_lane=top_p",
    "/generation?ask=best",
    "/generation?present=1",
    "/generation?see=One+token+at+a+time&gen_text=the+animal+didn't+cross+the&gen_seed=1"
    "&gen_forced=gpt~6:247&gen_branch=1&gen_at=6",
)
"""What is opened: each page, and states that show something else."""
NESTED = (
    "/masking?see=Leakage",
    "/masking?see=Train+without+it",
    "/masking?see=Corruption",
    "/bert?see=Next+sentence",
    "/bert?see=Train+one",
    "/bert?see=Five+readers",
)
"""Views that offer further views."""
# Whether the element that axe reports by a path through shadow roots lies in `inside`.
WITHIN = """([path, inside]) => {
    let root = document, node = null;
    for (const step of path.flat()) {
        node = root.querySelector(step);
        root = node?.shadowRoot ?? root;
    }
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
        if (at.matches(inside)) return true;
    }
    return false;
}"""

VIEW = """{include: [document.querySelector(".st-key-view-open")
    ?? document.querySelector(".st-key-stage")]}"""
"""The view on the stage, or the picture."""

# Whether the page, and all that is drawn in it, has the scheme: light or dark.
WORN = """(scheme) => {
    const dark = (colour) => {
        const [r, g, b] = colour.match(/[0-9.]+/g).map(Number);
        return r + g + b < 384;
    };
    const ground = (element) => {
        const spot = element.ownerDocument.createElement("i");
        spot.style.color = "var(--background)";
        element.append(spot);
        const colour = getComputedStyle(spot).color;
        spot.remove();
        return colour;
    };
    const app = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor;
    return [app, ...[...document.querySelectorAll(".stage")].map(ground)].every(
        (colour) => dark(colour) === (scheme === "dark"));
}"""

NARROW = {
    "a phone 360 px wide": {"width": 360, "height": 740},
    "1366 px at 200 %": {"width": 683, "height": 384},
}
SCROLLED = {"runOnly": ["scrollable-region-focusable"]}
"""The rule on regions that scroll, in a small window, and that the keyboard does not reach."""
TOO_WIDE = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const whole = document.scrollingElement.scrollWidth - innerWidth;
    return Math.max(whole, main.scrollWidth - main.clientWidth);
}"""

Scheme = Literal["light", "dark"]
met: set[str] = set()
"""Entries of SHELL that occurred, as rule and place."""


class Fault(NamedTuple):
    rule: str
    element: str
    why: str


def faults(visit: Visit, rules: dict[str, list[str]], context: str = "document") -> list[Fault]:
    """Serious and critical violations in `context` that no entry of SHELL explains."""
    found = []
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE_SCRIPT)
    # Nothing is preloaded: only a rule about audio and one that is off by default would need it.
    options = {"resultTypes": ["violations"], "preload": False} | rules
    ran = visit.page.evaluate(f"(options) => axe.run({context}, options)", options)
    for violation in ran["violations"]:
        if violation["impact"] not in ("serious", "critical"):
            continue
        for node in violation["nodes"]:
            if not excused(visit, violation["id"], node["target"]):
                found.append(Fault(violation["id"], node["html"], node["failureSummary"]))
    return found


def excused(visit: Visit, rule: str, target: list[str]) -> bool:
    for entry in SHELL:
        if entry.rule == rule and visit.page.evaluate(WITHIN, [target, entry.inside]):
            met.add(f"{entry.rule} {entry.inside}")
            return True
    return False


RULES: dict[Scheme, dict[str, list[str]]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}


def wear(visit: Visit, scheme: Scheme) -> None:
    """Set the system's colour scheme, and wait: Streamlit fades what it replaces, and a half-faded
    element has too little contrast."""
    visit.page.emulate_media(color_scheme=scheme)
    visit.page.wait_for_function(WORN, arg=scheme)
    visit.settle()
    visit.page.wait_for_function("document.getAnimations().length === 0")


def in_small_windows(visit: Visit, part: str) -> dict[str, Any]:
    """Small window → by how many pixels the page scrolls sideways in it, else the regions that the
    keyboard cannot scroll; only the windows where there are any."""
    page = visit.page
    whole, found = page.viewport_size, dict[str, Any]()
    assert whole
    for name, size in NARROW.items():
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        found[name] = page.evaluate(TOO_WIDE) or faults(visit, SCROLLED, part)
    page.set_viewport_size(whole)
    page.evaluate(TWO_FRAMES)
    return {name: wrong for name, wrong in found.items() if wrong}


def views_of(visit: Visit, path: str) -> list[str]:
    """The other views that a page offers; of a view with further views, only these."""
    page, _, query = path.partition("?")
    if query and path not in NESTED:
        return []
    found = offered(visit)
    assert found or page == "/"
    if not query:
        return found
    visit.open(page)
    others = offered(visit, shown=True)
    visit.open(path)
    return [each for each in found if each not in others]


def offered(visit: Visit, *, shown: bool = False) -> list[str]:
    """The names of the views under the picture, if `shown` with that of the current one."""
    row = visit.page.get_by_role("radiogroup", name="Look closer", exact=True)
    options = row.get_by_role("radio").all()
    return [
        each.inner_text()
        for each in options
        if shown or each.get_attribute("aria-checked") == "false"
    ]


PAGES = [f"/{slug}" for slug in SLUGS]
SAMPLE = ["/", *(path for path in PATHS if path.startswith("/neuron")), *PAGES[1::5]]
"""Home, one page in five, and the Neuron page with a question, a beat and a tour."""


@pytest.mark.parametrize("path", sampled(PATHS, SAMPLE))
def test_a_page_opens_with_its_numbers_and_no_view_is_inaccessible_or_too_wide(
    visit: Visit, path: str, walking: bool
) -> None:
    """The sample is the first view: the picture."""
    found: dict[tuple[str, str], list[Fault]] = {}
    small: dict[str, dict[str, Any]] = {}
    if path in WRITTEN:
        check_opened(visit, path)
    else:
        visit.open(path)
    schemes, worn = list(RULES), "light"
    for n, view in enumerate(["", *(views_of(visit, path) if walking else [])]):
        if view:
            if view not in offered(visit):  # it belongs to the page's first picture
                visit.open(path)
            visit.choose("Look closer", view)
        part = VIEW if n else "document"
        small[view] = in_small_windows(visit, part)
        for scheme in schemes:
            if scheme != worn:
                wear(visit, scheme)
                worn = scheme
            found[view, scheme] = faults(visit, RULES[scheme], part)
        schemes.reverse()  # the next view begins in the current scheme
    assert {at: each for at, each in found.items() if each} == {}
    assert {view: each for view, each in small.items() if each} == {}


def test_every_built_page_is_opened_here() -> None:
    assert WRITTEN.keys() == TITLES.keys() <= set(PATHS)


@pytest.mark.parametrize("visit", [{"color_scheme": "dark"}], indirect=True, ids=["dark"])
def test_every_excuse_is_still_needed(visit: Visit) -> None:
    met.clear()
    visit.open("/neuron")
    visit.choose("Look closer", "Code")
    visit.page.locator(".stCode .token").first.wait_for()  # the colours come after the code
    assert faults(visit, {}) == []
    assert met == {f"{entry.rule} {entry.inside}" for entry in SHELL}
