"""Checks that the students of `benchmarks.classroom` send what a browser sends.

    python -m benchmarks.truth [page …]

On each page Chromium and a student do the same: open it, press a slider's arrow key, open another
view, press another pill, turn to another page. The messages must be the same, except that of cached
messages only the number is compared, not the hashes. Then the student makes MOVES random moves, and
each must end in a page without an error.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable
from random import Random

from playwright.async_api import Page, WebSocket, async_playwright

from benchmarks import acts, crowd, hands
from benchmarks.crowd import ALL
from benchmarks.mounting import Mounted
from benchmarks.servers import app
from benchmarks.student import Student, Trouble
from benchmarks.wire import Dropped
from tests.browser.serving import FLAGS, NAMES
from ui import contents
from ui.streamlit_internals.messages import BackMsg, ClientState

MOVES = 60
"""Random moves per page."""
REST = 1500
"""Milliseconds in which a page settles."""


async def main(pages: list[str]) -> None:
    path = next(found for name in NAMES if (found := shutil.which(name)))
    wrong = 0
    with app() as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
            for page in pages:
                wrong += await same(await browser.new_page(), Student(server.url), page)
            await browser.close()
        for page in pages:
            wrong += await moves(Student(server.url), page)
    print(f"\n{wrong} differences and errors")
    sys.exit(bool(wrong))


async def same(browser: Page, student: Student, page: str) -> int:
    """Do the same in both, and print the differences; returns their number."""
    said: list[ClientState] = []

    def sent(data: bytes | str) -> None:
        assert isinstance(data, bytes)
        said.append(BackMsg.FromString(data).rerun_script)

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", sent)

    browser.on("websocket", watch)
    await browser.set_viewport_size({"width": 1400, "height": 900})
    await browser.goto(f"{student.url}/{page}")
    await browser.wait_for_selector(".st-key-menu")
    await browser.wait_for_timeout(2 * REST)
    await student.open(page)
    found = compare(page, "open", said, student)
    for name, step in STEPS.items():
        said.clear()
        try:
            if not await step(browser, student):
                continue
        except Trouble as error:
            print(f"/{page}, {name}: {error}")
            found += 1
        await browser.wait_for_timeout(REST)
        found += compare(page, name, said, student)
    print(f"/{page}: {found} differences", flush=True)
    student.close()
    await browser.close()
    return found


async def slide(browser: Page, student: Student) -> bool:
    """Press the right arrow key on the first slider that is not at its end."""
    each = next((m for m in acts.movable(student) if acts.sort_of(m) == "sliders"), None)
    first = browser.locator("input[type=range][data-i='0']").first
    if each is None or not await first.count():
        return False
    place = int(await first.evaluate("(range) => Number(range.value)"))
    data = hands.Unpacked(each.element.bytes)
    slider = data.data["sliders"][0]
    positions = data.array(slider["positions"])
    if place + 1 >= len(positions):
        return False
    await first.focus()
    await browser.keyboard.press("ArrowRight")
    value = {"name": slider["name"], "typed": hands.plain(float(positions[place + 1]))}
    await student.act(acts.reported(each, "settled", value))
    return True


async def view(browser: Page, student: Student) -> bool:
    """Open the second of the views below the picture."""
    return await press(browser, student, lambda m: acts.sort_of(m) == "view", 1)


async def pill(browser: Page, student: Student) -> bool:
    """Press the last pill of the first choice that is not the presets."""
    return await press(browser, student, lambda m: m.kind == "button_group" and single(m), -1)


def single(each: Mounted) -> bool:
    sort = acts.sort_of(each)
    return sort == "choice" and each.element.click_mode == each.element.SINGLE_SELECT


async def press(
    browser: Page, student: Student, wanted: Callable[[Mounted], bool], place: int
) -> bool:
    each = next((m for m in acts.movable(student) if wanted(m)), None)
    if each is None or not each.element.options:
        return False
    names = [option.content for option in each.element.options]
    name = names[place] if place < len(names) else names[-1]
    if name in student.states[each.id].string_array_value.data:
        return False
    group = browser.locator(f".st-key-{each.name.replace('.', '-')}")
    radios = group.get_by_role("radio")
    await radios.nth(names.index(name)).click()
    await student.act(acts.chosen(each, [name]))
    return True


async def turn(browser: Page, student: Student) -> bool:
    """Follow the link to the page on masks, or from there to the first page."""
    target = "neuron" if student.page == "masking" else "masking"
    await browser.get_by_role("button", name="Pages", exact=True).click()
    links = browser.get_by_test_id("stPopoverBody")
    await links.get_by_role("link", name=contents.page(target).title, exact=True).click()
    await crowd.turn(student, target, crowd.Log())
    return True


STEPS = {"slider": slide, "view": view, "pill": pill, "slider again": slide, "turn": turn}


def compare(page: str, what: str, said: list[ClientState], student: Student) -> int:
    """The number of parts of the message that differ; each is printed."""
    ours = student.sent
    if len(said) != 1 or ours is None:
        print(f"/{page}, {what}: the browser sent {len(said)} messages")
        return 1
    pairs = zip(parts(said[0]).items(), parts(ours).values(), strict=True)
    wrong = [(name, theirs, mine) for (name, theirs), mine in pairs if theirs != mine]
    for name, theirs, mine in wrong:
        print(f"/{page}, {what}, {name}:\n  browser {theirs}\n  student {mine}")
    return len(wrong)


def parts(client: ClientState) -> dict[str, object]:
    """The compared parts of a message, by name."""
    states = {each.id: str(each).partition("\n")[2] for each in client.widget_states.widgets}
    return {
        "query": client.query_string,
        "states": states,
        "script": client.page_script_hash,
        "page": client.page_name,
        "fragment": client.fragment_id,
        "known messages": len(client.cached_message_hashes),
        "context": str(client.context_info),
    }


async def moves(student: Student, page: str) -> int:
    """Make random moves; returns the number of errors."""
    rng, log = Random(page), crowd.Log()
    await student.open(page)
    for _ in range(MOVES):
        act = acts.choose(student, rng, dict.fromkeys(acts.WEIGHTS, 1))
        if act is None:
            break
        try:
            if not await crowd.logged(log, page, "act", crowd.name_of(act), student.act(act)):
                await crowd.recover(student, log, rng)
        except Dropped as error:
            log.errors.append(f"/{page}, {crowd.name_of(act)}: dropped: {error}")
            break
    student.close()
    for each in log.errors:
        print(each[:240])
    print(f"/{page}: {len(log.samples)} moves, {len(log.errors)} errors", flush=True)
    return len(log.errors)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or list(ALL)))
