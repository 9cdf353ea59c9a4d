import os
import pickle
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from cluster_at_hand import patient, replica
from runs_at_hand import LONG, PLENTY, QUOTED, STORY, TINY, alive, own_pool, plain, until

from lmcore.training.checkpoint import dump, restore
from lmcore.training.events import Stepped
from lmcore.training.loop import Training
from lmcore.training.pool import pool, worker_group
from lmcore.training.pool.messages import Halt
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.runs import FINAL_STATES, LIVE_STATES
from lmcore.training.spec import CorpusSpec, ModelSpec
from tests.sampled import sampled

SOON = replace(LONG, corpus=QUOTED)
"""A run for a test with its own process: this text is ready sooner than the Microworld."""
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Raise the time limit: on two busy cores a response takes longer than on a server."""
    monkeypatch.setattr(pool, "RESPONSE_SECONDS", PLENTY)


@pytest.fixture(scope="module", params=sampled(["embedded", "ray"], ["embedded"], "training"))
def shared(request, tmp_path_factory):
    """Runs with one worker, here and in a cluster, for the tests that leave nothing behind."""
    if request.param == "ray":
        with pytest.MonkeyPatch.context() as patch:
            patient(patch)
            with replica(request.getfixturevalue("head")) as runs:
                runs.warm()
                yield runs
        return
    runs = Pool(tmp_path_factory.mktemp("runs"), workers=1)
    runs.warm()
    yield runs
    runs.close()


def is_at(runs, name, state):
    return lambda: runs.view(name).state == state


def reached(runs, name, step):
    until(lambda: runs.view(name).step >= step)


def worker_pids(runs):
    until(lambda: runs.workers() and all(runs.workers()))
    return runs.workers()


def test_a_run_begins_goes_on_and_finishes(shared):
    spec = replace(TINY, seed=1)
    name = shared.start(spec)
    until(is_at(shared, name, "finished"))
    view, history = shared.view(name), shared.history(name)
    assert (view.step, view.place, view.why, view.followers) == (40, 0, "", 1)
    assert view.device == "CPU"
    assert view.began.types == len(Training(spec).feed.vocabulary)
    assert view.began.truth > 0
    assert (history.losses, history.evaluations) == plain(spec, 40)
    assert history.samples[-1][0] == 40
    assert history.tokens > 40


def test_paused_it_halts_and_resumed_it_goes_on_bit_for_bit(shared):
    spec = replace(LONG, seed=2)
    name = shared.start(spec)
    reached(shared, name, 5)
    halted = shared.pause(name)
    assert halted.state == "paused"
    assert restore(shared.checkpoint(name)).step == halted.step
    version = shared.view(name).version
    assert shared.resume(name).state in LIVE_STATES
    reached(shared, name, halted.step + 30)
    last = shared.stop(name)
    assert last.version > version
    assert (last.state, last.step) == ("stopped", len(shared.history(name).losses))
    history = shared.history(name)
    assert (history.losses, history.evaluations) == plain(spec, last.step)
    steps = [step for step, _ in history.samples]
    assert steps == sorted(set(steps))


def test_a_single_step_makes_exactly_one(shared):
    spec = replace(LONG, seed=3)
    name = shared.start(spec)
    before = shared.pause(name).step
    for more in (1, 2, 3):
        view = shared.resume(name, 1)
        assert (view.state, view.step) == ("paused", before + more)
    assert shared.resume(name, 5).step == before + 8
    assert shared.history(name).losses == plain(spec, before + 8)[0]
    shared.stop(name)


def test_single_steps_lead_to_the_end(shared):
    name = shared.start(replace(TINY, seed=4, steps=3, every=1))
    shared.pause(name)
    while shared.view(name).state == "paused":
        shared.resume(name, 1)
    assert (shared.view(name).state, shared.view(name).step) == ("finished", 3)


def test_what_was_stopped_stays_stopped(shared):
    name = shared.start(replace(LONG, seed=5))
    shared.stop(name)
    assert shared.resume(name).state == "stopped"
    assert shared.resume(name, 1).state == "stopped"
    assert shared.pause(name).state == "stopped"


def test_what_is_over_cannot_be_paused_nor_stopped(shared):
    name = shared.start(replace(TINY, seed=6, steps=2, every=1))
    until(is_at(shared, name, "finished"))
    assert shared.pause(name).state == "finished"
    assert shared.stop(name).state == "finished"
    assert shared.resume(name).state == "finished"


def test_who_asks_for_the_same_run_follows_the_same_computation(shared):
    spec = replace(LONG, seed=7)
    first, second = shared.start(spec), shared.start(replace(LONG, seed=7))
    assert first != second
    assert [shared.view(name).followers for name in (first, second)] == [2, 2]
    assert shared.distant or shared.history(first) is shared.history(second)
    reached(shared, second, 3)
    shared.stop(first)
    shared.stop(second)


def test_who_pauses_leaves_the_others_going_and_resumes_alone(shared):
    spec = replace(LONG, seed=8)
    first, second = shared.start(spec), shared.start(spec)
    reached(shared, first, 20)
    before = shared.view(first).version
    paused = shared.pause(first)
    assert (paused.state, paused.followers) == ("paused", 1)
    assert paused.version > before
    assert (shared.view(second).state, shared.view(second).followers) == ("running", 1)
    reached(shared, second, paused.step + 20)
    assert shared.view(first).step == paused.step
    shared.resume(first)
    reached(shared, first, paused.step + 20)
    ends = [shared.stop(name).step for name in (first, second)]
    one, other = shared.history(first), shared.history(second)
    both = min(ends)
    assert one.losses[:both] == other.losses[:both] == plain(spec, both)[0]
    assert one.norms[:both] == other.norms[:both]


def test_who_stops_leaves_the_others_going(shared):
    spec = replace(LONG, seed=9)
    first, second = shared.start(spec), shared.start(spec)
    assert shared.stop(first).state == "stopped"
    assert shared.view(second).state == "running"
    assert shared.resume(first).state == "stopped"
    shared.stop(second)


def test_a_run_is_not_shared_once_it_was_paused_or_is_over(shared):
    spec = replace(TINY, seed=10, steps=5, every=1)
    first = shared.start(spec)
    until(is_at(shared, first, "finished"))
    second = shared.start(spec)
    assert shared.history(first) is not shared.history(second)
    until(is_at(shared, second, "finished"))
    assert shared.history(first).losses == shared.history(second).losses


def test_who_comes_while_another_pauses_is_not_paused_with_him(shared):
    spec = replace(LONG, seed=11)
    first = shared.start(spec)
    reached(shared, first, 1)
    (pid,) = worker_pids(shared)
    os.kill(pid, signal.SIGSTOP)
    pausing = threading.Thread(target=shared.pause, args=[first])
    pausing.start()
    # Until then, a new run would share the computation, and pausing would give `first` a copy.
    until(lambda: shared.distant or not shared._runs[first].computation.shared)
    second = shared.start(spec)
    os.kill(pid, signal.SIGCONT)
    pausing.join(PLENTY)
    assert shared.view(first).state == "paused"
    reached(shared, second, 1)
    assert shared.view(second).state == "running"
    shared.stop(first)
    shared.stop(second)


def test_a_busy_worker_keeps_nobody_waiting(shared):
    shared.warm()
    pid = worker_pids(shared)[0]
    os.kill(pid, signal.SIGSTOP)
    # A text longer than a pipe holds.
    long = CorpusSpec("own", "character", text=STORY.text * 400)
    asking = threading.Thread(target=lambda: names.append(shared.start(replace(LONG, corpus=long))))
    names = []
    try:
        asking.start()
        asking.join(PLENTY)
        assert not asking.is_alive()
        assert shared.view(names[0]).state == "running"
    finally:
        os.kill(pid, signal.SIGCONT)
    reached(shared, names[0], 1)
    shared.stop(names[0])


def test_a_run_that_cannot_begin_has_failed_and_says_why(shared):
    short = replace(TINY, corpus=CorpusSpec("own", "word", text="hello world"))
    dear = replace(TINY, model=ModelSpec("lstm", 512, 1024, layers=4))
    told = {short: "at least 200 words; got 2", dear: "at most 5,000,000 weights; got"}
    for spec, why in told.items():
        name = shared.start(spec)
        until(is_at(shared, name, "failed"))
        assert why in shared.view(name).why


def test_a_run_that_diverges_says_so_and_its_model_stays(shared):
    for clip in (0.0, 1.0):
        name = shared.start(replace(LONG, seed=12, learning_rate=100.0, clip=clip, decay=False))
        until(lambda name=name: shared.view(name).state not in LIVE_STATES)
        view = shared.view(name)
        assert (view.state, view.step) == ("diverged", len(shared.history(name).losses))
        assert "η = 100 is too large" in view.why
        assert restore(shared.checkpoint(name)).why == view.why


def test_a_run_out_of_numbers_writes_nothing_and_has_diverged_not_failed(shared):
    spec = replace(LONG, seed=13, optimizer="momentum", learning_rate=1000.0, clip=0.0, decay=False)
    name = shared.start(spec)
    until(lambda: shared.view(name).state not in LIVE_STATES)
    assert shared.view(name).state == "diverged"


def test_an_unknown_run_is_refused_by_name(shared):
    for call in (shared.view, shared.history, shared.pause, shared.stop, shared.resume):
        with pytest.raises(ValueError, match="The run 'nobody' is no longer on the server"):
            call("nobody")
    with pytest.raises(ValueError, match="is no longer on the server"):
        shared.checkpoint("nobody")
    assert "nobody" not in shared


@pytest.mark.walk("training", alone=True)
def test_twenty_runs_all_come_to_an_end_and_no_process_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_group, "RUNS_PER_WORKER", 3)
    with own_pool(tmp_path, workers=2) as runs:
        names = [
            runs.start(replace(SOON, seed=seed, steps=10, every=5, learning_rate=0.01 + seed / 1e3))
            for seed in range(20)
        ]
        for name in names[::5]:
            runs.stop(name)
        until(lambda: all(runs.view(name).state in FINAL_STATES for name in names))
        states = [runs.view(name).state for name in names]
        assert {*states} <= {"finished", "stopped"}
        assert states.count("finished") >= 16
        pids = worker_pids(runs)
        assert len(pids) == 2
        assert all(map(alive, pids))
        threads = threading.active_count()
    assert not any(map(alive, pids))
    assert threading.active_count() == threads - 4
    assert list(tmp_path.iterdir()) == []


def test_a_killed_worker_interrupts_its_runs_which_then_go_on_bit_for_bit(shared):
    spec = replace(LONG, seed=20)
    name, never_saved = shared.start(spec), shared.start(replace(spec, seed=21))
    reached(shared, name, 5)
    saved = shared.pause(name).step
    shared.resume(name)
    reached(shared, name, saved + 10)
    reached(shared, never_saved, 1)
    (pid,) = worker_pids(shared)
    held = [] if shared.distant else shared._scheduler.group.workers.copy()
    os.kill(pid, signal.SIGKILL)
    until(is_at(shared, name, "interrupted"))
    for worker in held:
        assert worker.process.returncode == -signal.SIGKILL
        worker.send(Halt(name))
        worker.end()
    view = shared.view(name)
    assert shared.view(never_saved).state == "interrupted"
    assert "Resume continues from the last checkpoint" in view.why
    assert view.step > saved
    assert shared.pause(name).state == "interrupted"
    single = shared.resume(name, 1)
    assert (single.state, single.step) == ("paused", view.step + 1)
    shared.resume(name)
    shared.resume(never_saved)
    reached(shared, name, view.step + 10)
    end, history = shared.stop(name).step, shared.history(name)
    assert (history.losses, history.evaluations) == plain(spec, end)
    assert [step for step, _ in history.samples] == sorted({s for s, _ in history.samples})
    end = shared.stop(never_saved).step
    assert shared.history(never_saved).losses == plain(replace(spec, seed=21), end)[0]


@pytest.mark.walk("training", alone=True)
def test_who_stops_or_steps_an_interrupted_run_does_it_for_himself_alone(shared):
    spec = replace(LONG, seed=22)
    names = [shared.start(spec) for _ in range(4)]
    reached(shared, names[0], 3)
    os.kill(worker_pids(shared)[0], signal.SIGKILL)
    until(is_at(shared, names[0], "interrupted"))
    before = shared.view(names[0])
    stopped, stepped = shared.stop(names[0]), shared.resume(names[1], 1)
    assert (stopped.state, stopped.step) == ("stopped", before.step)
    assert (stepped.state, stepped.step) == ("paused", before.step + 1)
    assert [shared.view(name).state for name in names[2:]] == ["interrupted"] * 2
    shared.resume(names[2])
    reached(shared, names[3], before.step + 3)
    assert shared.history(names[1]).losses == plain(spec, before.step + 1)[0]
    for name in names:
        shared.stop(name)


@pytest.mark.walk("training", alone=True)
def test_workers_end_when_the_process_that_has_the_pool_is_killed(tmp_path):
    script = f"""
import sys, time
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from cluster_at_hand import patient, replica
from runs_at_hand import own_pool, LONG, QUOTED, until
from lmcore.training.pool.pool import Pool
runs = Pool(Path({str(tmp_path)!r}), workers=1)
from dataclasses import replace
name = runs.start(replace(LONG, corpus=QUOTED))
until(lambda: runs.view(name).step > 3)
print(runs.workers()[0], flush=True)
time.sleep(100)
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as server:
        pid = int(server.stdout.readline())
        assert alive(pid)
        server.kill()
    until(lambda: not alive(pid))


def test_there_is_at_least_one_worker():
    assert worker_group.default_workers() >= 1


def test_a_run_from_a_file_rests_where_it_was_saved_and_goes_on_bit_for_bit(shared):
    spec = replace(TINY, seed=31)
    run = Training(spec)
    for event in run:
        if isinstance(event, Stepped) and event.step == 12:
            break
    name = shared.adopt(dump(run))
    view = shared.view(name)
    assert (view.state, view.step, view.spec) == ("paused", 12, spec)
    assert shared.checkpoint(name) == dump(run)
    shared.resume(name)
    until(is_at(shared, name, "finished"))
    assert shared.history(name).losses[12:] == plain(spec, 40)[0][12:]
    assert shared.view(shared.adopt(shared.checkpoint(name))).state == "finished"


def test_a_file_whose_weights_are_no_numbers_is_refused(shared):
    run = Training(TINY)
    with torch.no_grad():
        run.network.output.bias[2] = torch.nan
    with pytest.raises(ValueError, match="must hold finite numbers; got inf or nan"):
        shared.adopt(dump(run))
    with pytest.raises(ValueError, match=r"must be \.safetensors; got a pickle"):
        shared.adopt(pickle.dumps({"weights": [1.0]}))
