import contextlib
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from runs_at_hand import LONG, QUOTED, STORY, TINY, until

from lmcore.training import crew, handle, pool
from lmcore.training.checkpoint import restore
from lmcore.training.events import Evaluated, Stepped
from lmcore.training.loop import Training
from lmcore.training.messages import Begin, Copied, Copy, Halt, Halted, Told
from lmcore.training.pool import Pool
from lmcore.training.runs import LIVE, OVER
from lmcore.training.spec import CorpusSpec, ModelSpec

SOON = replace(LONG, corpus=QUOTED)
"""For a process of its own: this text is ready sooner than the microworld."""
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Two busy cores are slower than a server: what a call waits for may take longer here."""
    monkeypatch.setattr(pool, "OBEYED", 30.0)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One pool with one worker for the tests that leave nothing behind."""
    runs = Pool(tmp_path_factory.mktemp("runs"), workers=1)
    runs.warm()
    yield runs
    runs.close()


@contextlib.contextmanager
def own_pool(folder, **settings):
    runs = Pool(folder, **{"workers": 1, **settings})
    try:
        yield runs
    finally:
        runs.close()


class Silent(handle.Handle):
    """A worker that does nothing by itself: the test answers in its place, in any order."""

    def __init__(self, heard):
        self.computations, self.device, self.heard, self.told = {}, "CPU", heard, []

    def send(self, command):
        self.told.append(command)

    def end(self):
        pass


@pytest.fixture
def silent(tmp_path, monkeypatch):
    monkeypatch.setattr(crew, "Handle", Silent)
    monkeypatch.setattr(pool, "OBEYED", 0.0)
    with own_pool(tmp_path) as runs:
        runs.warm()
        yield runs, runs._crew.workers[0]


def halted(runs, name):
    """The answer of a silent worker that has halted a run."""
    worker = runs._crew.holder(runs._runs[name].computation)
    worker.heard(worker, Halted(runs._runs[name].computation.name, 0, "halted"))


def is_at(runs, name, state):
    return lambda: runs.view(name).state == state


def reached(runs, name, step):
    until(lambda: runs.view(name).step >= step)


def plain(spec, steps):
    """The losses and validations of the run without a pool, up to a step."""
    losses, validations = [], []
    for event in Training(spec):
        if isinstance(event, Evaluated) and event.step <= steps:
            validations.append(event)
        if isinstance(event, Stepped):
            losses.append(event.loss)
            if event.step == steps:
                break
    return losses, validations


def worker_pids(runs):
    return [worker.process.pid for worker in runs._crew.workers]


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


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
    assert shared.resume(name).state in LIVE
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
    assert shared.history(first) is shared.history(second)
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
    worker = shared._crew.workers[0]
    os.kill(worker.process.pid, signal.SIGSTOP)
    pausing = threading.Thread(target=shared.pause, args=[first])
    pausing.start()
    until(lambda: not shared._runs[first].computation.shared)
    second = shared.start(spec)
    os.kill(worker.process.pid, signal.SIGCONT)
    pausing.join(30)
    assert shared.view(first).state == "paused"
    reached(shared, second, 1)
    assert shared.view(second).state == "running"
    shared.stop(first)
    shared.stop(second)


def test_a_busy_worker_keeps_nobody_waiting(shared):
    shared.warm()
    pid = worker_pids(shared)[0]
    os.kill(pid, signal.SIGSTOP)
    # More than a pipe holds.
    long = CorpusSpec("own", "character", text=STORY.text * 400)
    asking = threading.Thread(target=lambda: names.append(shared.start(replace(LONG, corpus=long))))
    names = []
    try:
        asking.start()
        asking.join(20)
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
        until(lambda name=name: shared.view(name).state not in LIVE)
        view = shared.view(name)
        assert (view.state, view.step) == ("diverged", len(shared.history(name).losses))
        assert "η = 100 is too large" in view.why
        assert restore(shared.checkpoint(name)).why == view.why


def test_a_run_out_of_numbers_writes_nothing_and_has_diverged_not_failed(shared):
    spec = replace(LONG, seed=13, optimizer="momentum", learning_rate=1000.0, clip=0.0, decay=False)
    name = shared.start(spec)
    until(lambda: shared.view(name).state not in LIVE)
    assert shared.view(name).state == "diverged"


def test_an_unknown_run_is_refused_by_name(shared):
    for call in (shared.view, shared.history, shared.pause, shared.stop, shared.resume):
        with pytest.raises(ValueError, match="must be one the server still has; got 'nobody'"):
            call("nobody")
    with pytest.raises(ValueError, match="must be one the server still has"):
        shared.checkpoint("nobody")
    assert "nobody" not in shared


def test_twenty_runs_all_come_to_an_end_and_no_process_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(crew, "SIDE_BY_SIDE", 3)
    with own_pool(tmp_path, workers=2) as runs:
        names = [
            runs.start(replace(SOON, seed=seed, steps=10, every=5, learning_rate=0.01 + seed / 1e3))
            for seed in range(20)
        ]
        for name in names[::5]:
            runs.stop(name)
        until(lambda: all(runs.view(name).state in OVER for name in names))
        states = [runs.view(name).state for name in names]
        assert {*states} <= {"finished", "stopped"}
        assert states.count("finished") >= 16
        pids = worker_pids(runs)
        assert len(pids) == 2
        assert all(map(alive, pids))
    assert not any(map(alive, pids))
    assert list(tmp_path.iterdir()) == []


def test_a_killed_worker_interrupts_its_runs_which_then_go_on_bit_for_bit(tmp_path):
    with own_pool(tmp_path) as runs:
        spec = replace(SOON, seed=1)
        name, never_saved = runs.start(spec), runs.start(replace(SOON, seed=2))
        reached(runs, name, 5)
        saved = runs.pause(name).step
        runs.resume(name)
        reached(runs, name, saved + 10)
        reached(runs, never_saved, 1)
        (pid,) = worker_pids(runs)
        os.kill(pid, signal.SIGKILL)
        until(is_at(runs, name, "interrupted"))
        view = runs.view(name)
        assert runs.view(never_saved).state == "interrupted"
        assert "it can go on from where it was last saved" in view.why
        assert view.step > saved
        assert runs.pause(name).state == "interrupted"
        single = runs.resume(name, 1)
        assert (single.state, single.step) == ("paused", view.step + 1)
        runs.resume(name)
        runs.resume(never_saved)
        reached(runs, name, view.step + 10)
        end = runs.stop(name).step
        history = runs.history(name)
        assert (history.losses, history.evaluations) == plain(spec, end)
        assert [step for step, _ in history.samples] == sorted({s for s, _ in history.samples})
        end = runs.stop(never_saved).step
        assert runs.history(never_saved).losses == plain(replace(SOON, seed=2), end)[0]
        assert worker_pids(runs) != [pid]
        assert not alive(pid)


def test_who_stops_or_steps_an_interrupted_run_does_it_for_himself_alone(tmp_path):
    with own_pool(tmp_path) as runs:
        names = [runs.start(SOON) for _ in range(4)]
        reached(runs, names[0], 3)
        os.kill(worker_pids(runs)[0], signal.SIGKILL)
        until(is_at(runs, names[0], "interrupted"))
        before = runs.view(names[0])
        stopped, stepped = runs.stop(names[0]), runs.resume(names[1], 1)
        assert (stopped.state, stopped.step) == ("stopped", before.step)
        assert (stepped.state, stepped.step) == ("paused", before.step + 1)
        assert [runs.view(name).state for name in names[2:]] == ["interrupted"] * 2
        runs.resume(names[2])
        reached(runs, names[3], before.step + 3)
        assert runs.history(names[1]).losses == plain(SOON, before.step + 1)[0]


def test_workers_end_when_the_process_that_has_the_pool_is_killed(tmp_path):
    script = f"""
import sys, time
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from runs_at_hand import LONG, QUOTED, until
from lmcore.training.pool import Pool
runs = Pool(Path({str(tmp_path)!r}), workers=1)
from dataclasses import replace
name = runs.start(replace(LONG, corpus=QUOTED))
until(lambda: runs.view(name).step > 3)
print(runs._crew.workers[0].process.pid, flush=True)
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
    assert crew.default_workers() >= 1


def test_closing_twice_and_asking_afterwards_do_no_harm(tmp_path):
    runs = Pool(tmp_path, workers=1)
    name = runs.start(SOON)
    reached(runs, name, 1)
    pids, threads = worker_pids(runs), threading.active_count()
    runs.close()
    runs.close()
    assert threading.active_count() == threads - 2
    assert not any(map(alive, pids))
    assert runs.view(name).state == "interrupted"
    assert runs.pause(name).state == "interrupted"
    assert runs.checkpoint(name) is None
    runs.warm()
    assert worker_pids(runs) == []
    assert runs.view(runs.start(SOON)).state == "queued"
    assert tmp_path.exists()


def test_a_process_that_cannot_be_started_fails_the_run(tmp_path, monkeypatch):
    def refused(heard):
        raise OSError("no more processes")

    monkeypatch.setattr(crew, "Handle", refused)
    with own_pool(tmp_path) as runs:
        view = runs.view(runs.start(TINY))
        assert (view.state, view.why) == (
            "failed",
            "no process could be started: no more processes",
        )


def steps(run, upto):
    events = tuple(Stepped(step, 1.0 / step, 1.0, 7) for step in range(1, upto + 1))
    return Told(run, upto, events, 100.0, f"text {upto}")


def shared_by_two(runs, worker):
    first, second = runs.start(LONG), runs.start(LONG)
    common = runs._runs[first].computation
    worker.heard(worker, steps(common.name, 3))
    return first, second, common


def save_nothing_but(common, text):
    common.folder.mkdir(parents=True, exist_ok=True)
    common.saved.write_text(text)


def test_a_run_that_was_never_saved_has_no_checkpoint(silent):
    runs, _ = silent
    name = runs.start(TINY)
    assert runs.checkpoint(name) is None
    assert name in runs


def test_those_who_wait_have_their_place_and_can_leave(silent, monkeypatch):
    monkeypatch.setattr(crew, "SIDE_BY_SIDE", 1)
    runs, _ = silent
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(4)]
    assert [runs.view(name).place for name in names] == [0, 1, 2, 3]
    together = runs.start(replace(LONG, seed=2))
    assert runs.view(together).place == 2
    assert runs.pause(together).state == "paused"
    assert runs.view(names[2]).place == 2
    assert runs.pause(names[1]).state == "paused"
    assert [runs.view(name).place for name in names] == [0, 0, 1, 2]
    assert runs.resume(names[1]).place == 3
    runs.stop(names[0])
    halted(runs, names[0])
    assert [runs.view(name).state for name in names] == ["stopped", "queued", "running", "queued"]
    assert [runs.view(name).place for name in names] == [0, 2, 0, 1]
    assert runs.stop(names[3]).state == "stopped"


def test_those_who_wait_go_to_another_worker_when_theirs_is_gone(silent, monkeypatch):
    monkeypatch.setattr(crew, "SIDE_BY_SIDE", 1)
    runs, worker = silent
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(2)]
    worker.heard(worker, None)
    assert [runs.view(name).state for name in names] == ["interrupted", "running"]
    assert runs._crew.workers != [worker]


def test_no_more_workers_are_started_than_allowed(tmp_path, silent):
    with own_pool(tmp_path, workers=2) as runs:
        for seed in range(5):
            runs.start(replace(LONG, seed=seed))
        assert [len(worker.computations) for worker in runs._crew.workers] == [3, 2]


def test_what_does_not_fit_into_a_workers_memory_waits_but_never_for_ever(silent, monkeypatch):
    monkeypatch.setattr(crew, "WORKER_BYTES", 1)
    runs, _ = silent
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(2)]
    assert [runs.view(name).place for name in names] == [0, 1]
    runs.stop(names[0])
    halted(runs, names[0])
    assert runs.view(names[1]).state == "running"


def test_too_many_runs_are_refused_and_stopping_one_makes_room(silent, monkeypatch):
    monkeypatch.setattr(pool, "MOST_RUNS", 3)
    runs, _ = silent
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(3)]
    with pytest.raises(ValueError, match=r"must have fewer than 3 runs .* stop one"):
        runs.start(TINY)
    runs.stop(names[1])
    halted(runs, names[1])
    names.append(runs.start(TINY))
    assert [name in runs for name in names] == [True, False, True, True]


def test_runs_nobody_looks_at_are_forgotten_with_what_they_left(silent, monkeypatch):
    monkeypatch.setattr(crew, "SIDE_BY_SIDE", 1)
    runs, worker = silent
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(3)]
    computation = runs._runs[names[0]].computation
    save_nothing_but(computation, "something")
    for name in names[:2]:
        runs._runs[name].seen -= 2 * pool.IDLE
    last = runs.start(replace(LONG, seed=3))
    with pytest.raises(ValueError, match="are forgotten after 30 minutes"):
        runs.view(names[0])
    assert names[1] not in runs
    assert Halt(computation.name, drop=True) in worker.told
    assert not computation.folder.exists()
    assert [runs.view(name).place for name in (names[2], last)] == [0, 1]


def test_a_run_that_is_looked_at_is_kept(silent):
    runs, _ = silent
    name = runs.start(LONG)
    runs._runs[name].seen -= 2 * pool.IDLE
    runs.view(name)
    runs.start(TINY)
    assert name in runs


@pytest.mark.parametrize("verb", ["pause", "stop"])
@pytest.mark.parametrize("cause", ["finished", "diverged", "failed"])
def test_a_copy_that_comes_too_late_takes_what_the_run_has_become(silent, verb, cause):
    runs, worker = silent
    first, second, common = shared_by_two(runs, worker)
    assert getattr(runs, verb)(first).state == "copying"
    assert runs.view(first).step == 3
    assert isinstance(worker.told[-1], Copy)
    save_nothing_but(common, "the last state")
    worker.heard(worker, steps(common.name, 9))
    worker.heard(worker, Halted(common.name, 9, cause, "so it is"))
    for name in (first, second):
        view = runs.view(name)
        assert (view.state, view.step, view.why) == (cause, 9, "so it is")
        assert runs.checkpoint(name) == b"the last state"
    assert not runs._copies


def test_a_copy_that_was_asked_of_a_worker_that_dies_is_interrupted(silent):
    runs, worker = silent
    first, second, common = shared_by_two(runs, worker)
    runs.pause(first)
    save_nothing_but(common, "an early state")
    worker.heard(worker, None)
    for name in (first, second):
        assert (runs.view(name).state, runs.view(name).step) == ("interrupted", 3)
        assert runs.checkpoint(name) == b"an early state"
    assert runs._runs[first].computation is not runs._runs[second].computation


@pytest.mark.parametrize("then", ["paused", "stopped"])
def test_a_copy_that_is_slow_ends_as_was_last_wanted(silent, then):
    runs, worker = silent
    first, _, common = shared_by_two(runs, worker)
    assert runs.pause(first).state == "copying"
    assert runs.resume(first).state == "copying"
    if then == "stopped":
        assert runs.stop(first).state == "copying"
    worker.heard(worker, steps(common.name, 5))
    worker.heard(worker, Copied(common.name, 5, worker.told[-1].folder))
    assert (runs.view(first).state, runs.view(first).step) == (then, 5)
    worker.heard(worker, steps(common.name, 8))
    assert runs.view(first).step == 5


def test_a_copy_is_whole_though_nobody_follows_the_common_run_any_more(silent):
    runs, worker = silent
    first, second, common = shared_by_two(runs, worker)
    runs.pause(first)
    asked = worker.told[-1]
    runs._runs[second].seen -= 2 * pool.IDLE
    runs.start(TINY)
    assert second not in runs
    worker.heard(worker, Copied(common.name, 3, asked.folder))
    assert (runs.view(first).state, runs.view(first).step) == ("paused", 3)


@pytest.mark.parametrize("verb", ["pause", "stop"])
def test_a_run_that_finishes_while_it_is_told_to_halt_has_finished(silent, verb):
    runs, worker = silent
    name = runs.start(LONG)
    assert getattr(runs, verb)(name).state == "running"
    computation = runs._runs[name].computation
    assert worker.told[-1] == Halt(computation.name)
    worker.heard(worker, steps(computation.name, 4))
    worker.heard(worker, Halted(computation.name, 4, "finished"))
    assert (runs.view(name).state, runs.view(name).step) == ("finished", 4)


def test_a_run_told_to_stop_that_is_lost_instead_can_be_stopped_or_go_on_and_pause(silent):
    runs, worker = silent
    name = runs.start(LONG)
    runs.stop(name)
    worker.heard(worker, None)
    assert runs.view(name).state == "interrupted"
    runs.resume(name, 1)
    (new,) = runs._crew.workers
    begun = new.told[-1]
    assert (type(begun), begun.until) == (Begin, 1)
    new.heard(new, Halted(begun.run, 1, "halted"))
    assert runs.view(name).state == "paused"
    assert runs.stop(name).state == "stopped"


def test_what_is_told_again_after_an_interruption_changes_nothing(silent):
    runs, worker = silent
    name = runs.start(LONG)
    computation = runs._runs[name].computation
    worker.heard(worker, steps(computation.name, 6))
    worker.heard(worker, None)
    runs.resume(name)
    (new,) = runs._crew.workers
    new.heard(new, steps(computation.name, 4))
    new.heard(new, steps(computation.name, 7))
    history = runs.history(name)
    assert history.losses == [1.0 / step for step in range(1, 8)]
    assert history.samples == [(6, "text 6"), (7, "text 7")]
    assert history.tokens == 49


def test_an_answer_about_a_run_that_was_forgotten_is_not_heard(silent):
    runs, worker = silent
    name = runs.start(LONG)
    computation = runs._runs[name].computation
    runs._runs[name].seen -= 2 * pool.IDLE
    runs.start(TINY)
    worker.heard(worker, steps(computation.name, 2))
    worker.heard(worker, Halted(computation.name, 2, "halted"))
    assert computation.step == 0


def test_a_worker_that_ends_by_itself_is_heard_of_once_and_reaped():
    heard, done = [], threading.Event()

    def hear(worker, answer):
        heard.append(answer)
        if answer is None:
            done.set()

    worker = handle.Handle(hear)
    until(lambda: heard)
    worker.process.terminate()
    assert done.wait(30)
    assert heard[1:] == [None]
    assert worker.process.returncode is not None
    worker.send(Halt("nobody"))
    worker.end()
