"""The worker's loop without a process: the test holds the other end of its pipe."""

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
from tests.patience import PLENTY


class Talk:
    """A worker in a thread, and the end of the pipe that leads to it."""

    def __init__(self, most=10**9):
        self.pipe, far = Pipe()
        self.thread = threading.Thread(target=Worker(far, DiskStorage(most)).run, daemon=True)
        self.thread.start()
        assert self.pipe.poll(30)
        assert isinstance(self.pipe.recv(), Ready)

    def send(self, *commands):
        for command in commands:
            self.pipe.send(command)

    def receive(self, kind, run=None):
        """All answers up to the first one of that kind."""
        answers = []
        while not answers or not (isinstance(answers[-1], kind) and run in (None, answers[-1].run)):
            assert self.pipe.poll(30)
            answers.append(self.pipe.recv())
        return answers


@pytest.fixture
def talk():
    one = Talk()
    yield one
    with contextlib.suppress(OSError):
        one.send(Quit())
    one.thread.join(PLENTY)
    assert not one.thread.is_alive()


def stepped(answers, run):
    told = [answer for answer in answers if isinstance(answer, RunProgress) and answer.run == run]
    return [e for answer in told for e in answer.events if isinstance(e, Stepped)]


def test_a_run_says_what_it_is_what_it_does_and_that_it_has_finished(talk, tmp_path):
    talk.send(Begin("a", TINY, str(tmp_path)))
    answers = talk.receive(Halted)
    assert isinstance(answers[0], Began)
    assert answers[0].parameters == Training(TINY).network.config.parameters
    assert [event.step for event in stepped(answers, "a")] == list(range(1, 41))
    assert answers[-1] == Halted("a", 40, "finished")
    assert restore((tmp_path / CHECKPOINT).read_bytes()).step == 40


def test_runs_take_turns(talk, tmp_path):
    for name in "abc":
        talk.send(Begin(name, LONG, str(tmp_path / name)))
    answers = [a for name in "abc" for a in talk.receive(RunProgress, name)]
    assert {answer.run for answer in answers} == {*"abc"}
    talk.send(*(Halt(name) for name in "abc"))
    halted = [talk.receive(Halted, name)[-1] for name in "abc"]
    assert all(answer.cause == "halted" and answer.step > 0 for answer in halted)


def test_a_run_halts_at_the_step_it_was_given(talk, tmp_path):
    talk.send(Begin("a", LONG, str(tmp_path), 7))
    assert talk.receive(Halted)[-1] == Halted("a", 7, "halted")
    talk.send(Begin("a", LONG, str(tmp_path), 8))
    answers = talk.receive(Halted)
    assert [event.step for event in stepped(answers, "a")] == [8]
    assert answers[-1] == Halted("a", 8, "halted")


def test_a_copy_is_the_run_as_it_was_and_the_run_goes_on(talk, tmp_path):
    talk.send(Begin("a", LONG, str(tmp_path / "a")))
    talk.receive(RunProgress)
    talk.send(Copy("a", str(tmp_path / "b")))
    step = talk.receive(Copied)[-1].step
    later = stepped(talk.receive(RunProgress), "a")
    assert later[0].step == step + 1
    copied = restore((tmp_path / "b" / CHECKPOINT).read_bytes())
    assert copied.step == step
    going_on = [event for event, _ in zip(iter(copied), range(len(later)), strict=False)]
    told = [event.loss for event in going_on if isinstance(event, Stepped)]
    assert told == [event.loss for event in later][: len(told)]
    talk.send(Halt("a", drop=True))


def test_a_command_about_a_run_that_is_gone_comes_too_late(talk, tmp_path):
    talk.send(Halt("x"), Copy("x", str(tmp_path)), Halt("x", drop=True))
    talk.send(Begin("a", TINY, str(tmp_path)))
    assert talk.receive(Halted)[-1].cause == "finished"


def test_a_dropped_run_says_no_more(talk, tmp_path):
    talk.send(Begin("a", LONG, str(tmp_path / "a")), Halt("a", drop=True))
    talk.send(Begin("b", TINY, str(tmp_path / "b")))
    answers = talk.receive(Halted, "b")
    assert not [answer for answer in answers if isinstance(answer, Halted) and answer.run == "a"]


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("out of memory"),
        MemoryError(),
        OSError(28, "no space left on device", "/srv/runs/bad"),
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
    talk.send(Begin("good", TINY, str(tmp_path / "good")))
    talk.send(Begin("bad", replace(LONG, seed=99), str(tmp_path / "bad")))
    ended = {}
    while len(ended) < 2:
        answer = talk.receive(Halted)[-1]
        ended[answer.run] = answer
    # A disk error is reported without its path, which is private to the server.
    why = getattr(error, "strerror", None) or str(error) or "MemoryError"
    assert ended["bad"] == Halted("bad", 3, "failed", why)
    assert ended["good"].cause == "finished"


class Again:
    """A pipe that sends a command to begin a run again as soon as the run has halted."""

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
    one.handle(Begin("a", LONG, str(tmp_path), 3))
    one.slice(one.turns["a"])
    assert line.halted == [3]
    assert one.turns["a"].run.step == 3
    one.slice(one.turns["a"])
    assert line.halted == [3, 8]


def test_a_copy_that_cannot_be_saved_does_no_harm_to_the_run(talk, tmp_path):
    (tmp_path / "file").write_text("in the way")
    talk.send(Begin("a", LONG, str(tmp_path / "elsewhere")))
    talk.receive(RunProgress)
    talk.send(Copy("a", str(tmp_path / "file" / "inside")))
    copied = talk.receive(Copied)[-1]
    assert "the last steps were not saved" in copied.unsaved
    assert stepped(talk.receive(RunProgress), "a")[0].step == copied.step + 1
    talk.send(Halt("a", drop=True))


def test_a_run_that_cannot_be_saved_halts_and_says_why_and_what_was_saved_stays(talk, tmp_path):
    talk.send(Begin("a", LONG, str(tmp_path / "a"), 3))
    assert talk.receive(Halted)[-1].unsaved == ""
    talk.send(Begin("b", TINY, str(tmp_path / "b")))
    talk.receive(Halted)
    before = (tmp_path / "a" / CHECKPOINT).read_bytes()
    short = Talk(most=len(before))
    try:
        short.send(Begin("a", LONG, str(tmp_path / "a"), 5))
        halted = short.receive(Halted)[-1]
    finally:
        short.send(Quit())
        short.thread.join(PLENTY)
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
    talk.send(Begin("a", LONG, str(tmp_path)))
    first = talk.receive(RunProgress)[-1].step
    assert talk.receive(RunProgress)[-1].step > first
    talk.send(Halt("a"))
    halted = talk.receive(Halted)[-1]
    assert halted.cause == "halted"
    assert "the last steps were not saved; Resume repeats them" in halted.unsaved


def test_a_run_that_has_computed_long_enough_halts_and_as_long_again(talk, tmp_path):
    begin = Begin("a", LONG, str(tmp_path), None, 1e-9, "long enough")
    talk.send(begin)
    assert talk.receive(Halted)[-1] == Halted("a", 1, "halted", "long enough")
    talk.send(begin)
    assert talk.receive(Halted)[-1] == Halted("a", 2, "halted", "long enough")


def test_a_checkpoint_that_is_broken_fails_its_run_alone(talk, tmp_path):
    (tmp_path / CHECKPOINT).write_bytes(b"nonsense")
    talk.send(Begin("a", TINY, str(tmp_path)))
    answer = talk.receive(Halted)[-1]
    assert (answer.step, answer.cause) == (0, "failed")
    assert "must be a whole .safetensors file" in answer.why


def test_the_worker_ends_when_the_pipe_is_closed(tmp_path):
    for running in (False, True):
        talk = Talk()
        if running:
            talk.send(Begin("a", LONG, str(tmp_path)))
            talk.receive(RunProgress)
        talk.pipe.close()
        talk.thread.join(PLENTY)
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
    talk.send(Begin("a", LONG, str(tmp_path)))
    talk.receive(RunProgress)
    talk.receive(RunProgress)
    assert restore((tmp_path / CHECKPOINT).read_bytes()).step > 0
    talk.send(Halt("a", drop=True))
