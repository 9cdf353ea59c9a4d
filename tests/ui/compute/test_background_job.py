"""Jobs of several parts: finished parts are kept, and a job ends soon after it is stopped."""

import math
import threading
import time
from functools import partial

import pytest

from tests.patience import PLENTY
from ui.compute import background_job
from ui.compute.background_job import BackgroundJob, JobPart

LONG = 600.0


def never_here(check):
    raise AssertionError("what can be sent is computed in a process")


def quick(value):
    return JobPart(f"root of {value}", partial(math.sqrt, value), never_here)


def endless(check):
    while True:
        check()
        time.sleep(0.01)


SLOW = JobPart("slow", partial(time.sleep, LONG), never_here)
HERE = JobPart("here", lambda: None, endless)  # a lambda cannot be sent


def until(condition):
    ends = time.monotonic() + PLENTY
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_the_parts_are_computed_in_their_order_and_kept():
    job = BackgroundJob({"a": quick(4), "b": quick(9)})
    job.wait(PLENTY)
    assert job.done and job.share == 1 and job.error is None
    assert list(job.results.items()) == [("a", 2.0), ("b", 3.0)]
    assert job.label == "root of 9"


@pytest.mark.parametrize("last", [SLOW, HERE])
def test_a_stopped_job_ends_soon_and_keeps_what_is_finished(last):
    job = BackgroundJob({"a": quick(4), "b": last})
    until(lambda: job.results)
    assert not job.done and job.share == 0.5
    job.stop()
    job.wait(PLENTY)
    assert job.done and job.results == {"a": 2.0}


@pytest.mark.parametrize("part", [SLOW, HERE])
def test_a_job_stops_by_itself_after_its_time(part, monkeypatch):
    monkeypatch.setattr(background_job, "MAX_SECONDS", 0.0)
    job = BackgroundJob({"a": part})
    job.wait(PLENTY)
    assert job.done and not job.results


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [(-1, ValueError, "math domain error"), ("four", TypeError, "must be real number, not str")],
)
def test_an_error_ends_the_job_and_is_kept(value, kind, said):
    job = BackgroundJob({"a": quick(4), "b": quick(value), "c": quick(9)})
    job.wait(PLENTY)
    assert job.done and job.results == {"a": 2.0}
    assert type(job.error) is kind and str(job.error) == said


def test_a_job_beyond_the_limit_waits_and_can_be_stopped_while_it_waits(monkeypatch):
    monkeypatch.setattr(background_job, "TURNS", threading.Semaphore(1))
    first, second = BackgroundJob({"a": HERE}), BackgroundJob({"a": quick(4)})
    until(lambda: first.label == "here")
    third = BackgroundJob({"a": quick(9)})
    assert second.label == third.label == "Waiting in the queue"
    third.stop()
    third.wait(PLENTY)
    assert third.done and not third.results and not second.done
    first.stop()
    second.wait(PLENTY)
    assert second.results == {"a": 2.0}


def test_the_wait_in_the_queue_takes_nothing_of_a_jobs_time(monkeypatch):
    monkeypatch.setattr(background_job, "TURNS", threading.Semaphore(1))
    first = BackgroundJob({"a": HERE})
    until(lambda: first.label == "here")
    waits = 0.6
    second = BackgroundJob({"a": JobPart("now", lambda: None, lambda check: check() or "done")})
    time.sleep(waits)
    monkeypatch.setattr(background_job, "MAX_SECONDS", waits)
    first.stop()
    second.wait(PLENTY)
    assert second.results == {"a": "done"}
