"""Every route, served as for a class: behind the proxy and a passcode, with runs saved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, WebError, expect

from tests.browser.conftest import Visit, of_the_shell, visiting
from tests.browser.lessons.test_training_run import begin, past
from tests.faults.cluster import Cluster, standing
from tests.faults.conftest import PATIENCE, needs_the_proxy
from tests.faults.proxying import until
from tests.faults.test_pages_behind_proxy import TOLD
from tests.faults.test_replicas import host
from ui import runs
from ui.lectures import lectures, routes

pytestmark = pytest.mark.walk("faults", alone=True)

PASSCODE = "gradient descent for all"
OPENED = {
    "/lecture": ("/lecture?deck=cmu&at=5", "h1"),
    "/live/handout": ("/live/handout", "h1 >> text=Hand-out"),
    "/live/handout.js": ("/live/handout.js", "text=sessionStorage"),
    "/live/speaker": ("/live/speaker", "h1 >> text=Speaker"),
    "/live/speaker.js": ("/live/speaker.js", "text=BroadcastChannel"),
    "/live/stills.json": ("/live/stills.json", "text=/neuron"),
    "/live/stills/{name}.webp": (
        f"/live/stills/{lectures()['cmu'].slide(5).still()}.webp",
        "img",
    ),
    "/live/find": ("/live/find?words=saturated%20neuron", "text=/neuron"),
    "/live/code.svg": ("/live/code.svg?of=https://localhost/neuron", "path"),
}
"""Route → an address of it, and a selector for what must be visible there."""
SENT = {
    "/live/lecture.json": "Open",
    "/live/match": "Match my slides",
    "/live/notebook.json": "Notebook (Jupyter)",
    "/live/printed.json": "Print …",
    "/live/runs": "Start training",
    "/live/runs/{name}/{verb}": "Stop",
    "/live/warm": "Warm up",
}
"""Route → the button with which a page requests it."""
VIEWS = {
    "Generation": "/generation",
    "BERT": "/bert",
    "Live training": "/training",
    "Language model": "/language_model",
}
LECTURE = 'title = "Week 3"\n' + "".join(
    f'[[slide]]\nheading = "{heading}"\npath = "{path}"\nnotes = "Ask of {heading}."\n'
    for heading, path in VIEWS.items()
)
DRAWN = """(parts) => parts.map((part) => {
  const drawn = [...part.shadowRoot.querySelectorAll("svg *, canvas")];
  const seen = drawn.filter((each) => each.getBoundingClientRect().width > 1);
  return [seen.length, part.getBoundingClientRect().height];
})"""
"""For each part of a page to print: the number of elements drawn in it, and its height."""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two replicas with a passcode."""
    with standing(tmp_path_factory.mktemp("guarded"), LMCORE_PASSCODE=PASSCODE) as cluster:
        yield cluster


@pytest.fixture
def pupil(browser: Browser, guarded: Cluster) -> Iterator[Visit]:
    """A visitor who has typed the passcode; no window of theirs may have reported an error."""
    options = {"ignore_https_errors": True, "accept_downloads": True}
    with visiting(browser, guarded.proxy.address, options, who="pupil") as tab:
        context = tab.page.context
        heard: list[str] = []

        def console(said: ConsoleMessage) -> None:
            if said.type == "error" and not of_the_shell(said.text, said.location["url"]):
                heard.append(said.text)

        def fault(thrown: WebError) -> None:
            heard.append(str(thrown.error))

        context.on("console", console)
        context.on("weberror", fault)
        tab.page.set_default_timeout(PATIENCE)
        context.add_init_script(TOLD)
        come_in(tab, "/lectures")
        heard.clear()
        yield tab
        context.remove_listener("console", console)
        context.remove_listener("weberror", fault)
        assert heard == []


def come_in(tab: Visit, path: str) -> None:
    """Open `path` and type the passcode, after which the page at `path` is shown."""
    page = tab.page
    page.goto(f"{tab.address}{path}")
    page.get_by_label("Passcode").fill(PASSCODE)
    assert all("status of 401" in said for said in tab.complaints), "the door itself"
    tab.complaints.clear()
    page.keyboard.press("Enter")
    tab.settle()


def test_each_route_is_opened_here() -> None:
    there = {route.path for route in (*runs.ROUTES, *routes.ROUTES)}
    assert there == OPENED.keys() | SENT.keys()


@needs_the_proxy
def test_what_has_a_route_is_drawn_and_the_console_is_silent(pupil: Visit) -> None:
    page = pupil.page
    for address, seen in OPENED.values():
        page.goto(pupil.address + address)
        found = page.locator(seen).first
        expect(found).to_be_visible()
        box = found.bounding_box()
        assert box and box["width"] > 20 and box["height"] > 10, address


@needs_the_proxy
def test_a_lecture_is_warmed_up_until_it_is_stopped(pupil: Visit) -> None:
    page = pupil.open("/lectures?deck=encoders")
    page.get_by_role("button", name=SENT["/live/warm"], exact=True).click()
    page.get_by_role("button", name="slides are ready. Stop").click()
    expect(page.get_by_role("button", name=SENT["/live/warm"], exact=True)).to_be_visible()


@needs_the_proxy
def test_a_lecture_is_presented_with_the_speakers_window_its_code_and_the_search(
    pupil: Visit,
) -> None:
    there = lectures()["cmu"]
    page = pupil.open("/lecture?deck=cmu&at=5&present=1")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    speaker: Page = opened.value
    expect(speaker.locator("h1")).to_have_text(there.slide(5).heading)
    expect(speaker.locator(".notes")).to_have_text(there.slide(5).notes)
    speaker.get_by_role("button", name="Next").click()
    expect(speaker.locator("img")).to_have_js_property("naturalWidth", 512)
    page.keyboard.press("q")
    code = page.get_by_alt_text("QR code of the address below")
    page.wait_for_function("(image) => image.naturalWidth > 0", arg=code.element_handle())
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("saturated neuron")
    expect(page.get_by_role("option").first).to_be_visible()


@needs_the_proxy
def test_a_lecture_of_ones_own_is_read_matched_printed_and_taken_home(pupil: Visit) -> None:
    page = pupil.open("/lectures?deck=mine")
    file = {"name": "w.toml", "mimeType": "text/plain", "buffer": LECTURE.encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(page.get_by_role("textbox", name="Heading of slide")).to_have_count(len(VIEWS))
    with page.expect_download(timeout=180_000) as saved:
        page.get_by_role("button", name="Notebook").click()
    assert saved.value.suggested_filename.endswith(".ipynb")
    assert "lmcore" in saved.value.path().read_text("utf-8")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Print …").click()
    paper: Page = opened.value
    expect(paper.locator("html[data-ready]")).to_be_attached(timeout=180_000)
    expect(paper.locator(".wrong")).to_have_count(0)
    titles = [f"{i}. {heading}" for i, heading in enumerate(VIEWS, start=1)]
    expect(paper.locator("article h2")).to_have_text(titles)
    for article in paper.locator("article").all():
        (drawn, height), *_ = article.locator(".part").evaluate_all(DRAWN)
        assert drawn > 10 and height > 200, article.inner_text()
    page.bring_to_front()
    page.get_by_role("button", name="Match my slides").click()
    page.get_by_role("textbox", name="Titles, one a line").fill("A Unit Illustrated")
    page.get_by_role("button", name="Find views").click()
    expect(page.get_by_role("combobox", name="View for slide")).to_have_count(1)


@needs_the_proxy
def test_a_run_that_is_kept_is_printed_with_its_curve(pupil: Visit) -> None:
    page = begin(pupil)
    past(page, 20)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("stopped", timeout=PATIENCE)
    page.get_by_role("button", name="Save", exact=True).click()
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Print …").click()
    paper: Page = opened.value
    expect(paper.locator("html[data-ready]")).to_be_attached(timeout=180_000)
    expect(paper.locator(".wrong")).to_have_count(0)
    expect(paper.locator(".run .state")).to_have_text("stopped")


@needs_the_proxy
def test_the_passcode_is_typed_once_for_all_replicas(browser: Browser, guarded: Cluster) -> None:
    options = {"ignore_https_errors": True}
    with visiting(browser, guarded.proxy.address, options, who="another pupil") as tab:
        page = tab.page
        with guarded.proxy.websocket() as answer:
            assert answer.status == 403, "no session without it"
        come_in(tab, "/neuron?g=tanh")
        assert tab.query()["g"] == "tanh", "where they wanted to go"
        (pass_,) = (each for each in page.context.cookies() if each["name"] == "lmlive-door")
        assert pass_["secure"] and pass_["httpOnly"] and pass_["sameSite"] == "Lax"

        died = host(guarded.proxy, tab)
        page.goto("about:blank")
        guarded.replicas[died].kill()
        tab.open("/neuron?g=tanh")
        until(lambda: host(guarded.proxy, tab) != died, "another replica")
        expect(page.get_by_label("Passcode")).to_have_count(0)
