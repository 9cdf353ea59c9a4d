"""The pool with workers that do nothing by themselves: the test answers for them, in any order."""

from dataclasses import replace

import pytest
from runs_at_hand import LONG, TINY, Silence, own_pool

from lmcore.training.events import Stepped
from lmcore.training.pool import pool, worker_group
from lmcore.training.pool.limits import Limits
from lmcore.training.pool.messages import Begin, Copied, Copy, Halt, Halted, RunProgress


@pytest.fixture
def silent(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "RESPONSE_SECONDS", 0.0)
    with own_pool(tmp_path, factory=Silence()) as runs:
        runs.warm()
        yield runs, runs._scheduler.group.workers[0]


def halted(runs, name):
    """Send a silent worker's answer that it has halted a run."""
    worker = runs._scheduler.group.find_holder(runs._runs[name].computation)
    worker.on_answer(worker, Halted(runs._runs[name].computation.name, 0, "halted"))


def test_a_process_that_cannot_be_started_fails_the_run(tmp_path):
    class Nobody(Silence):
        def start_worker(self, on_answer):
            raise OSError("no more processes")

    with own_pool(tmp_path, factory=Nobody()) as runs:
        view = runs.view(runs.start(TINY))
        assert (view.state, view.why) == (
            "failed",
            "no process could be started: no more processes",
        )


def steps(run, upto):
    events = tuple(Stepped(step, 1.0 / step, 1.0, 7) for step in range(1, upto + 1))
    return RunProgress(run, upto, events, 100.0, f"text {upto}")


def shared_by_two(runs, worker):
    first, second = runs.start(LONG), runs.start(LONG)
    common = runs._runs[first].computation
    worker.on_answer(worker, steps(common.name, 3))
    return first, second, common


def save_nothing_but(common, text):
    common.folder.mkdir(parents=True, exist_ok=True)
    common.saved.write_text(text)


def test_a_run_that_was_never_saved_has_no_checkpoint(silent):
    runs, _ = silent
    name = runs.start(TINY)
    assert runs.checkpoint(name) is None
    assert name in runs


def test_who_stops_an_interrupted_run_stops_no_other_that_shared_it(silent):
    runs, worker = silent
    first, second = runs.start(LONG), runs.start(LONG)
    worker.on_answer(worker, None)
    assert [runs.view(name).state for name in (first, second)] == ["interrupted"] * 2
    assert runs.stop(first).state == "stopped"
    assert runs.view(second).state == "interrupted"
    assert runs.resume(second).state in ("running", "queued")


def test_those_who_wait_have_their_place_and_can_leave(silent, monkeypatch):
    monkeypatch.setattr(worker_group, "RUNS_PER_WORKER", 1)
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
    monkeypatch.setattr(worker_group, "RUNS_PER_WORKER", 1)
    runs, worker = silent
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(2)]
    worker.on_answer(worker, None)
    assert [runs.view(name).state for name in names] == ["interrupted", "running"]
    assert runs._scheduler.group.workers != [worker]


def test_no_more_workers_are_started_than_allowed(tmp_path):
    with own_pool(tmp_path, factory=Silence(2)) as runs:
        for seed in range(5):
            runs.start(replace(LONG, seed=seed))
        assert [len(worker.computations) for worker in runs._scheduler.group.workers] == [3, 2]


def test_what_does_not_fit_into_a_workers_memory_waits_but_never_for_ever(silent, monkeypatch):
    monkeypatch.setattr(worker_group, "WORKER_BYTES", 1)
    runs, _ = silent
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(2)]
    assert [runs.view(name).place for name in names] == [0, 1]
    runs.stop(names[0])
    halted(runs, names[0])
    assert runs.view(names[1]).state == "running"


def test_too_many_runs_are_refused_and_stopping_one_makes_room(silent):
    runs, _ = silent
    runs.limits = Limits(runs=3)
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(3)]
    with pytest.raises(ValueError, match=r"no room for another run \(limit 3\).*Stop one"):
        runs.start(TINY)
    runs.stop(names[1])
    halted(runs, names[1])
    names.append(runs.start(TINY))
    assert [name in runs for name in names] == [True, False, True, True]


def test_runs_nobody_looks_at_are_forgotten_with_what_they_left(silent, monkeypatch):
    monkeypatch.setattr(worker_group, "RUNS_PER_WORKER", 1)
    runs, worker = silent
    names = [runs.start(replace(LONG, seed=seed)) for seed in range(3)]
    computation = runs._runs[names[0]].computation
    save_nothing_but(computation, "something")
    for name in names[:2]:
        runs._runs[name].seen -= 2 * pool.IDLE
    last = runs.start(replace(LONG, seed=3))
    with pytest.raises(ValueError, match="are deleted after 30 minutes"):
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
    worker.on_answer(worker, steps(common.name, 9))
    worker.on_answer(worker, Halted(common.name, 9, cause, "so it is"))
    for name in (first, second):
        view = runs.view(name)
        assert (view.state, view.step, view.why) == (cause, 9, "so it is")
        assert runs.checkpoint(name) == b"the last state"
    assert not runs._scheduler.copies


def test_a_copy_that_was_asked_of_a_worker_that_dies_is_interrupted(silent):
    runs, worker = silent
    first, second, common = shared_by_two(runs, worker)
    runs.pause(first)
    save_nothing_but(common, "an early state")
    worker.on_answer(worker, None)
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
    worker.on_answer(worker, steps(common.name, 5))
    worker.on_answer(worker, Copied(common.name, 5, worker.told[-1].folder))
    assert (runs.view(first).state, runs.view(first).step) == (then, 5)
    worker.on_answer(worker, steps(common.name, 8))
    assert runs.view(first).step == 5


def test_a_run_nobody_looks_at_is_kept_until_it_has_been_copied(silent):
    runs, worker = silent
    first, second, common = shared_by_two(runs, worker)
    runs.pause(first)
    asked = worker.told[-1]
    runs._runs[second].seen -= 2 * pool.IDLE
    runs.start(TINY)
    assert second in runs
    worker.on_answer(worker, Copied(common.name, 3, asked.folder))
    assert (runs.view(first).state, runs.view(first).step) == ("paused", 3)
    runs.start(TINY)
    assert second not in runs


@pytest.mark.parametrize("verb", ["pause", "stop"])
def test_a_run_that_finishes_while_it_is_told_to_halt_has_finished(silent, verb):
    runs, worker = silent
    name = runs.start(LONG)
    assert getattr(runs, verb)(name).state == "running"
    computation = runs._runs[name].computation
    assert worker.told[-1] == Halt(computation.name)
    worker.on_answer(worker, steps(computation.name, 4))
    worker.on_answer(worker, Halted(computation.name, 4, "finished"))
    assert (runs.view(name).state, runs.view(name).step) == ("finished", 4)


def test_closing_twice_and_asking_afterwards_do_no_harm(silent):
    runs, worker = silent
    name = runs.start(LONG)
    runs.close()
    runs.close()
    worker.on_answer(worker, None)
    assert runs.view(name).state == "interrupted"
    assert runs.pause(name).state == "interrupted"
    assert runs.checkpoint(name) is None
    runs.warm()
    assert runs._scheduler.group.workers == []
    assert runs.view(runs.start(TINY)).state == "queued"


def test_a_run_told_to_stop_that_is_lost_instead_can_be_stopped_or_go_on_and_pause(silent):
    runs, worker = silent
    name = runs.start(LONG)
    runs.stop(name)
    worker.on_answer(worker, None)
    assert runs.view(name).state == "interrupted"
    runs.resume(name, 1)
    (new,) = runs._scheduler.group.workers
    begun = new.told[-1]
    assert (type(begun), begun.until) == (Begin, 1)
    new.on_answer(new, Halted(begun.run, 1, "halted"))
    assert runs.view(name).state == "paused"
    assert runs.stop(name).state == "stopped"


def test_what_is_told_again_after_an_interruption_changes_nothing(silent):
    runs, worker = silent
    name = runs.start(LONG)
    computation = runs._runs[name].computation
    worker.on_answer(worker, steps(computation.name, 6))
    worker.on_answer(worker, None)
    runs.resume(name)
    (new,) = runs._scheduler.group.workers
    new.on_answer(new, steps(computation.name, 4))
    new.on_answer(new, steps(computation.name, 7))
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
    worker.on_answer(worker, steps(computation.name, 2))
    worker.on_answer(worker, Halted(computation.name, 2, "halted"))
    assert computation.step == 0


def test_all_runs_begin_or_none(silent):
    runs, _ = silent
    runs.limits = Limits(runs=3)
    first = runs.start(LONG)
    race = [replace(LONG, seed=seed) for seed in range(1, 4)]
    with pytest.raises(ValueError, match="no room for another run"):
        runs.start_all(race)
    assert list(runs._runs) == [first]
    names = runs.start_all(race[:2])
    assert [runs.view(name).spec.seed for name in names] == [1, 2]


def test_a_run_nobody_looks_at_is_forgotten_while_it_goes_on(silent):
    runs, worker = silent
    name = runs.start(LONG)
    computation = runs._runs[name].computation
    runs._runs[name].seen -= 2 * pool.IDLE
    worker.on_answer(worker, steps(computation.name, 3))
    assert name not in runs
    assert worker.told[-1] == Halt(computation.name, drop=True)


def test_who_leaves_a_run_that_waits_again_takes_along_what_was_saved(silent, monkeypatch):
    monkeypatch.setattr(worker_group, "RUNS_PER_WORKER", 1)
    runs, worker = silent
    first, second, common = shared_by_two(runs, worker)
    save_nothing_but(common, "saved at 3")
    worker.on_answer(worker, None)
    runs.start(TINY)
    assert runs.resume(first).state == "queued"
    assert runs.pause(second).state == "paused"
    assert runs.checkpoint(second) == b"saved at 3"
    assert (runs.view(second).step, runs.view(first).state) == (3, "queued")
