"""The data that threads share in the compute service are accessed only under their lock.

Each access to shared data checks that its thread holds the lock, and every lock lets other threads
run first. So a missing lock is found at the first access, not once in a thousand runs.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace

import pytest
from cachetools import LRUCache

from tests.patience import PLENTY
from ui.compute import executor, shared_results
from ui.compute.executor import Executor, Job
from ui.compute.shared_results import PendingComputation, shared_result, shared_results_by_key

VISITORS = 6
COMPUTED: list[int] = []
"""The argument of every computation."""
TOUCHES = (
    *("__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__len__"),
    *("get", "setdefault", "pop", "clear", "items", "values", "keys", "update"),
)
CHANGES = ("append", "remove", "insert", "pop", "clear", "__setitem__", "__delitem__")


WITHOUT: list[str] = []
"""The accesses without their lock."""


class YieldingLock:
    """A lock that records its thread, and lets other threads run first."""

    def __init__(self) -> None:
        self._lock, self.owner = threading.Lock(), 0

    def __enter__(self) -> None:
        time.sleep(0)
        self._lock.acquire()
        self.owner = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self.owner = 0
        self._lock.release()
        time.sleep(0)

    def check(self, what: str) -> None:
        """Record an access by a thread that does not hold the lock."""
        if self.owner != threading.get_ident():
            WITHOUT.append(what)


def guarded(kind: type, lock: YieldingLock, touches: tuple[str, ...] = TOUCHES) -> type:
    """A dictionary or list class of that kind that checks every access."""

    def checked(name):
        touch = getattr(kind, name)

        def method(self, *given, **named):
            lock.check(f"{kind.__name__}.{name}")
            return touch(self, *given, **named)

        return method

    return type(kind.__name__, (kind,), {n: checked(n) for n in touches if n in dir(kind)})


def guarded_fields(kind: type, lock_of, *names: str):
    """`__setattr__` that checks the lock of some fields, once the object is made."""

    def set_field(self, name, value):
        if name in names and name in self.__dict__:
            lock_of(self).check(f"{kind.__name__}.{name}")
        object.__setattr__(self, name, value)

    return set_field


@pytest.fixture(autouse=True)
def service(monkeypatch):
    """The compute service with checked locks, and two threads."""
    lock = YieldingLock()
    for name, made in {
        "_lock": lock,
        "_pending": guarded(dict, lock)(),
        "_results": guarded(dict, lock)(),
        "LRUCache": guarded(LRUCache, lock),
    }.items():
        monkeypatch.setattr(shared_results, name, made)
    waiting = guarded_fields(PendingComputation, lambda _: lock, "waiting")
    monkeypatch.setattr(PendingComputation, "__setattr__", waiting)
    checked = SimpleNamespace(Lock=YieldingLock, get_ident=threading.get_ident)
    monkeypatch.setattr(executor, "threading", checked)
    fields = guarded_fields(Job, lambda job: job._lock, "_thread", "_told")
    monkeypatch.setattr(Job, "__setattr__", fields)
    made = Executor(threads=2, queue=100, seconds=PLENTY)
    # Only changes: the number of waiting jobs is read without the lock, from a copy.
    made._jobs = guarded(list, made._lock, CHANGES)()
    monkeypatch.setattr(shared_results, "shared_executor", lambda: made)
    monkeypatch.setattr(shared_results.process_pool, "call_in_process", lambda make: make())
    COMPUTED.clear()
    WITHOUT.clear()
    yield made
    made.close()
    assert WITHOUT == []


def compute(n: int) -> int:
    COMPUTED.append(n)
    return n * n


def together(asks):
    """The results for visitors who ask at the same moment, each in a thread."""
    gate = threading.Barrier(len(asks))

    def at_once(ask):
        gate.wait(PLENTY)
        return ask()

    with ThreadPoolExecutor(len(asks)) as threads:
        return [each.result(PLENTY) for each in [threads.submit(at_once, ask) for ask in asks]]


def flights():
    with shared_results._lock:
        return dict(shared_results._pending)


@pytest.mark.parametrize("n", range(8))
def test_visitors_who_ask_at_once_get_one_computation(n):
    ask = partial(shared_result, "squares", partial(compute, n), most=4)
    assert together([ask] * VISITORS) == [n * n] * VISITORS
    assert [n] == COMPUTED
    assert flights() == {}


@pytest.mark.parametrize("n", range(8))
def test_who_leaves_takes_the_result_from_nobody_who_waits(n):
    at, make = ("squares", n), partial(compute, n)

    def stay():
        flight = shared_results._join(at, make)
        try:
            return flight.job.future.result(PLENTY)
        finally:
            shared_results._leave(at, flight)

    def leave():
        shared_results._leave(at, shared_results._join(at, make))
        return n * n

    assert together([stay, leave] * (VISITORS // 2)) == [n * n] * VISITORS
    assert flights() == {}


def test_visitors_who_ask_for_several_at_once_get_each():
    wanted = {n: partial(compute, n) for n in range(4)}
    ask = partial(shared_results_by_key, "squares", wanted, most=9)
    assert together([ask] * VISITORS) == [{n: n * n for n in range(4)}] * VISITORS
    assert flights() == {}
    shared_results.clear_results()
    assert shared_results.result_counts() == {}


def test_no_more_results_are_kept_than_there_may_be():
    asks = [partial(shared_result, "few", partial(compute, n), most=3) for n in range(VISITORS)]
    assert together(asks) == [n * n for n in range(VISITORS)]
    assert shared_results.result_counts() == {"few": 3}


def test_jobs_that_are_ended_while_they_begin_are_over_and_no_other_is(service):
    ended, kept = ([service.submit(partial(compute, n)) for n in range(20)] for _ in range(2))
    together([partial(job.end) for job in ended])
    assert [job.future.result(PLENTY) for job in kept] == [n * n for n in range(20)]
    with service._lock:
        assert [job for job in service._jobs if not job.future.done()] == []
