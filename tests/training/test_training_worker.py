"""The worker's loop without a process: the other end of its pipe is in the test."""

import contextlib
import errno
import os
import threading
from dataclasses import replace
from multiprocessing import Pipe

import pytest
import torch
from runs_at_hand import LONG, TINY

from lmcore.training.checkpoint import restore
from lmcore.training.events import Stepped
from lmcore.training.loop import Training
from lmcore.training.pool import worker, worker_storage
from lmcore.training.pool.messages import (
    CHECKPOINT,
    Began,
    Begin,
    Copied,
    Copy,
    Halt,
    Halted,
    Quit,
    Ready,
    RunProgress,
)
from lmcore.training.pool.worker import Worker, sample_text
from lmcore.training.pool.worker_storage import DiskStorage


class Talk:
    """A worker in a thread, and the end of the pipe that leads to it."""

    def __init__(self, most=10**9):
        self.pipe, far = Pipe()
        self.thread = threading.Thread(target=Worker(far, DiskStorage(most)).work, daemon=True)
        self.thread.start()
        assert self.pipe.poll(30)
        assert isinstance(self.pipe.recv(), Ready)

    def say(self, *commands):
        for command in commands:
            self.pipe.send(command)

    def hear(self, kind, run=None):
        """All that is said up to the first of a kind."""
        heard = []
        while not heard or not (isinstance(heard[-1], kind) and run in (None, heard[-1].run)):
            assert self.pipe.poll(30)
            heard.append(self.pipe.recv())
        return heard


@pytest.fixture
def talk():
    one = Talk()
    yield one
    with contextlib.suppress(OSError):
        one.say(Quit())
    one.thread.join(30)
    assert not one.thread.is_alive()


def stepped(heard, run):
    told = [answer for answer in heard if isinstance(answer, RunProgress) and answer.run == run]
    return [e for answer in told for e in answer.events if isinstance(e, Stepped)]


def test_a_run_says_what_it_is_what_it_does_and_that_it_has_finished(talk, tmp_path):
    talk.say(Begin("a", TINY, str(tmp_path)))
    heard = talk.hear(Halted)
    assert isinstance(heard[0], Began)
    assert heard[0].parameters == Training(TINY).network.config.parameters
    assert [event.step for event in stepped(heard, "a")] == list(range(1, 41))
    assert heard[-1] == Halted("a", 40, "finished")
    assert restore((tmp_path / CHECKPOINT).read_bytes()).step == 40


def test_runs_take_turns(talk, tmp_path):
    for name in "abc":
        talk.say(Begin(name, LONG, str(tmp_path / name)))
    heard = [a for name in "abc" for a in talk.hear(RunProgress, name)]
    assert {answer.run for answer in heard} == {*"abc"}
    talk.say(*(Halt(name) for name in "abc"))
    halted = [talk.hear(Halted, name)[-1] for name in "abc"]
    assert all(answer.cause == "halted" and answer.step > 0 for answer in halted)


def test_a_run_halts_at_the_step_it_was_given(talk, tmp_path):
    talk.say(Begin("a", LONG, str(tmp_path), 7))
    assert talk.hear(Halted)[-1] == Halted("a", 7, "halted")
    talk.say(Begin("a", LONG, str(tmp_path), 8))
    heard = talk.hear(Halted)
    assert [event.step for event in stepped(heard, "a")] == [8]
    assert heard[-1] == Halted("a", 8, "halted")


def test_a_copy_is_the_run_as_it_was_and_the_run_goes_on(talk, tmp_path):
    talk.say(Begin("a", LONG, str(tmp_path / "a")))
    talk.hear(RunProgress)
    talk.say(Copy("a", str(tmp_path / "b")))
    step = talk.hear(Copied)[-1].step
    later = stepped(talk.hear(RunProgress), "a")
    assert later[0].step == step + 1
    copied = restore((tmp_path / "b" / CHECKPOINT).read_bytes())
    assert copied.step == step
    going_on = [event for event, _ in zip(iter(copied), range(len(later)), strict=False)]
    told = [event.loss for event in going_on if isinstance(event, Stepped)]
    assert told == [event.loss for event in later][: len(told)]
    talk.say(Halt("a", drop=True))


def test_a_command_about_a_run_that_is_gone_comes_too_late(talk, tmp_path):
    talk.say(Halt("x"), Copy("x", str(tmp_path)), Halt("x", drop=True))
    talk.say(Begin("a", TINY, str(tmp_path)))
    assert talk.hear(Halted)[-1].cause == "finished"


def test_a_dropped_run_says_no_more(talk, tmp_path):
    talk.say(Begin("a", LONG, str(tmp_path / "a")), Halt("a", drop=True))
    talk.say(Begin("b", TINY, str(tmp_path / "b")))
    heard = talk.hear(Halted, "b")
    assert not [answer for answer in heard if isinstance(answer, Halted) and answer.run == "a"]


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("out of memory"),
        MemoryError(),
        OSError("no space left on device"),
        ValueError("the state must hold h"),
        IndexError("index 99 is out of range"),
    ],
)
def test_what_goes_wrong_in_one_run_fails_that_run_alone(talk, tmp_path, monkeypatch, error):
    whole = worker.Training.__iter__

    def breaks(run):
        for event in whole(run):
            if run.spec.seed == 99 and run.step == 3:
                raise error
            yield event

    monkeypatch.setattr(worker.Training, "__iter__", breaks)
    talk.say(Begin("good", TINY, str(tmp_path / "good")))
    talk.say(Begin("bad", replace(LONG, seed=99), str(tmp_path / "bad")))
    ended = {}
    while len(ended) < 2:
        answer = talk.hear(Halted)[-1]
        ended[answer.run] = answer
    assert ended["bad"] == Halted("bad", 3, "failed", str(error) or "MemoryError")
    assert ended["good"].cause == "finished"


class Again:
    """A line over which a run is begun again the moment it has halted."""

    def __init__(self, begin):
        self.waiting, self.begin, self.halted = [], begin, []

    def poll(self, timeout=0.0):
        return bool(self.waiting)

    def recv(self):
        return self.waiting.pop()

    def send(self, answer):
        if isinstance(answer, Halted):
            self.halted.append(answer.step)
            self.waiting = [self.begin] if len(self.halted) == 1 else []


def test_a_run_that_is_begun_again_at_once_is_computed_once(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "SLICE", 60.0)
    line = Again(Begin("a", LONG, str(tmp_path), 8))
    one = Worker(line, DiskStorage(10**9))
    one.take(Begin("a", LONG, str(tmp_path), 3))
    one.slice(one.turns["a"])
    assert line.halted == [3]
    assert one.turns["a"].run.step == 3
    one.slice(one.turns["a"])
    assert line.halted == [3, 8]


def test_a_copy_that_cannot_be_saved_does_no_harm_to_the_run(talk, tmp_path):
    (tmp_path / "file").write_text("in the way")
    talk.say(Begin("a", LONG, str(tmp_path / "elsewhere")))
    talk.hear(RunProgress)
    talk.say(Copy("a", str(tmp_path / "file" / "inside")))
    copied = talk.hear(Copied)[-1]
    assert "the last steps are not saved" in copied.unsaved
    assert stepped(talk.hear(RunProgress), "a")[0].step == copied.step + 1
    talk.say(Halt("a", drop=True))


def test_a_run_that_cannot_be_saved_halts_and_says_why_and_what_was_saved_stays(talk, tmp_path):
    talk.say(Begin("a", LONG, str(tmp_path / "a"), 3))
    assert talk.hear(Halted)[-1].unsaved == ""
    talk.say(Begin("b", TINY, str(tmp_path / "b")))
    talk.hear(Halted)
    before = (tmp_path / "a" / CHECKPOINT).read_bytes()
    short = Talk(most=len(before))
    try:
        short.say(Begin("a", LONG, str(tmp_path / "a"), 5))
        halted = short.hear(Halted)[-1]
    finally:
        short.say(Quit())
        short.thread.join(30)
    assert (halted.step, halted.cause) == (5, "halted")
    assert halted.unsaved.startswith("the disk for runs is full")
    assert (tmp_path / "a" / CHECKPOINT).read_bytes() == before
    assert [path.name for path in (tmp_path / "a").iterdir()] == [CHECKPOINT]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails_between_two_steps_leaves_the_run_going(
    talk, tmp_path, monkeypatch, code
):
    def refused(data, path, most):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(worker, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(worker_storage, "write_within_quota", refused)
    talk.say(Begin("a", LONG, str(tmp_path)))
    first = talk.hear(RunProgress)[-1].step
    assert talk.hear(RunProgress)[-1].step > first
    talk.say(Halt("a"))
    halted = talk.hear(Halted)[-1]
    assert halted.cause == "halted"
    assert "the last steps are not saved; resumed, it makes them again" in halted.unsaved


def test_a_run_that_has_computed_long_enough_halts_and_as_long_again(talk, tmp_path):
    begin = Begin("a", LONG, str(tmp_path), None, 1e-9, "long enough")
    talk.say(begin)
    assert talk.hear(Halted)[-1] == Halted("a", 1, "halted", "long enough")
    talk.say(begin)
    assert talk.hear(Halted)[-1] == Halted("a", 2, "halted", "long enough")


def test_a_checkpoint_that_is_broken_fails_its_run_alone(talk, tmp_path):
    (tmp_path / CHECKPOINT).write_bytes(b"nonsense")
    talk.say(Begin("a", TINY, str(tmp_path)))
    answer = talk.hear(Halted)[-1]
    assert (answer.step, answer.cause) == (0, "failed")
    assert "must be a whole .safetensors file" in answer.why


def test_the_worker_ends_when_the_pipe_is_closed(tmp_path):
    for running in (False, True):
        talk = Talk()
        if running:
            talk.say(Begin("a", LONG, str(tmp_path)))
            talk.hear(RunProgress)
        talk.pipe.close()
        talk.thread.join(30)
        assert not talk.thread.is_alive()


def test_the_text_a_model_writes_depends_on_the_weights_and_the_step_alone():
    one, other = Training(TINY), Training(TINY)
    assert sample_text(one) == sample_text(other) != ""
    other.step = 1
    assert sample_text(one) != sample_text(other)


def test_a_model_without_numbers_writes_nothing():
    run = Training(TINY)
    with torch.no_grad():
        run.network.output.bias.fill_(float("nan"))
    assert sample_text(run) == ""


def test_a_run_is_saved_while_it_goes_on(talk, tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "SAVE_SECONDS", 0.0)
    talk.say(Begin("a", LONG, str(tmp_path)))
    talk.hear(RunProgress)
    talk.hear(RunProgress)
    assert restore((tmp_path / CHECKPOINT).read_bytes()).step > 0
    talk.say(Halt("a", drop=True))
