"""The parts of `benchmarks.classroom`; each runs on servers of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from benchmarks import acts, crowd, lecturing, tables
from benchmarks.crowd import ALL, STAR, Habits, Log
from benchmarks.servers import Server, app, plain_page, stolen
from benchmarks.student import Answer, Student, Trouble

MOVES = 40
"""Acts per page when their cost is measured."""
SETTLES = 0.01
"""Seconds in which the server finishes its work after an answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the command line; with a count of 0, each part has its own default."""

    seconds: float
    count: int = 0
    think: float = 4.0
    every_page: bool = False
    urls: tuple[str, ...] = ()
    quick: bool = False
    pages: tuple[str, ...] = ()
    """The pages whose cost is measured; empty: all."""
    moves: int = MOVES

    def habits(self, **more: Any) -> Habits:
        pages = ALL if self.every_page else STAR
        return Habits(pages=pages, think=self.think, ramp=5.0 if self.quick else 20.0, **more)

    def students(self, usual: int) -> int:
        return self.count or usual


@dataclass(frozen=True, slots=True)
class Used:
    """The resources that a class used."""

    seconds: float
    server: float
    workers: float
    own: float
    stolen: float
    grown: float

    def said(self, log: Log, count: int) -> None:
        reruns = max(len(log.samples), 1)
        late = tables.Spread.of(max(each, 0.0) for each in log.late)
        print(f"{reruns} reruns in {self.seconds:.0f} s, {reruns / self.seconds:.1f} a second")
        print(f"server {100 * self.server / self.seconds:.0f} % of a core, ", end="")
        print(f"{1000 * self.server / reruns:.1f} ms a rerun; ", end="")
        print(f"training {100 * self.workers / self.seconds:.0f} %; ", end="")
        print(f"the class itself {100 * self.own / self.seconds:.0f} %, ", end="")
        print(f"late by {late.p50:.0f} ms (p95 {late.p95:.0f}); ", end="")
        print(
            f"kept from this machine by others {100 * self.stolen / self.seconds:.0f} % of a core"
        )
        print(f"memory: {self.grown / count:.1f} MB a session ({count} sessions)\n", flush=True)


def measured(servers: Sequence[Server], doing: Coroutine[Any, Any, Log]) -> tuple[Log, Used]:
    """Run a class, and measure the resources that it uses."""

    def now() -> tuple[float, ...]:
        each = [(s.cpu(), s.workers(), s.resident()) for s in servers]
        total = (sum(part) for part in zip(*each, strict=True)) if each else (0.0, 0.0, 0.0)
        server, workers, resident = total
        return time.perf_counter(), server, workers, crowd.own_cpu(), stolen(), resident

    before = now()
    log = asyncio.run(doing)
    return log, Used(*(b - a for a, b in zip(before, now(), strict=True)))


def warm(url: str, pages: Sequence[str]) -> None:
    """Open every page once, so that what is loaded only once is loaded."""

    async def look() -> None:
        student, log = Student(url), Log()
        await student.open(pages[0])
        for page in pages[1:]:
            await crowd.turn(student, page, log)
        student.close()

    asyncio.run(look())


def title(text: str) -> None:
    print(f"\n## {text}\n", flush=True)


def start(asked: Asked) -> None:
    title("Start")
    for _ in range(1 if asked.quick else 3):
        with app() as server:
            begun = time.perf_counter()
            warm(server.url, ("",))
            page = time.perf_counter() - begun
            print(f"ready after {server.ready:.2f} s; Home {page:.2f} s later (target 6 s)")


@contextmanager
def in_class(asked: Asked, count: int = 1) -> Iterator[tuple[list[str], list[Server]]]:
    """The servers of the command line, or else `count` of our own, warmed up."""
    if asked.urls:
        yield list(asked.urls), []
        return
    with ExitStack() as open_now:
        servers = [open_now.enter_context(app()) for _ in range(count)]
        for server in servers:
            warm(server.url, asked.habits().pages)
        yield [server.url for server in servers], servers


def report(what: str, log: Log, used: Used, count: int) -> tables.Spread:
    title(what)
    tables.latencies(log)
    used.said(log, count)
    tables.slowest(log)
    tables.errors(log)
    return tables.spread(log.samples, "act")


def day(asked: Asked) -> None:
    count, habits = asked.students(100), asked.habits()
    with in_class(asked) as (urls, servers):
        log, used = measured(servers, crowd.lesson(urls, count, asked.seconds, habits))
    ours = report(f"{count} students, no training", log, used, count)
    print(f"p50 {ours.p50:.0f} ms (target 60), p95 {ours.p95:.0f} ms (target 250)\n")
    with plain_page() as server:
        warm(server.url, ("",))
        seconds = min(asked.seconds, 60.0)
        alone = replace(habits, pages=("",))
        log, used = measured([server], crowd.lesson([server.url], count, seconds, alone))
    plain = report(f"{count} students on a plain page", log, used, count)
    print(f"p50 {ours.p50 / plain.p50:.2f} × the plain page's {plain.p50:.0f} ms, ", end="")
    print(f"p95 {ours.p95 / plain.p95:.2f} × its {plain.p95:.0f} ms\n", flush=True)


def training(asked: Asked) -> None:
    count, habits = asked.students(100), asked.habits()
    p95 = []
    for beside in (False, True):
        with in_class(asked) as (urls, servers):
            doing = crowd.lesson(urls, count, asked.seconds, habits)
            if beside:
                doing = lecturing.beside_a_run(urls[0], doing)
            log, used = measured(servers, doing)
        what = f"{count} students, {'one run beside them' if beside else 'no run'}"
        p95.append(report(what, log, used, count).p95)
    print(f"p95 {p95[1]:.0f} ms, {p95[1] / p95[0]:.2f} × that without a run (target 1.5 ×)\n")


def replicas(asked: Asked) -> None:
    count, habits = asked.students(300), asked.habits()
    with in_class(asked, 2) as (urls, servers):
        log, used = measured(servers, crowd.lesson(urls, count, asked.seconds, habits))
        found = report(f"{count} students, two replicas", log, used, count)
        print(f"p95 {found.p95:.0f} ms (target 600)\n")
    rates = []
    for many in (1, 2):
        with in_class(replace(asked, urls=()), many) as (urls, servers):
            rates.append(saturated(urls, servers, min(asked.seconds, 60.0), habits))
    print(f"two replicas carry {rates[1] / rates[0]:.2f} × what one does (target 1.7 ×)\n")


def saturated(
    urls: Sequence[str], servers: Sequence[Server], seconds: float, habits: Habits
) -> float:
    """Acts per second when students do not pause: a dozen students keep each server busy."""
    eager = replace(habits, think=1e-3, ramp=2.0)
    count = 12 * len(urls)
    log, used = measured(servers, crowd.lesson(urls, count, seconds, eager))
    title(f"{len(urls)} at the limit")
    used.said(log, count)
    tables.errors(log)
    return len(log.samples) / used.seconds


def lecture(asked: Asked) -> None:
    count = asked.students(100)
    for preset in lecturing.PRESETS:
        with in_class(asked) as (urls, servers):
            log, used = measured(servers, lecturing.everybody_starts(urls, count, preset))
        title(f"The lecture's moment: {count} open “{preset}” for the first time and press Start")
        lecturing.said(log)
        used.said(log, count)
        tables.errors(log)


def memory(asked: Asked) -> None:
    count = asked.students(60)
    seconds = asked.seconds if asked.quick else max(asked.seconds, 1800.0)
    habits = replace(asked.habits(visit=25.0), think=0.4)
    looks: list[tuple[int, float]] = []

    async def watched(url: str, server: Server) -> Log:
        async def look(log: Log) -> None:
            while True:
                await asyncio.sleep(seconds / 120)
                looks.append((log.visits, server.resident()))

        return await crowd.lesson([url], count, seconds, habits, beside=look)

    with in_class(replace(asked, urls=())) as (urls, servers):
        log, used = measured(servers, watched(urls[0], servers[0]))
    title(f"Memory: {count} seats, a move every 0.4 s, students come and go")
    used.said(log, count)
    tables.levels_off(looks)
    tables.errors(log)


def pages(asked: Asked) -> None:
    """One student at a time: the server's processor time does not depend on other processes."""
    title("What a page costs")
    costs = list[Cost]()
    with in_class(replace(asked, urls=(), every_page=True)) as (urls, servers):
        for page in asked.pages or ALL:
            costs.append(asyncio.run(cost(urls[0], servers[0], page, asked.moves)))
            print(f"  /{page}", flush=True)
    act = ["act: CPU ms, median", "mean", "p95", "KB", "messages", "p50 ms", "max ms"]
    head = ["page", "open: CPU ms", "KB", "its processes, ms an act", "acts", *act]
    costs.sort(key=lambda each: -tables.Spread.of(each.used()).p50)
    tables.table(head, [each.row() for each in costs])
    tables.table(["page", "act", "acts", *act], [row for each in costs for row in each.by_sort()])


@dataclass(frozen=True, slots=True)
class Move:
    """One act: the sort of control, the server's processor time, and the answer."""

    sort: str
    used: float
    answer: Answer


@dataclass(frozen=True, slots=True)
class Cost:
    """What a page costs: seconds and bytes of opening it, and each act on it."""

    page: str
    opening: float
    opened: int
    beside: float
    """Processor seconds of the worker processes, which the server's own time does not include."""
    moves: Sequence[Move]

    def used(self) -> list[float]:
        return [move.used for move in self.moves]

    def row(self) -> list[str]:
        opening = [f"{1000 * self.opening:.0f}", f"{self.opened / 1000:.0f}"]
        beside = f"{1000 * self.beside / max(len(self.moves), 1):.0f}"
        return [f"`/{self.page}`", *opening, beside, *cost_cells(self.moves)]

    def by_sort(self) -> list[list[str]]:
        sorts = sorted({move.sort for move in self.moves})
        return [
            [f"`/{self.page}`", sort, *cost_cells([m for m in self.moves if m.sort == sort])]
            for sort in sorts
        ]


def cost_cells(moves: Sequence[Move]) -> list[str]:
    """The number of acts; per act its processor time, bytes, messages and wait."""
    count = max(len(moves), 1)
    used = tables.Spread.of(move.used for move in moves)
    mean = 1000 * sum(move.used for move in moves) / count
    size = sum(move.answer.size for move in moves) / count / 1000
    messages = sum(move.answer.messages for move in moves) / count
    wait = tables.Spread.of(move.answer.seconds for move in moves)
    times = [f"{each:.1f}" for each in (used.p50, mean, used.p95)]
    return [str(len(moves)), *times] + [
        f"{each:.0f}" for each in (size, messages, wait.p50, wait.most)
    ]


async def cost(url: str, server: Server, page: str, moves: int) -> Cost:
    rng, done, opened = Random(page), list[Move](), []
    before = server.cpu()
    for _ in range(5):
        student = Student(url)
        opened.append(await student.open(page))
        if len(opened) < 5:
            student.close()
    opening, workers = (server.cpu() - before) / 5, server.workers()
    for _ in range(moves):
        act = acts.choose(student, rng)
        if act is None:
            continue
        before = server.cpu()
        try:
            answer = await student.act(act)
        except Trouble as error:
            print(f"  /{page}: {crowd.name_of(act)}: {error}")
            await crowd.recover(student, Log(), rng)
            continue
        await asyncio.sleep(SETTLES)
        done.append(Move(act.sort, server.cpu() - before, answer))
    student.close()
    return Cost(page, opening, opened[-1].size, server.workers() - workers, done)
