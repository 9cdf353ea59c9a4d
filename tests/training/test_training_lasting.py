"""Runs in a folder that outlives the server, however the server ends."""

import contextlib
import json
import logging
import math
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from runs_at_hand import LONG, PLENTY, QUOTED, STORY, TINY, Silence, alive, own_pool, plain, until

from lmcore.training.checkpoint import dump, restore
from lmcore.training.events import Evaluated, Stepped
from lmcore.training.loop import Training
from lmcore.training.pool import pool, run_journal
from lmcore.training.pool.limits import Limits
from lmcore.training.pool.messages import Began, Copied, Halted, RunProgress
from lmcore.training.pool.run_journal import JOURNAL_FILE, SERVER_ENDED
from lmcore.training.pool.store import Store

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    monkeypatch.setattr(pool, "RESPONSE_SECONDS", PLENTY)
    monkeypatch.setattr(pool, "CLOSING", PLENTY)


def persistent(folder, **settings):
    return own_pool(None, persistent=folder, **settings)


@contextlib.contextmanager
def silently(folder):
    """A pool with silent workers, which does not wait for them when it closes."""
    with persistent(folder, factory=Silence()) as runs, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "CLOSING", 0.0)
        yield runs
        runs.close()


def tell(runs, name, *events, sample=""):
    """Send a silent worker's report on a run."""
    computation = runs._runs[name].computation
    worker = runs._scheduler.group.find_holder(computation)
    step = max(event.step for event in events)
    worker.on_answer(worker, RunProgress(computation.name, step, events, 10.0, sample))


def rest(runs, name, cause="halted"):
    computation = runs._runs[name].computation
    worker = runs._scheduler.group.find_holder(computation)
    worker.on_answer(worker, Halted(computation.name, computation.step, cause, "so it is"))


def steps(first, last):
    return [Stepped(step, 1.0 / step, 0.5 / step, 7) for step in range(first, last + 1)]


def known(runs, name):
    view, history = runs.view(name), runs.history(name)
    return replace(view, version=0, rate=0.0), history


@pytest.mark.walk("training", alone=True)
def test_a_server_that_ends_saves_its_runs_and_the_next_goes_on_bit_for_bit(tmp_path):
    spec, waiting = replace(LONG, seed=40), replace(LONG, seed=41)
    with persistent(tmp_path, workers=1) as runs:
        going, done, paused = (runs.start(each) for each in (spec, TINY, waiting))
        until(lambda: runs.view(going).step > 5 and runs.view(done).state == "finished")
        runs.pause(paused)
        before = {name: known(runs, name) for name in (done, paused)}
    for _ in range(2):  # a server may also end before any run is read
        with persistent(tmp_path, workers=1) as runs:
            assert {name: known(runs, name) for name in (done, paused)} == before
            view = runs.view(going)
            assert (view.state, view.why, view.spec) == ("interrupted", SERVER_ENDED, spec)
            assert restore(runs.checkpoint(going)).step == view.step > 5
            assert runs.history(going).losses == plain(spec, view.step)[0]
            end = view.step + 10
    with persistent(tmp_path, workers=1) as runs:
        runs.resume(going)
        until(lambda: runs.view(going).step > end)
        last, history = runs.stop(going).step, runs.history(going)
        assert (history.losses, history.evaluations) == plain(spec, last)
        assert [step for step, _ in history.samples] == sorted({s for s, _ in history.samples})
        assert runs.resume(paused, 3).step == before[paused][0].step + 3


@pytest.mark.walk("training", alone=True)
def test_a_server_that_is_killed_leaves_its_runs_to_the_next(tmp_path):
    spec = replace(LONG, corpus=QUOTED)
    script = f"""
import sys, time
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from runs_at_hand import LONG, QUOTED, until
from lmcore.training.pool.pool import Pool
from dataclasses import replace
runs = Pool(persistent=Path({str(tmp_path)!r}), workers=1)
name = runs.start(replace(LONG, corpus=QUOTED))
until(lambda: runs.view(name).step > 3)
runs.pause(name)
saved = runs.view(name).step
runs.resume(name)
until(lambda: runs.view(name).step > saved + 20)
print(name, saved, runs.view(name).step, runs.workers()[0], flush=True)
time.sleep(100)
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as server:
        name, saved, told, pid = server.stdout.readline().split()
        with persistent(tmp_path, workers=1) as beside:  # in a subfolder of its own
            assert name not in beside
        server.kill()
    until(lambda: not alive(int(pid)))
    with persistent(tmp_path, workers=1) as runs:
        view = runs.view(name)
        assert (view.state, view.spec) == ("interrupted", spec)
        assert view.step >= int(told)
        assert restore(runs.checkpoint(name)).step >= int(saved)
        runs.resume(name)
        until(lambda: runs.view(name).step > view.step + 10)
        last = runs.stop(name).step
        # Steps that were computed but not reported before the kill may be missing in the curve.
        losses, whole = runs.history(name).losses, plain(spec, last)[0]
        assert len(losses) == last
        assert all(math.isnan(a) or a == b for a, b in zip(losses, whole, strict=True))
        assert losses[: int(told)] == whole[: int(told)]


def test_everything_that_was_told_is_known_again(tmp_path):
    with silently(tmp_path) as runs:
        first, second = runs.start(LONG, owner="ann"), runs.start(LONG)
        computation = runs._runs[first].computation
        worker = runs._scheduler.group.find_holder(computation)
        worker.on_answer(worker, Began(computation.name, 17, 1234, None))
        tell(runs, first, Evaluated(0, 5.6, ()), *steps(1, 4), sample="the cat\nsat “so”\u2028")
        odd = Stepped(6, math.inf, math.nan, 7)
        tell(runs, first, Stepped(5, math.nan, 1.0, 7), odd, Evaluated(6, 0.1, (("output", 0.2),)))
        rest(runs, first, "diverged")
        before = [known(runs, name) for name in (first, second)]
    with silently(tmp_path) as runs:
        after = [known(runs, name) for name in (first, second)]
        assert repr(after) == repr(before)  # nan is not equal to nan
        assert after[0][0].followers == 2
        assert after[0][0].began.parameters == 1234
        assert runs._runs.computations()[0].shared is False


def test_a_copy_has_a_ledger_of_its_own_and_its_history_may_begin_anew(tmp_path, monkeypatch):
    with silently(tmp_path) as runs:
        first, second = runs.start(LONG), runs.start(LONG)
        common = runs._runs[first].computation
        tell(runs, first, *steps(1, 9), sample="nine")
        monkeypatch.setattr(pool, "RESPONSE_SECONDS", 0.0)
        runs.pause(first)
        worker = runs._scheduler.group.find_holder(common)
        tell(runs, second, *steps(10, 12), sample="twelve")
        worker.on_answer(worker, Copied(common.name, 7, worker.told[-1].folder))
        assert runs.view(first).step == 7
        copied, other = known(runs, first)[1], known(runs, second)[1]
    with silently(tmp_path) as runs:
        assert (runs.view(first).state, runs.view(second).state) == ("paused", "interrupted")
        assert (runs.history(first), runs.history(second)) == (copied, other)
        assert [runs.view(name).followers for name in (first, second)] == [1, 1]


def test_a_run_from_a_file_is_known_again_with_the_losses_it_does_not_know(tmp_path):
    run = Training(TINY)
    for event in run:
        if isinstance(event, Stepped) and event.step == 12:
            break
    with silently(tmp_path) as runs:
        name = runs.adopt(dump(run))
    with silently(tmp_path) as runs:
        assert (runs.view(name).state, runs.view(name).step) == ("paused", 12)
        assert all(map(math.isnan, runs.history(name).losses))
        assert runs.checkpoint(name) == dump(run)


@pytest.mark.walk("training", alone=True)
def test_what_was_saved_and_never_told_is_missing_in_the_curve_alone(tmp_path):
    """The server was killed between a worker's checkpoint and the report that would follow."""
    run = Training(TINY)
    for event in run:
        if isinstance(event, Stepped) and event.step == 12:
            break
    with silently(tmp_path) as runs:
        name = runs.start(TINY)
        losses = plain(TINY, 40)[0]
        tell(runs, name, *(Stepped(n, losses[n - 1], 1.0, 7) for n in range(1, 9)))
        folder = runs._runs[name].computation.folder
    (folder / "checkpoint.safetensors").write_bytes(dump(run))
    (folder / "checkpoint.123.part").write_bytes(b"half")
    with persistent(tmp_path, workers=1) as runs:
        assert not list(folder.glob("*.part"))
        single = runs.resume(name, 1)
        assert (single.state, single.step) == ("paused", 13)
        runs.resume(name)
        until(lambda: runs.view(name).state == "finished")
        found = runs.history(name).losses
        assert found[:8] + found[12:] == losses[:8] + losses[12:]
        assert all(map(math.isnan, found[8:12]))


def test_runs_that_are_forgotten_leave_nothing(tmp_path):
    with silently(tmp_path) as runs:
        name, kept = runs.start(LONG), runs.start(TINY)
        runs._runs[name].seen -= 2 * pool.RETENTION_SECONDS
        folder = runs._runs[kept].computation.folder
        tell(runs, kept, *steps(1, 2))
        with pytest.raises(ValueError, match="are deleted after 7 days"):
            runs.view(name)
        assert [each for each in tmp_path.iterdir() if each.is_dir()] == [folder]


BROKEN = {
    "no JSON": lambda text: "{nonsense\n" + text,
    "another format": lambda text: text.replace("language-models-live", "something-else"),
    "a spec that is none": lambda text: text.replace('\\"batch\\": 3', '\\"batch\\": -3'),
    "a state that is none": lambda text: text.replace('"paused"', '"perhaps"'),
    "a name that is none": lambda text: text.replace('"names": ["', '"names": ["../'),
    "a loss that is none": lambda text: text.replace('"losses": [1.0', '"losses": ["one"'),
    "fewer norms": lambda text: text.replace('"norms": [0.5, ', '"norms": ['),
    "a gap": lambda text: text.replace('"since": [0, 0, 0]', '"since": [5, 0, 0]'),
    "no names": lambda text: text.splitlines(keepends=True)[0],
    "nothing": lambda text: "",
    "a list": lambda text: "[]\n",
    "nesting": lambda text: "[" * 100_000 + "\n",
    "a broken middle": lambda text: text.replace('"since"', "since"),
    "no text": lambda text: "\udcff\udcfe\n",
}


@pytest.mark.parametrize("damage", BROKEN.values(), ids=BROKEN)
def test_a_ledger_that_is_broken_is_left_out_with_a_warning_and_takes_no_other(
    tmp_path, caplog, damage
):
    with silently(tmp_path) as runs:
        bad, good = runs.start(replace(TINY, corpus=STORY)), runs.start(TINY)
        for name in (bad, good):
            tell(runs, name, *steps(1, 5))
            rest(runs, name)
        folder = runs._runs[bad].computation.folder
    path = folder / JOURNAL_FILE
    before = path.read_text()
    path.write_text(damage(before), errors="surrogateescape")
    assert path.read_text(errors="surrogateescape") != before
    with caplog.at_level(logging.WARNING), silently(tmp_path) as runs:
        assert (bad in runs, good in runs) == (False, True)
        assert runs.history(good).losses == [1.0 / n for n in range(1, 6)]
    (record,) = caplog.records
    assert folder.name in record.getMessage()
    assert "cats" not in record.getMessage()
    assert path.exists()


def test_a_name_that_two_ledgers_have_is_the_firsts_alone(tmp_path, caplog):
    with silently(tmp_path) as runs:
        name = runs.start(TINY)
        folder = runs._runs[name].computation.folder
        rest(runs, name)
    shutil.copytree(folder, tmp_path / "zzzzzzzzzzzz")
    with silently(tmp_path) as runs:
        assert runs.view(name).followers == 1
    assert "another has its name" in caplog.text


def test_a_line_cut_short_is_cut_away_and_written_again(tmp_path):
    with silently(tmp_path) as runs:
        name = runs.start(TINY)
        tell(runs, name, *steps(1, 5))
        path = runs._runs[name].computation.folder / JOURNAL_FILE
    with path.open("a") as file:
        file.write('{"since": [5, 0, 0], "los')
    with silently(tmp_path) as runs:
        assert runs.view(name).step == 5
        runs.resume(name)
        tell(runs, name, *steps(6, 8))
    for line in path.read_text().splitlines():
        json.loads(line)
    with silently(tmp_path) as runs:
        assert runs.history(name).losses == [1.0 / n for n in range(1, 9)]


def test_a_ledger_that_cannot_be_written_is_complained_of_once_and_made_good(tmp_path, caplog):
    with silently(tmp_path) as runs:
        name = runs.start(TINY)
        path = runs._runs[name].computation.folder / JOURNAL_FILE
        path.rename(aside := path.with_name("aside"))
        path.mkdir()
        tell(runs, name, *steps(1, 3))
        tell(runs, name, *steps(4, 5))
        assert runs.view(name).state == "running"
        assert len(caplog.records) == 1
        path.rmdir()
        aside.rename(path)
        tell(runs, name, *steps(6, 7))
    with silently(tmp_path) as runs:
        assert runs.history(name).losses == [1.0 / n for n in range(1, 8)]


def test_on_a_full_disk_what_is_short_is_still_written(tmp_path):
    with silently(tmp_path) as runs:
        name = runs.start(TINY)
        runs._store.most = 0
        tell(runs, name, *steps(1, 3))
        rest(runs, name)
    with silently(tmp_path) as runs:
        assert (runs.view(name).state, runs.view(name).step) == ("paused", 0)


@pytest.mark.parametrize("place", ["/proc/runs", "file/inside"])
def test_a_folder_that_cannot_be_written_is_refused(tmp_path, place):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ValueError, match="LMCORE_RUNS_FOLDER must be a folder that can be writ"):
        pool.Pool(persistent=tmp_path / place)


def test_two_servers_on_one_folder_each_have_a_place_there(tmp_path):
    with silently(tmp_path) as first, silently(tmp_path) as second:
        one, two = first.start(TINY, owner="ann"), second.start(TINY, owner="bea")
        assert one not in second and two not in first
    with silently(tmp_path) as first, silently(tmp_path) as second:
        assert (first.view(one).owner, second.view(two).owner) == ("ann", "bea")


def test_what_ended_servers_left_is_adopted_by_whoever_is_asked_for_it(tmp_path):
    with silently(tmp_path) as last:
        with silently(tmp_path) as second, silently(tmp_path) as third:
            names = [each.start(TINY, owner="ann") for each in (last, second, third)]
            tell(second, names[1], *steps(1, 3))
            assert names[1] not in last, "the second still has it"
        assert last.view(names[1]).state == "interrupted"
        assert last.history(names[1]).losses == [1.0, 0.5, 1 / 3]
        assert last.view(names[2]).owner == "ann"
        with silently(tmp_path) as fourth:
            assert not set(names) & set(fourth._runs), "nobody else has them now"
            last.delete(names[2])
            last.rename(names[1], "mine")
    with silently(tmp_path) as only:
        assert only.view(names[1]).title == "mine", "it stays where it was, and is found there"
        assert names[0] in only and names[2] not in only


def test_servers_that_start_at_once_take_different_places(tmp_path):
    with ThreadPoolExecutor(8) as threads:
        stores = list(threads.map(lambda _: Store.persistent(tmp_path, 10**6), range(8)))
    assert len({each.folder for each in stores}) == 8
    for each in stores:
        each.close()


def test_nothing_on_the_disk_is_a_pickle_or_has_a_visitors_words_in_its_name(tmp_path):
    with persistent(tmp_path, workers=1, limits=Limits()) as runs:
        name = runs.start(replace(TINY, corpus=STORY, steps=3, every=1), owner="ann")
        until(lambda: runs.view(name).state == "finished")
    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"lock", JOURNAL_FILE, "checkpoint.safetensors"}
    text = next(tmp_path.rglob(JOURNAL_FILE)).read_text()
    assert json.loads(text.splitlines()[0])["format"] == run_journal.FORMAT
