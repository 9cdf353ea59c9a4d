"""Shared results under a scheduler that changes threads at every line: where a lock is missing,
two threads meet between any two lines that one of them should have had to itself.
"""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from ui.compute import executor, shared_results
from ui.compute.executor import Executor
from ui.compute.shared_results import shared_result

FILES = {shared_results.__file__, executor.__file__}
VISITORS = 4
PLENTY = 60.0
COMPUTED: list[int] = []
"""The argument of every computation."""


@pytest.fixture(autouse=True)
def yielding(monkeypatch):
    """Threads that change over at every line of the compute service, and two of its own."""
    rng = random.Random(5)

    def at_line(frame, event, _):
        if event == "line" and rng.random() < 0.5:
            time.sleep(0)
        return at_line

    def begin(frame, event, _):
        return at_line if frame.f_code.co_filename in FILES else None

    COMPUTED.clear()
    shared_results.clear_results()
    made = Executor(threads=2, queue=100, seconds=PLENTY)
    monkeypatch.setattr(shared_results, "shared_executor", lambda: made)
    threading.settrace(begin)
    yield
    threading.settrace(None)  # type: ignore[arg-type]
    made.close()
    shared_results.clear_results()


def compute(n: int) -> int:
    COMPUTED.append(n)
    return n * n


def together(asks):
    """What visitors get who ask at the same moment, each in a thread."""
    gate = threading.Barrier(len(asks))

    def at_once(ask):
        gate.wait(PLENTY)
        return ask()

    with ThreadPoolExecutor(len(asks)) as threads:
        return [each.result(PLENTY) for each in [threads.submit(at_once, ask) for ask in asks]]


@pytest.mark.parametrize("n", range(6))
def test_visitors_who_ask_at_once_get_one_computation(n):
    ask = partial(shared_result, "squares", partial(compute, n), most=4)
    assert together([ask] * VISITORS) == [n * n] * VISITORS
    assert [n] == COMPUTED
    assert shared_results._flights == {}


@pytest.mark.parametrize("n", range(6))
def test_who_leaves_takes_the_result_from_nobody_who_waits(n):
    at, make = ("squares", n), partial(compute, n)

    def stay():
        flight = shared_results._join(at, make)
        try:
            return flight.job.future.result(PLENTY)
        finally:
            shared_results._leave(at, flight)

    def leave():
        flight = shared_results._join(at, make)
        shared_results._leave(at, flight)
        return n * n

    assert together([stay, leave] * (VISITORS // 2)) == [n * n] * VISITORS
    assert shared_results._flights == {}


def test_no_more_results_are_kept_than_there_may_be():
    asks = [partial(shared_result, "few", partial(compute, n), most=3) for n in range(VISITORS)]
    assert together(asks) == [n * n for n in range(VISITORS)]
    assert shared_results.result_counts() == {"few": 3}
