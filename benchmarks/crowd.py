"""A class: students who open a page, think, move a control, turn to another page, and leave.

Students act independently. An act is timed from the message that is sent to the end of the script
run, opening from the first request, for the page itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from random import Random
from resource import RUSAGE_SELF, getrusage
from typing import Any

from benchmarks import acts
from benchmarks.student import Act, Answer, Student, Trouble
from benchmarks.wire import Dropped
from ui.contents import PAGES

TURN = 0.1
"""The share of moves that turn to another page."""
STAR = tuple(page.slug for page in PAGES if page.star and page.built)
ALL = tuple(page.slug for page in PAGES if page.built)


@dataclass(frozen=True, slots=True)
class Sample:
    """One rerun: `what` is open, turn or act."""

    page: str
    what: str
    control: str
    answer: Answer
    at: float


@dataclass
class Log:
    """What happened to all students."""

    samples: list[Sample] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    visits: int = 0
    here: int = 0
    late: list[float] = field(default_factory=list)
    """Seconds by which the class itself was late, measured ten times a second."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How a class behaves."""

    pages: Sequence[str] = STAR
    think: float = 4.0
    visit: float = float("inf")
    """Mean number of moves after which a student leaves and another comes."""
    ramp: float = 20.0
    """Seconds within which all students come."""


async def lesson(
    urls: Sequence[str],
    count: int,
    seconds: float,
    habits: Habits,
    *,
    beside: Callable[[Log], Coroutine[Any, Any, None]] | None = None,
    seed: int = 1,
) -> Log:
    """`count` students, spread over `urls`, for `seconds` after the last one has come.

    `beside` runs meanwhile, and ends with the lesson.
    """
    log = Log()
    until = time.perf_counter() + habits.ramp + seconds
    watches = [asyncio.create_task(each(log)) for each in (lateness, beside) if each]
    places = (urls[number % len(urls)] for number in range(count))
    await asyncio.gather(
        *(_seat(url, n, count, until, habits, log, seed) for n, url in enumerate(places))
    )
    for watch in watches:
        watch.cancel()
    return log


async def _seat(
    url: str, number: int, count: int, until: float, habits: Habits, log: Log, seed: int
) -> None:
    """One place in the room, taken by one student after the other."""
    rng = Random(f"{seed} {number}")
    await asyncio.sleep(habits.ramp * number / count)
    while time.perf_counter() < until:
        moves = float("inf")
        if habits.visit < float("inf"):
            moves = 1 + rng.expovariate(1 / habits.visit)
        student = Student(url)
        page = habits.pages[rng.randrange(len(habits.pages))]
        log.here += 1
        try:
            await _visit(student, page, moves, until, habits, log, rng)
        except Dropped as error:
            log.errors.append(f"/{student.page}: dropped: {error}")
            await asyncio.sleep(1)
        finally:
            log.here -= 1
            log.visits += 1
            student.close()


async def _visit(
    student: Student,
    page: str,
    moves: float,
    until: float,
    habits: Habits,
    log: Log,
    rng: Random,
) -> None:
    await logged(log, page, "open", "", student.open(page))
    due = time.perf_counter()
    while moves > 0:
        moves -= 1
        due = max(due + rng.expovariate(1 / habits.think), time.perf_counter())
        if due > until:
            await asyncio.sleep(max(until - time.perf_counter(), 0))
            return
        await asyncio.sleep(due - time.perf_counter())
        turns = len(habits.pages) > 1 and rng.random() < TURN
        act = None if turns else acts.choose(student, rng)
        if act is None:
            await turn(student, rng.choice(habits.pages), log)
        elif not await logged(log, student.page, "act", name_of(act), student.act(act)):
            await recover(student, log, rng)


async def turn(student: Student, page: str, log: Log) -> None:
    """Turn to a page through the link in the menu."""
    found = (each for each in student.elements.values() if each.kind == "page_link")
    link = next((each.element for each in found if each.element.page == page), None)
    if link is None:
        log.errors.append(f"/{student.page}: there is no link to /{page}")
        return
    moved = student.turn(link.page_script_hash, page, link.query_string)
    await logged(log, page, "turn", "", moved)


async def recover(student: Student, log: Log, rng: Random) -> None:
    """After a refusal, open the page's first preset; leave a tour first, as it shows no presets."""
    for each in acts.movable(student):
        if each.name == "present-stop":
            act = acts.act_on(student, each, rng)
            if act:
                await logged(log, student.page, "recover", name_of(act), student.act(act))
    for each in acts.movable(student):
        if acts.sort_of(each) == "preset":
            act = acts.chosen(each, [each.element.options[0].content])
            await logged(log, student.page, "recover", name_of(act), student.act(act))
            return


async def logged(log: Log, page: str, what: str, control: str, doing: Awaitable[Answer]) -> bool:
    """Log the result; False if the student met an error."""
    at = time.perf_counter()
    try:
        answer = await doing
    except Trouble as error:
        if what != "recover":
            log.errors.append(f"/{page}, {what} {control}: {error}")
        return False
    log.samples.append(Sample(page, what, control, answer, at))
    return True


def name_of(act: Act) -> str:
    return f"{act.control} → {act.value[:60]}"


async def lateness(log: Log) -> None:
    """Log ten times a second how late this process is."""
    while True:
        asked = time.perf_counter()
        await asyncio.sleep(0.1)
        log.late.append(time.perf_counter() - asked - 0.1)


def own_cpu() -> float:
    """Seconds of processor time of the class itself."""
    used = getrusage(RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
