"""An executor's limits on threads, queue and seconds; a job that is ended frees its thread."""

import threading
import time
from concurrent.futures import CancelledError

import pytest

from tests.patience import PLENTY
from ui.compute import executor as executors
from ui.compute.executor import (
    ComputationEnded,
    ComputationRefused,
    Executor,
    in_computation_thread,
)


@pytest.fixture
def small():
    made = Executor(threads=1, queue=1, seconds=0.05)
    yield made
    made.close()


def over(executor, job):
    """The result of a job, which must succeed within `PLENTY` seconds."""
    assert job.future.exception(PLENTY) is None
    return job.future.result()


def busy(executor):
    """A job that runs until an event is set, and the event."""
    begun, told = threading.Event(), threading.Event()

    def wait():
        begun.set()
        assert told.wait(PLENTY)
        return "waited"

    job = executor.submit(wait)
    assert begun.wait(PLENTY)
    return job, told


def for_ever():
    while True:
        pass


def test_a_result_and_an_error_come_back(small):
    assert over(small, small.submit(lambda: 3)) == 3
    failed = small.submit(lambda: int("three"))
    assert isinstance(failed.future.exception(PLENTY), ValueError)


def test_more_than_may_wait_are_refused_and_counted(small):
    first, told = busy(small)
    second = small.submit(lambda: 2)
    with pytest.raises(ComputationRefused, match=r"server is busy \(1 waiting\)"):
        small.submit(lambda: 3)
    assert (small.running, small.waiting, small.refused) == (1, 1, 1)
    told.set()
    assert over(small, first) == "waited"
    assert over(small, second) == 2
    assert over(small, small.submit(lambda: 4)) == 4


def test_those_before_a_job_are_counted():
    one = Executor(threads=1, queue=5, seconds=PLENTY)
    _, told = busy(one)
    second, third = one.submit(lambda: 2), one.submit(lambda: 3)
    assert (one.before(second), one.before(third)) == (0, 1)
    told.set()
    over(one, third)
    one.close()


def test_one_that_takes_too_long_is_ended_and_its_thread_goes_on(small):
    job = small.submit(for_ever)
    with pytest.raises(ComputationRefused, match=r"stopped after 0\.05 s, the time limit"):
        while not small.wait(job, 0.02):
            pass
    assert isinstance(job.future.exception(PLENTY), ComputationEnded)
    assert over(small, small.submit(lambda: "next")) == "next"
    assert small.ended == 1


def test_time_in_the_queue_is_not_counted(small):
    first, told = busy(small)
    second = small.submit(lambda: 2)
    started = time.monotonic()
    while time.monotonic() - started < 2 * small.seconds:
        assert not small.wait(second, 0.01)
    told.set()
    over(small, first)
    assert over(small, second) == 2


def test_one_that_waits_is_never_begun_once_it_is_ended(small):
    _, told = busy(small)
    begun = threading.Event()
    second = small.submit(begun.set)
    second.end()
    told.set()
    assert isinstance(second.future.exception(PLENTY), ComputationEnded)
    assert not begun.is_set()


def test_an_end_that_comes_late_reaches_no_other_job(small):
    """A job may be ended at any moment, without effect on its thread or on later jobs."""
    for _ in range(200):
        job = small.submit(lambda: sum(range(200)))
        job.end()
        after = small.submit(lambda: "after")
        assert over(small, after) == "after"
        assert job.future.exception(PLENTY) is None or isinstance(
            job.future.exception(), ComputationEnded
        )


def test_a_job_knows_that_it_is_one(small):
    assert not in_computation_thread()
    assert over(small, small.submit(in_computation_thread))
    assert not in_computation_thread()


def test_nothing_goes_on_once_it_is_closed():
    one = Executor(threads=1, queue=1, seconds=PLENTY)
    begun = threading.Event()

    def run():
        begun.set()
        for_ever()

    running = one.submit(run)
    assert begun.wait(PLENTY)
    waiting = one.submit(lambda: 1)
    one.close()
    assert isinstance(running.future.exception(PLENTY), ComputationEnded)
    with pytest.raises(CancelledError):
        waiting.future.result(PLENTY)


def test_it_is_as_large_as_the_settings_say(monkeypatch):
    monkeypatch.setenv("LMCORE_COMPUTATIONS", "3")
    monkeypatch.setenv("LMCORE_QUEUE", "7")
    monkeypatch.setenv("LMCORE_COMPUTATION_SECONDS", "1.5")
    made = executors.build_executor()
    assert (made.threads, made.queue, made.seconds) == (3, 7, 1.5)
    made.close()
