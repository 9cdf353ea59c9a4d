"""The load of a lecture on the server: all students open one link and start training at once."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import time
from collections.abc import Coroutine, Sequence
from random import Random
from typing import Any
from urllib.parse import parse_qs, quote

from benchmarks import tables
from benchmarks.crowd import Log, Sample, lateness, logged
from benchmarks.mounting import written
from benchmarks.student import Act, Answer, Student, Trouble
from benchmarks.wire import Browser, Dropped
from ui.lessons import lesson
from ui.streamlit_internals.messages import WidgetState
from ui.streamlit_internals.static_files import STATIC_FOLDER

WITHIN = 10.0
"""Seconds within which all students open the page and press Start."""
SEEN = 30.0
"""Seconds after which a missing loss is an error."""
PRESETS = ("LSTM on the microworld", "Race: four models")
LONG = "run_steps=2000&hidden=128"
PACKED = b"\x1f\x8b"
GOES_ON = {"queued", "running"}
# Files that the page of a run loads in addition to those that its html names.
LATER = ("BidiComponent", "Button.", "ButtonGroup", "PageLink", "TextInput", "Html", "WidgetLabel")


async def everybody_starts(urls: Sequence[str], count: int, preset: str) -> Log:
    """All students open the link of this preset and press Start, within ten seconds."""
    log, here = Log(), lesson("training")
    found = next(each for each in here.presets if each.label == preset)
    link = written({name: [value] for name, value in here.address(found).items()})
    places = [urls[number % len(urls)] for number in range(count)]
    watch = asyncio.create_task(lateness(log))
    await asyncio.gather(*(_one(url, link, number, log) for number, url in enumerate(places)))
    watch.cancel()
    return log


async def _one(url: str, link: str, number: int, log: Log) -> None:
    rng = Random(number)
    begun = time.perf_counter()
    await asyncio.sleep(rng.uniform(0, 0.7 * WITHIN))
    student = Student(url)
    try:
        came = time.perf_counter()
        files = await fetch_files(student.browser)
        if not await logged(log, "training", "open", "", student.open("training", link)):
            return
        log.samples.append(Sample("training", "there", "", _since(came, files), came))
        await asyncio.sleep(max(rng.uniform(0, WITHIN - (time.perf_counter() - begun)), 0.2))
        pressed = time.perf_counter()
        if await logged(log, "training", "press", "", student.act(button(student, "start"))):
            await asyncio.wait_for(first_loss(student), SEEN)
            log.samples.append(Sample("training", "loss", "", _since(pressed, 0), pressed))
    except (Dropped, Trouble) as error:
        log.errors.append(f"/training: {error}")
    except TimeoutError:
        log.errors.append(f"/training: no loss within {SEEN:.0f} s")
    finally:
        student.close()


def _since(start: float, size: int) -> Answer:
    return Answer(time.perf_counter() - start, 0, size)


async def fetch_files(browser: Browser) -> int:
    """Fetch what a browser with an empty cache loads, over six connections as in browsers."""
    (_, page), *_ = await browser.get("/training")
    if page.startswith(PACKED):
        page = gzip.decompress(page)
    named = re.findall(rb'(?:src|href)="\./(static/[^"]+)"', page)
    names = [f"/{name.decode()}" for name in named]
    for each in sorted((STATIC_FOLDER / "static" / "js").iterdir()):
        if each.name.startswith(LATER):
            names.append(f"/static/js/{each.name}")
    parts = [names[n::6] for n in range(6)]
    found = await asyncio.gather(*(browser.get(*part) for part in parts))
    if bad := [status for part in found for status, _ in part if status != 200]:
        raise Dropped(f"a file of the frontend: status {bad[0]}")
    return sum(len(body) for part in found for _, body in part)


def button(student: Student, name: str) -> Act:
    """A press on the button of that key.

    Raises:
        Trouble: if there is none that can be pressed.
    """
    for each in student.elements.values():
        if each.kind == "button" and each.name == name and not each.element.disabled:
            state = WidgetState(id=each.id, trigger_value=True)
            return Act(name, "", state, each.fragment, "trigger")
    raise Trouble(f"there is no button {name} to press")


def runs_of(student: Student) -> str:
    """The names of the runs on screen, from the address."""
    return (parse_qs(student.query).get("runs") or [""])[0]


async def first_loss(student: Student) -> None:
    """Wait until every run on screen has a loss, on the stream that the picture reads."""
    waiting = set(runs_of(student).split(","))
    path = f"/live/runs?names={quote(','.join(sorted(waiting)))}"
    async for line in student.browser.listen(path):
        if not line.startswith(b"data: "):
            continue
        for name, part in json.loads(line[6:]).items():
            if part.get("losses"):
                waiting.discard(name)
            if part["state"] in ("failed", "gone"):
                raise Trouble(f"the run {part['state']}: {part.get('why', '')}")
        if not waiting:
            return


def said(log: Log) -> None:
    """Print how long students waited for the page and for the first loss."""
    rows = []
    for what, text in (
        ("there", "page there, with all files (target 3 s)"),
        ("open", "of that, the page itself"),
        ("press", "Start: rerun"),
        ("loss", "Start to first loss (target 8 s)"),
    ):
        found = [sample.answer for sample in log.samples if sample.what == what]
        size = f"{found[0].size / 1e6:.1f}" if found else ""
        rows.append([text, *tables.Spread.of(each.seconds for each in found).cells(), size])
    tables.table(["ms", "count", "p50", "p95", "max", "MB each"], rows)


async def beside_a_run(url: str, doing: Coroutine[Any, Any, Log]) -> Log:
    """A lesson during which one student trains one model after another."""
    trainer = asyncio.create_task(_train(url))
    try:
        log = await doing
    finally:
        trainer.cancel()
    if trainer.done() and not trainer.cancelled() and (error := trainer.exception()):
        log.errors.append(f"/training: the run beside: {error}")
    return log


async def _train(url: str) -> None:
    for seed in range(1, 1000):
        student = Student(url)
        try:
            await student.open("training", f"{LONG}&seed={seed}")
            await student.act(button(student, "start"))
            await _over(student.browser, runs_of(student))
        finally:
            student.close()


async def _over(browser: Browser, name: str) -> None:
    async for line in browser.listen(f"/live/runs?names={quote(name)}"):
        if line.startswith(b"data: "):
            states = {part["state"] for part in json.loads(line[6:]).values()}
            if not states & GOES_ON:
                return
