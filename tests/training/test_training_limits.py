"""The limits of a server: what a pool refuses, and what it deletes to make room."""

import errno
import os
from dataclasses import replace

import pytest
from runs_at_hand import LONG, PLENTY, TINY, Silence, own_pool, until

from lmcore.training.checkpoint import dump, restore
from lmcore.training.loop import Training
from lmcore.training.pool import pool, runs
from lmcore.training.pool.limits import Limits
from lmcore.training.pool.messages import Begin, Copied, Halted
from lmcore.training.pool.runs import LIVE_STATES


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    monkeypatch.setattr(pool, "RESPONSE_SECONDS", PLENTY)


@pytest.fixture
def silent(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "RESPONSE_SECONDS", 0.0)
    with own_pool(tmp_path, factory=Silence()) as found:
        found.limits = Limits(each=2)
        yield found


def others(count, first=50):
    return [replace(LONG, seed=seed) for seed in range(first, first + count)]


def test_the_server_is_what_the_environment_says(tmp_path, monkeypatch):
    settings = {"RUNS": "7", "RUNS_PER_SESSION": "3", "RUN_SECONDS": "9", "RUNS_MB": "11"}
    for name, value in {**settings, "WORKERS": "5", "RUNS_FOLDER": str(tmp_path)}.items():
        monkeypatch.setenv(f"LMCORE_{name}", value)
    found = pool.Pool()
    try:
        assert found.limits == Limits(7, 3, 9, 11)
        assert found.limits.bytes == 11_000_000
        assert found._scheduler.group._factory.limit() == 5
        assert (found._store.folder, found._store.is_persistent) == (tmp_path, True)
    finally:
        found.close()


def test_one_owner_has_only_so_many_runs_that_compute_or_wait_and_others_theirs(silent):
    mine = silent.start_all(others(2), owner="ann")
    with pytest.raises(ValueError, match=r"A visitor may have at most 2 .* would make 3. Pause or"):
        silent.start(TINY, owner="ann")
    assert len(silent._runs) == 2
    theirs = silent.start_all(others(2, 60), owner="bob")
    assert all(silent.view(name).state == "running" for name in (*mine, *theirs))
    assert len([silent.start(spec) for spec in others(9, 70)]) == 9


def test_all_of_an_owners_runs_begin_or_none(silent):
    with pytest.raises(ValueError, match=r"at most 2 .* would make 3"):
        silent.start_all(others(3), owner="ann")
    assert not silent._runs


def test_a_run_that_rests_does_not_count_until_it_goes_on(silent):
    work = silent._scheduler
    first, second = silent.start_all(others(2), owner="ann")
    silent.pause(first)
    computation = silent._runs[first].computation
    worker = work.group.find_holder(computation)
    worker.on_answer(worker, Halted(computation.name, 1, "halted"))
    third = silent.start(TINY, owner="ann")
    with pytest.raises(ValueError, match=r"at most 2 .* would make 3"):
        silent.resume(first)
    with pytest.raises(ValueError, match=r"at most 2 .* would make 3"):
        silent.resume(first, 1)
    assert silent.view(first).state == "paused"
    assert all(silent.view(name).state in LIVE_STATES for name in (second, third))


def test_runs_that_stand_in_for_others_take_their_places(silent):
    before = silent.start_all(others(2), owner="ann")
    after = silent.start_all(others(2, 60), owner="ann", instead=[*before, "forgotten-00"])
    told = silent._scheduler.group.workers[0].told
    assert [silent._runs[name].computation.wanted for name in before] == ["stopped", "stopped"]
    assert {begun.run for begun in told if isinstance(begun, Begin)} == {
        silent._runs[name].computation.name for name in (*before, *after)
    }
    with pytest.raises(ValueError, match="at most 2 running"):
        silent.start_all(others(3, 70), owner="ann", instead=after)
    assert all(silent._runs[name].computation.wanted == "paused" for name in after)


def test_a_run_that_has_computed_long_enough_pauses_says_so_and_has_as_long_again(tmp_path):
    with own_pool(tmp_path, limits=Limits(seconds=1)) as found:
        name = found.start(LONG)
        for _ in range(2):
            until(lambda: found.view(name).state == "paused")
            assert found.view(name).why == (
                "paused after 1 s of computing, the limit; Resume allows as many again"
            )
            before = found.view(name).step
            assert restore(found.checkpoint(name)).step == before
            assert found.resume(name).why == ""
            until(lambda before=before: found.view(name).step > before)
        found.stop(name)


@pytest.mark.walk("faults", alone=True)
def test_a_server_whose_disk_is_full_begins_no_run_and_those_that_are_there_lose_nothing(tmp_path):
    with own_pool(tmp_path, limits=Limits(mb=1)) as found:
        name = found.start(LONG)
        until(lambda: found.view(name).step > 3)
        found.pause(name)
        saved = found.checkpoint(name)
        (found._store.folder / "other").mkdir()
        (found._store.folder / "other" / "large").write_bytes(bytes(1_000_000))
        with pytest.raises(
            ValueError, match=r"full: the limit is 1 MB, this needs 1 MB. Try again"
        ):
            found.start(TINY)
        with pytest.raises(ValueError, match="the limit is 1 MB"):
            found.adopt(saved)
        found.resume(name, 5)
        view = found.view(name)
        assert view.state == "paused"
        assert view.why.startswith("the disk for runs is full: the last steps were not saved")
        assert found.checkpoint(name) == saved
        (found._store.folder / "other" / "large").unlink()
        found.resume(name, 1)
        assert (found.view(name).why, found.view(name).step) == ("", view.step + 1)
        losses = found.history(name).losses
        assert restore(found.checkpoint(name)).step == view.step + 1 == len(losses)


@pytest.mark.walk("training", alone=True)
def test_a_run_that_ends_on_a_full_disk_can_be_ended_again(tmp_path):
    with own_pool(tmp_path, limits=Limits(mb=1)) as found:
        name = found.start(TINY)
        found.pause(name)
        (found._store.folder / "other").mkdir()
        (found._store.folder / "other" / "large").write_bytes(bytes(1_000_000))
        found.resume(name)
        until(lambda: found.view(name).state not in LIVE_STATES)
        assert (found.view(name).state, found.view(name).step) == ("paused", TINY.steps)
        (found._store.folder / "other" / "large").unlink()
        found.resume(name)
        until(lambda: found.view(name).state == "finished")
        assert restore(found.checkpoint(name)).step == TINY.steps


def test_a_copy_without_room_on_the_disk_goes_on_from_what_was_saved(silent):
    first, second = silent.start(LONG), silent.start(LONG)
    common = silent._runs[first].computation
    worker = silent._scheduler.group.find_holder(common)
    common.folder.mkdir()
    common.saved.write_bytes(b"as it was saved")
    silent.pause(first)
    asked = worker.told[-1]
    worker.on_answer(worker, Copied(common.name, 0, asked.folder, "the disk for runs is full"))
    view = silent.view(first)
    assert (view.state, view.why) == ("paused", "the disk for runs is full")
    assert silent.checkpoint(first) == b"as it was saved"
    assert silent.view(second).state == "running"


def test_runs_that_nobody_looks_at_make_room_on_a_full_disk(silent):
    name, seen = silent.start_all(others(2))
    for each in (name, seen):
        computation = silent._runs[each].computation
        worker = silent._scheduler.group.find_holder(computation)
        worker.on_answer(worker, Halted(computation.name, 0, "halted"))
        computation.folder.mkdir()
        computation.saved.write_bytes(bytes(900_000))
    silent.limits = Limits(mb=1)
    silent._runs[name].seen -= 0.9 * pool.IDLE
    with pytest.raises(ValueError, match="the limit is 1 MB"):
        silent.start(TINY)
    silent._runs.idle = 10 * pool.IDLE
    silent._runs[name].seen -= pool.IDLE
    begun = silent.start(TINY)
    assert [each in silent for each in (name, seen, begun)] == [False, True, True]


def test_a_file_that_cannot_be_written_is_refused_in_words_and_no_path_is_told(silent, monkeypatch):
    def refused(data, path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(runs, "write_atomically", refused)
    with pytest.raises(
        ValueError, match="not loaded, because it could not be saved: the disk for runs is full"
    ):
        silent.adopt(dump(Training(TINY)))
    assert not silent._runs


def test_what_the_pool_is_doing_is_counted(silent):
    first, *_ = silent.start_all(others(2))
    assert silent.states() == {"running": 2}
    computation = silent._runs[first].computation
    worker = silent._scheduler.group.find_holder(computation)
    worker.on_answer(worker, Halted(computation.name, 0, "failed", "a defect"))
    assert silent.states() == {"running": 1, "failed": 1}
    assert silent.workers() == [0]
