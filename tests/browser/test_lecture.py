"""A lecture in the browser: index, clicker, the speaker's window, overview and search."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

import ui
from lmcore.neuron.neuron import Neuron, trace_neuron
from lmcore.numbers import format_number
from tests.browser.conftest import MOVING, TWO_FRAMES, Visit
from tests.browser.test_views import TOO_WIDE, faults
from ui import contents, lectures
from ui.lectures.files import read_lecture

ALL = [
    slide
    for deck in lectures.lectures().values()
    for slide in deck.slides
    if slide.page and slide.kind == "live"
]
WAY = [slide for slide in lectures.lecture("cmu").slides if slide.page][9:]
"""The slides of CMU's deck that open a page, from the tenth such slide on."""
SATURATED = Neuron((0.3, 0.2, 0.9), (4.0, 4.0, 4.0), 2.0, "sigmoid")
EMPTY = """() => {
  const blank = [];
  const look = () => {
    const parts = [...document.querySelectorAll("[data-testid^=stBidiComponent]")];
    parts.push(...document.querySelectorAll(".standing-picture"));
    const drawn = parts.some((part) => part.shadowRoot?.querySelector(".figure svg *"));
    if (!drawn && !document.querySelector(".st-key-view-open")) blank.push(location.href);
    if (!document.querySelector(".st-key-present")) blank.push(`no stage: ${location.href}`);
    window.lmlLook = requestAnimationFrame(look);
  };
  look();
  window.lmlBlank = blank;
}"""
"""Records, at every frame, the address if no picture and no view, or no stage, is shown."""
SPOT = """() => {
  const view = document.querySelector(".st-key-view")?.parentElement;
  return `${location.href} ${view?.scrollTop}`;
}"""
"""Where a lecture is: its address, and how far its view is scrolled."""


def press(visit: Visit, key: str) -> None:
    visit.page.keyboard.press(key)
    visit.settle()


def turn_to(visit: Visit, key: str, there: dict[str, str]) -> None:
    """Press the key, at most forty times, until the address has `there`; wait for each press."""
    for _ in range(40):
        if there.items() <= visit.query().items():
            return
        before = visit.page.evaluate(SPOT)
        press(visit, key)
        visit.page.wait_for_function(f"(before) => ({SPOT})() !== before", arg=before)
    raise AssertionError(f"{visit.page.url} after forty presses of {key}, not {there}")


def place(visit: Visit) -> tuple[str, str]:
    query = visit.query()
    return query.get("slide", ""), query.get("beat", "")


def test_a_slide_of_the_index_opens_its_view(visit: Visit, walking: bool) -> None:
    """The sample is two slides, a walk one in five."""
    wrong = {}
    for slide in ALL[::5] if walking else ALL[10::140]:
        page = visit.open(f"/lectures?deck={slide.deck}&at={slide.number}")
        card = page.locator(f"#slide-{slide.number}")
        expect(card).to_have_attribute("aria-current", "true")
        expect(card.locator("img")).to_have_js_property("naturalWidth", 512)
        card.click()
        page.wait_for_url(f"**{slide.link()}")
        visit.settle()
        alerts = page.locator(".stAlert").all_inner_texts()
        title = "Language Models, Live"
        if slide.page != lectures.HOME:
            title = contents.page(slide.page).title
        if alerts or page.locator("h1").inner_text() != title:
            wrong[f"{slide.deck} {slide.number}"] = alerts
        if slide.see:
            expect(page.locator(".st-key-view-open, .figure svg").first).to_be_visible()
    assert wrong == {}


@pytest.mark.walk("lectures", alone=True)
def test_a_lecture_of_twenty_slides_runs_by_the_clicker_without_an_empty_frame(
    visit: Visit, walking: bool
) -> None:
    """The frames of the second time count: at first a view may wait for what is computed once.

    `make test` leaves this walk out; a sample of it would be the first six slides.
    """
    first, *others = [slide for slide in WAY if slide.number >= 31][: 21 if walking else 6]
    page = visit.page
    for again in (False, True):
        visit.open(f"/lecture?deck=cmu&at={first.number}&present=1")
        assert place(visit) == (str(first.number), "0")
        page.evaluate(EMPTY)
        for slide in others:
            turn_to(visit, "PageDown", {"slide": str(slide.number)})
            assert place(visit) == (str(slide.number), "0")
            assert page.locator(".stAlert").count() == 0
            if again:
                expect(page.locator(".lecture .slide-heading").first).to_have_text(slide.heading)
                visit.page.evaluate(TWO_FRAMES)
    assert page.evaluate("window.lmlBlank") == []
    page.evaluate("cancelAnimationFrame(window.lmlLook)")


@pytest.mark.walk("lectures", alone=True)
def test_a_view_that_is_taller_than_the_screen_is_scrolled_before_the_next_slide(
    visit: Visit,
) -> None:
    page = visit.page
    page.set_viewport_size({"width": 1366, "height": 768})
    visit.open("/lecture?deck=uw&at=29&present=1")
    view = page.locator(".st-key-view").locator("..")
    figure = page.locator("[class*=st-key-figure-]")
    press(visit, "PageDown")
    assert place(visit) == ("29", "0")
    assert view.evaluate("view => view.scrollTop") > 0
    top, bottom = figure.evaluate("each => [each.offsetTop, each.offsetTop + each.offsetHeight]")
    read = view.evaluate("view => [view.scrollTop, view.scrollTop + view.clientHeight]")
    assert read[0] <= top and bottom <= read[1], "the figure is whole"
    press(visit, "PageUp")
    assert view.evaluate("view => view.scrollTop") == 0
    turn_to(visit, "PageDown", {"slide": "30"})
    turn_to(visit, "PageUp", {"slide": "29"})


def test_the_clicker_turns_the_beats_of_a_slide_and_goes_back_to_the_last(visit: Visit) -> None:
    slide = next(each for each in lectures.lecture("cmu").slides if len(each.beats) > 1)
    after = lectures.lecture("cmu").onward(slide.number)
    assert after
    visit.open(f"/lecture?deck=cmu&at={slide.number}&present=1")
    seen = [place(visit)]
    for _ in (*slide.beats, 0):
        press(visit, "PageDown")
        seen.append(place(visit))
    here = str(slide.number)
    wanted = [(here, str(beat)) for beat in (0, *slide.beats)]
    assert seen == [*wanted, (str(after.number), "0")]
    back = []
    for _ in wanted:
        press(visit, "PageUp")
        back.append(place(visit))
    assert back == wanted[::-1]


def test_a_slide_opens_as_it_is_whatever_was_moved_before(visit: Visit) -> None:
    visit.open("/lecture?deck=cmu&at=5&present=1")
    visit.type("weight w1", "3")
    press(visit, "PageDown")
    turn_to(visit, "PageDown", {"slide": "13"})
    turn_to(visit, "PageUp", {"slide": "5"})
    turn_to(visit, "PageUp", {"slide": "5", "beat": "0"})
    expect(visit.typed("weight w1")).to_have_value("0.1")


def test_the_overview_goes_to_a_slide_by_number_or_word_and_escape_keeps_the_place(
    visit: Visit,
) -> None:
    page = visit.open("/lecture?deck=cmu&at=5&present=1")
    page.keyboard.press("g")
    field = page.get_by_role("textbox", name="Go to a slide by number or word")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    assert place(visit) == ("5", "0")
    page.keyboard.press("g")
    page.keyboard.type("37")
    page.keyboard.press("Enter")
    visit.until_address(slide="37", present="1")
    visit.settle()
    page.keyboard.press("g")
    page.keyboard.type("replacing the bias")
    page.keyboard.press("Enter")
    visit.until_address(slide="19")
    visit.settle()
    expect(page.locator("h1")).to_have_text("Sigmoid neuron calculator")
    page.keyboard.press("g")
    page.keyboard.type("29")
    expect(
        page.get_by_text("Slide 29 has no view. The next slide that has one is 30.")
    ).to_be_visible()
    field.fill("beam")
    expect(page.get_by_text("No slide of this lecture fits.")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Find")).to_be_focused()
    expect(field).to_be_hidden()


@pytest.mark.parametrize("closed", ["g", "Control+k"])
def test_a_key_right_after_the_one_that_closed_a_dialog_is_the_pages(
    visit: Visit, closed: str
) -> None:
    visit.open("/lecture?deck=cmu&at=5&present=1")
    for key in [closed, "Escape", "g", "3", "7", "Enter"]:
        visit.page.keyboard.press(key)
    visit.until_address(slide="37", present="1")


def test_the_speakers_window_follows_and_turns_the_slides(visit: Visit) -> None:
    there = lectures.lecture("cmu")
    page = visit.open("/lecture?deck=cmu&at=5&present=1")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    speaker: Page = opened.value
    expect(speaker.locator("h1")).to_have_text(there.slide(5).heading)
    expect(speaker.locator(".notes")).to_have_text(there.slide(5).notes)
    first = ui.lesson("neuron").beats[0].say.replace("*", "")
    expect(speaker.locator(".next")).to_have_text(f"Beat 1 / 1: {first}")
    speaker.get_by_role("button", name="Next").click()
    expect(speaker.locator(".said")).to_have_text(first)
    expect(speaker.locator(".next")).to_have_text(f"6 {there.slide(6).heading}")
    expect(speaker.locator("img")).to_be_visible()
    page.wait_for_timeout(1100)
    assert page.get_by_role("timer").inner_text() != "0:00"
    speaker.get_by_role("button", name="Restart the timer").click()
    expect(page.get_by_role("timer")).to_have_text("0:00")
    for _ in range(12):  # the slide's beats come first
        visit.settle()
        if visit.query()["slide"] != "5":
            break
        speaker.keyboard.press("PageDown")
        page.wait_for_timeout(100)
    assert visit.query()["slide"] != "5"
    visit.settle()
    heading = there.slide(int(visit.query()["slide"])).heading
    expect(speaker.locator("h1")).to_have_text(heading)
    with speaker.expect_event("close"), page.expect_popup() as newer:
        page.keyboard.press("n")
    newest: Page = newer.value
    expect(newest.locator("h1")).to_have_text(heading)
    for window, on, off in ((newest, "b", "."), (page, ".", "b")):  # the same keys in both windows
        window.keyboard.press(on)
        expect(page.locator("html.blank")).to_be_attached()
        window.keyboard.press(off)
        expect(page.locator("html.blank")).not_to_be_attached()
    newest.keyboard.press("g")
    expect(page.get_by_role("dialog")).to_be_visible()
    newest.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    newest.keyboard.press("Escape")
    page.wait_for_url(lambda url: "present" not in url)


@pytest.mark.walk("lectures", alone=True)
def test_a_lecture_is_left_and_gone_on_with_at_the_desk(visit: Visit) -> None:
    page = visit.open("/lecture?deck=cmu&at=5&present=1")
    press(visit, "Escape")
    assert visit.query() == {"deck": "cmu", "slide": "5"}
    page.get_by_role("link", name="The next slide").click()
    visit.until_address(slide="6")
    visit.settle()
    press(visit, "p")
    visit.until_address(slide="6", present="1", beat="0")


@pytest.mark.walk("lectures", alone=True)
def test_back_leads_to_the_index_that_a_slide_was_opened_from(visit: Visit) -> None:
    page = visit.open("/lectures?deck=uw")
    slide = next(each for each in lectures.lecture("uw").slides if each.page)
    page.locator(f"#slide-{slide.number}").click()
    page.wait_for_url(f"**{slide.link()}")
    visit.settle()
    page.go_back()
    expect(page.locator("h1")).to_contain_text("UW LING575")


@pytest.mark.walk("lectures", alone=True)
def test_a_slide_by_its_number_leaves_no_way_back_into_itself(visit: Visit) -> None:
    page = visit.open("/lectures")
    page.goto(f"{visit.address}/lecture?deck=cmu&at=5")
    visit.until_address(deck="cmu", slide="5")
    visit.settle()
    page.go_back()
    expect(page.locator("h1")).to_contain_text("CMU 11-411")


def test_the_search_finds_a_slide_and_opens_it(visit: Visit) -> None:
    page = visit.open("/")
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox")
    expect(field).to_be_focused()
    page.keyboard.type("saturated neuron")
    expect(page.get_by_role("option").first).to_be_visible()
    expect(page.get_by_role("option", selected=True)).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Sigmoid neuron calculator")
    visit.settle()


def test_enter_in_the_search_opens_a_hit_for_the_whole_text(visit: Visit) -> None:
    """Pressed while the hits for the first letters are still shown."""
    page = visit.open("/")
    held: list[Route] = []
    page.route(re.compile("words=saturated(%20|[+])neuron$"), lambda route: held.append(route))
    page.keyboard.press("Control+k")
    page.keyboard.type("saturated")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.type(" neuron")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    expect(page.get_by_role("combobox")).to_be_visible()
    held[0].continue_()
    expect(page.locator("h1")).to_have_text("Sigmoid neuron calculator")
    visit.settle()


@pytest.mark.walk("lectures", alone=True)
def test_what_is_typed_in_the_search_turns_no_key_of_the_page(visit: Visit) -> None:
    page = visit.open("/lecture?deck=cmu&at=5&present=1")
    page.keyboard.press("Control+k")
    page.keyboard.type("bcgnpq ffn")
    assert page.evaluate("document.documentElement.className") == ""
    page.keyboard.press("Escape")
    assert place(visit) == ("5", "0")


@pytest.mark.walk("lectures", alone=True)
def test_a_code_of_the_view_is_drawn(visit: Visit) -> None:
    page = visit.open("/lecture?deck=cmu&at=5&present=1")
    page.keyboard.press("q")
    code = page.get_by_alt_text("QR code of the address below")
    expect(code).to_be_visible()
    page.wait_for_function(
        "(image) => image.complete && image.naturalWidth > 0", arg=code.element_handle()
    )
    expect(page.locator("dialog .address")).to_have_text(f"{visit.address}/neuron?deck=cmu&slide=5")
    page.goto("about:blank")
    own = "x" * 1200
    page = visit.open(
        f"/tokens?deck=cmu&slide=90&present=1&beat=0&tokens_source=own&tokens_own={own}"
    )
    page.keyboard.press("q")
    expect(page.get_by_text("This address is too long for a QR code.")).to_be_visible()
    visit.complaints = [each for each in visit.complaints if "400" not in each]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("key", ["", "g", "Control+k"], ids=["strip", "overview", "search"])
@pytest.mark.walk("lectures", alone=True)
def test_axe_finds_nothing_serious_in_a_lecture(visit: Visit, scheme: str, key: str) -> None:
    visit.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page = visit.open("/lecture?deck=cmu&at=5&present=1")
    if key:
        page.keyboard.press(key)
        page.keyboard.type("ne")
        page.wait_for_timeout(300)
    assert faults(visit, {}) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.walk("lectures", alone=True)
def test_the_index_fits_every_window_and_axe_finds_nothing_serious(
    visit: Visit, scheme: str
) -> None:
    visit.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page = visit.open("/lectures?deck=stonybrook")
    for width, height in ((1366, 768), (390, 844), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(TOO_WIDE) <= 0
        cards = page.locator(".slide-card").all()[:6]
        boxes = [box for card in cards if (box := card.bounding_box())]
        assert all(box["width"] >= 140 and box["height"] >= 60 for box in boxes)
        sizes = page.locator(".slides").evaluate(
            "(root) => [...root.querySelectorAll('*')].filter((n) => n.textContent.trim())"
            ".map((n) => parseFloat(getComputedStyle(n).fontSize))"
        )
        assert min(sizes) >= 13
    assert faults(visit, {}) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.walk("lectures", alone=True)
def test_the_speakers_window_fits_and_axe_finds_nothing_serious(visit: Visit, scheme: str) -> None:
    visit.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page = visit.open("/lecture?deck=cmu&at=5&present=1")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    speaker = Visit(opened.value, visit.address)
    speaker.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    expect(speaker.page.locator(".next")).not_to_be_empty()
    for width, height in ((1366, 768), (390, 844)):
        speaker.page.set_viewport_size({"width": width, "height": height})
        assert speaker.page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
        assert faults(speaker, {}) == []


@MOVING
@pytest.mark.walk("lectures", alone=True)
def test_the_new_slide_takes_the_place_of_the_old_one(visit: Visit) -> None:
    visit.open("/lecture?deck=cmu&at=8&present=1")
    after = lectures.lecture("cmu").onward(8)
    assert after
    visit.page.evaluate(EMPTY)
    turn_to(visit, "PageDown", {"slide": str(after.number)})
    expect(visit.page.locator(".lecture .slide-heading").first).to_have_text(after.heading)
    assert visit.page.evaluate("window.lmlBlank") == []


def add_view(visit: Visit, path: str) -> None:
    """Add a view to the visitor's own lecture, with the button in the Save popover."""
    page = visit.open(path)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Add to my lecture").click()
    expect(page.get_by_role("button", name="Added as slide")).to_be_visible()


PICTURE = "document.querySelector('.part').shadowRoot.querySelector('.figure')"


@pytest.mark.walk("lectures", alone=True)
def test_a_lecture_is_printed_with_questions_and_all_answers_at_the_end(visit: Visit) -> None:
    add_view(visit, "/neuron?w=4%2C+4%2C+4&b=2")
    add_view(visit, "/neuron?see=Step+by+step")
    add_view(visit, "/neuron?w=4%2C+4%2C+4&b=2&deck=cmu&slide=4")
    empty = visit.page.context.new_page()
    empty.goto(f"{visit.address}/live/handout")
    expect(empty.get_by_role("status")).to_contain_text("Nothing to print.")
    empty.close()
    page = visit.open("/lectures?deck=mine")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Print …").click()
    paper = Visit(opened.value, visit.address)
    expect(paper.page.locator("html[data-ready]")).to_be_attached(timeout=60_000)
    assert paper.page.locator("article h2").count() == 3
    question = paper.page.locator("article").first.locator(".question")
    expect(question).to_contain_text("What is z, the sum of all terms and the bias?")
    answer = format_number(trace_neuron(SATURATED).pre_activation.item())
    shown = paper.page.evaluate(f"{PICTURE}.innerText + {PICTURE}.textContent")
    assert "z = ?" in shown and answer not in shown
    end = paper.page.locator(".answers p")
    expect(end).to_have_count(1)
    expect(end.locator("b")).to_have_text(answer)
    expect(paper.page.locator("article").last).to_contain_text("The same view as 1.")
    expect(paper.page.locator(".answers")).to_have_css("break-before", "page")
    for scheme in ("light", "dark"):
        paper.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for width, height in ((1366, 768), (390, 844)):
            paper.page.set_viewport_size({"width": width, "height": height})
            assert paper.page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
            assert faults(paper, {}) == []
    paper.page.emulate_media(media="print")
    expect(paper.page.get_by_role("button", name="Print")).to_be_hidden()
    paper.page.reload()
    expect(paper.page.locator("article h2")).to_have_count(3)


@pytest.mark.parametrize(
    ("path", "views"),
    [("/heads?heads_head=1.1&deck=cmu&slide=71", 1), ("/lectures?deck=encoders", 22)],
)
def test_a_view_and_a_deck_have_a_page_to_print(visit: Visit, path: str, views: int) -> None:
    page = visit.open(path)
    if views == 1:
        page.get_by_role("button", name="Save", exact=True).click()
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Print …").click()
    paper: Page = opened.value
    expect(paper.locator("article h2").first).to_be_visible()
    asked = paper.evaluate("JSON.parse(sessionStorage.getItem('handout')).slides")
    assert len(asked) == views
    assert not [each for each in asked if "slide=" in each["path"]]
    if views == 1:
        expect(paper.locator("html[data-ready]")).to_be_attached(timeout=60_000)
        expect(paper.locator(".wrong")).to_have_count(0)
        paper.wait_for_function("document.querySelector('.part').shadowRoot.querySelector('svg *')")


@pytest.mark.walk("lectures", alone=True)
def test_a_lecture_of_ones_own_is_made_ordered_presented_and_sent(visit: Visit) -> None:
    add_view(visit, "/neuron?w=4%2C+4%2C+4&b=2")
    add_view(visit, "/lstm?see=Step+by+step&deck=cmu&slide=62")
    add_view(visit, "/neuron?w=1%2C+1%2C+1")
    page = visit.open("/lectures?deck=mine")
    headings = page.get_by_role("textbox", name="Heading of slide")
    expect(headings).to_have_count(3)
    expect(headings.first).to_have_value("Sigmoid neuron calculator: Saturated")
    page.get_by_role("button", name="Later: slide 1").click()
    expect(headings.nth(1)).to_have_value("Sigmoid neuron calculator: Saturated")
    expect(page.get_by_role("button", name="Earlier: slide 2")).to_be_focused()
    page.get_by_role("button", name="Remove: slide 3").click()
    expect(headings).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(headings).to_have_count(3)
    headings.first.fill("")
    headings.nth(1).fill('A "flat" end')
    page.get_by_role("textbox", name="Notes of slide 2").fill("Ask first.\nThen drag b.")
    page.get_by_role("checkbox", name="hide the controls").nth(1).check()
    page.get_by_role("textbox", name="Title").fill("Week 3")
    page.keyboard.press("Tab")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    read = read_lecture(saved.value.path().read_text("utf-8"))
    assert saved.value.suggested_filename == "Week 3.toml"
    assert [each.path for each in read.slide] == [
        "/lstm?see=Step+by+step",
        "/neuron?w=4%2C+4%2C+4&b=2",
        "/neuron?w=1%2C+1%2C+1",
    ]
    assert read.slide[1].notes == "Ask first.\nThen drag b." and read.slide[1].hide
    page.get_by_role("link", name="Present", exact=True).click()
    visit.until_address(deck="mine", slide="1", present="1")
    visit.settle()
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    speaker = opened.value
    expect(speaker.get_by_role("heading", level=1)).to_have_text("Slide 1")
    turn_to(visit, "PageDown", {"slide": "2"})
    expect(page.locator(".lecture .slide-heading").first).to_have_text('A "flat" end')
    expect(speaker.get_by_role("heading", level=1)).to_have_text('A "flat" end')
    expect(speaker.locator("img")).to_be_hidden()
    speaker.close()
    expect(page.locator(".st-key-rail")).to_be_hidden()
    assert page.locator(".stAlert").count() == 0
    page.keyboard.press("q")  # students lack this lecture: the QR code leads to the view alone
    expect(page.locator("dialog .address")).to_have_text(
        f"{visit.address}/neuron?w=4%2C+4%2C+4&b=2"
    )
    page.get_by_role("button", name="Close", exact=True).click()
    press(visit, "PageDown")  # the next slide is of the same page, and does not hide the controls
    visit.until_address(slide="3")
    expect(page.locator(".st-key-rail")).to_be_visible()
    press(visit, "PageUp")
    expect(page.locator(".st-key-rail")).to_be_hidden()
    turn_to(visit, "PageUp", {"slide": "1"})
    expect(page.locator(".st-key-rail")).to_be_visible()


@pytest.mark.walk("lectures", alone=True)
def test_a_lecture_that_is_open_in_two_tabs_loses_nothing(visit: Visit) -> None:
    add_view(visit, "/neuron")
    page = visit.open("/lectures?deck=mine")
    notes = page.get_by_role("textbox", name="Notes of slide 1")
    notes.press_sequentially("Ask")
    other = Visit(page.context.new_page(), visit.address)
    add_view(other, "/seq2seq")
    expect(page.get_by_role("textbox", name="Heading of slide")).to_have_count(2)
    expect(notes).to_have_value("Ask")
    expect(notes).to_be_focused()
    other.open("/lectures?deck=mine")
    expect(other.page.get_by_role("textbox", name="Heading of slide")).to_have_count(2)
    expect(other.page.get_by_role("textbox", name="Notes of slide 1")).to_have_value("Ask")


@pytest.mark.walk("lectures", alone=True)
def test_a_link_opens_a_lecture_beside_ones_own(visit: Visit) -> None:
    add_view(visit, "/neuron")
    page = visit.open("/lectures?deck=mine")
    link = page.evaluate(
        """async () => {
          const text = JSON.stringify({ title: "Sent", slides: [
            { heading: "One", path: "/heads", notes: "", hide: false }] });
          const packed = new CompressionStream("deflate-raw");
          const stream = new Blob([text]).stream().pipeThrough(packed);
          const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
          return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
        }"""
    )
    page.goto("about:blank")
    page = visit.open(f"/lectures?deck=mine#{link}")
    expect(page.get_by_role("textbox", name="Title")).to_have_value("Sent")
    assert "#" not in page.url
    page.get_by_role("button", name="Back to mine").click()
    heading = page.get_by_role("textbox", name="Heading of slide 1")
    expect(heading).to_have_value("Sigmoid neuron calculator: CMU slide: A Unit Illustrated")
    page.goto(f"{visit.address}/lectures?deck=mine#{link}")  # in the tab that is open
    expect(page.get_by_role("textbox", name="Title")).to_have_value("Sent")
    page.get_by_role("button", name="Back to mine").click()
    page.goto(f"{visit.address}/lectures?deck=mine#nothing")
    expect(page.get_by_role("status")).to_contain_text("this link holds no lecture")
    expect(heading).to_have_value("Sigmoid neuron calculator: CMU slide: A Unit Illustrated")


@pytest.mark.walk("lectures", alone=True)
def test_a_file_that_is_wrong_is_said_and_the_lecture_stays(visit: Visit) -> None:
    add_view(visit, "/neuron")
    page = visit.open("/lectures?deck=mine")
    chooser = page.locator("input[type=file]")
    bad = b'title = "T"\n[[slide]]\nheading = "A"\npath = "//elsewhere"\n'
    chooser.set_input_files({"name": "w.toml", "mimeType": "text/plain", "buffer": bad})
    expect(page.get_by_role("status")).to_contain_text("w.toml: path of slide 1: must be a page")
    expect(page.get_by_role("textbox", name="Heading of slide 1")).to_be_visible()
    good = bad.replace(b"//elsewhere", b"/heads")
    chooser.set_input_files({"name": "w.toml", "mimeType": "text/plain", "buffer": good})
    expect(page.get_by_role("textbox", name="Heading of slide 1")).to_have_value("A")
    page.get_by_role("button", name="Back to mine").click()
    mine = "Sigmoid neuron calculator: CMU slide: A Unit Illustrated"
    expect(page.get_by_role("textbox", name="Heading of slide 1")).to_have_value(mine)


@pytest.mark.walk("lectures", alone=True)
def test_a_slide_that_the_browser_has_not_is_said(visit: Visit) -> None:
    page = visit.open("/neuron?deck=mine&slide=4&present=1&beat=0")
    expect(page.locator(".lecture .slide-heading").first).to_have_text(
        "Your lecture in this browser has no slide 4"
    )


@pytest.mark.walk("lectures", alone=True)
def test_axe_finds_nothing_serious_on_the_page_of_ones_own_lecture(visit: Visit) -> None:
    add_view(visit, "/neuron")
    page = visit.open("/lectures?deck=mine")
    for width, height in ((1366, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(TOO_WIDE) <= 0
        assert faults(visit, {}) == []


def test_the_titles_of_a_deck_are_matched_and_added(visit: Visit) -> None:
    page = visit.open("/lectures?deck=mine")
    page.get_by_role("button", name="Match my slides").click()
    page.get_by_role("textbox", name="Titles, one a line").fill(
        "LSTMs Address the Vanishing Gradient Problem\nA Unit Illustrated\nLunch"
    )
    page.get_by_role("button", name="Find views").click()
    choices = page.get_by_role("combobox", name="View for slide")
    expect(choices).to_have_count(3)
    expect(choices.last).to_have_value("")  # nothing fits lunch
    expect(page.get_by_text("1 of 3 slides are set to “no view”")).to_be_visible()
    page.get_by_role("button", name="Add these to my lecture").click()
    headings = page.get_by_role("textbox", name="Heading of slide")
    expect(headings).to_have_count(3)
    expect(headings.nth(1)).to_have_value("A Unit Illustrated")
    expect(page.locator(".own-path").nth(1)).to_have_text("/neuron?beats=1")
    expect(page.locator(".own-path").last).to_contain_text("no view")  # "Lunch" keeps its number


@pytest.mark.walk("lectures", alone=True)
def test_a_question_answered_right_is_marked_among_the_goals(visit: Visit) -> None:
    page = visit.open("/?see=Goals")
    page.get_by_role("region", name="LO4").get_by_role("link", name="Question 1").click()
    visit.until_address(ask="sum")
    visit.settle()
    guess = page.get_by_role("spinbutton")
    guess.fill("5")
    guess.press("Enter")
    expect(page.locator(".st-key-asked")).to_contain_text("too large")
    visit.settle()
    page.go_back()
    visit.settle()
    goal = page.get_by_role("region", name="LO4")
    expect(goal.get_by_role("link", name="Question 1, not answered right yet")).to_be_visible()
    expect(goal).to_contain_text("Look again at")
    goal.get_by_role("link", name="Question 1").click()
    visit.until_address(ask="sum")
    visit.settle()
    guess.fill("0.69")
    guess.press("Enter")
    expect(page.locator(".st-key-asked")).to_contain_text("is right")
    visit.settle()
    page.go_back()
    visit.settle()
    expect(goal.get_by_role("link", name="Question 1, answered right")).to_be_visible()
    expect(page.get_by_text("1 of 48 questions answered right")).to_be_visible()
    page.get_by_role("button", name="Start over").last.click()
    expect(goal.get_by_role("link", name="Question 1", exact=True)).to_be_visible()
    assert faults(visit, {}) == []


INKED = """() => {
  const sheet = document.querySelector(".pen-sheet");
  const brush = sheet.getContext("2d");
  return brush.getImageData(0, 0, sheet.width, sheet.height).data.some((each) => each > 0);
}"""
"""Whether anything is drawn with the pen."""


def test_the_pen_draws_over_a_slide_and_the_next_slide_has_no_strokes(visit: Visit) -> None:
    page = visit.open("/lecture?deck=cmu&at=5&present=1")
    page.keyboard.press("d")
    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.move(500, 400, steps=4)
    page.mouse.up()
    assert page.evaluate(INKED)
    page.keyboard.press("Backspace")
    assert not page.evaluate(INKED)
    page.mouse.down()
    page.mouse.move(300, 300)
    page.mouse.up()
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-present")).to_be_visible()
    page.keyboard.press("PageDown")  # a beat of the same slide
    visit.settle()
    assert page.evaluate(INKED)
    turn_to(visit, "PageDown", {"slide": "6"})
    assert not page.evaluate(INKED)


def test_a_lecture_is_warmed_up_from_its_index(visit: Visit) -> None:
    page = visit.open("/lectures?deck=encoders")
    page.get_by_role("button", name="Warm up").click()
    stop = page.get_by_role("button", name=re.compile(r"\d+ of 22 slides are ready\. Stop"))
    stop.click()
    expect(page.get_by_role("button", name="Warm up")).to_be_visible()
