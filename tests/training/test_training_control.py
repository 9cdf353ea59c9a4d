"""A run is controlled by its owner; others watch it, fork it, or use its control link."""

from dataclasses import replace

import psutil
import pytest
from cluster_at_hand import patient, replica
from runs_at_hand import LONG, PLENTY, TINY, Silence, own_pool, until

from lmcore.training.pool import pool
from lmcore.training.pool.control import ControlRefused, check_title, holds
from lmcore.training.pool.limits import Limits
from lmcore.training.pool.messages import Copied, Halted
from lmcore.training.pool.run_journal import JOURNAL_FILE
from lmcore.training.spec import RunSpec
from tests.sampled import sampled

STRANGERS = ((), ("bob",), ("", "an", "anna"))
"""The proofs of identity of visitors who are not ann."""


@pytest.fixture
def silent(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "RESPONSE_SECONDS", 0.0)
    with own_pool(tmp_path, factory=Silence()) as found:
        yield found


@pytest.fixture(scope="module", params=sampled(["embedded", "ray"], ["embedded"], "training"))
def shared(request, tmp_path_factory):
    """Runs with one worker, here and in a cluster."""
    with pytest.MonkeyPatch.context() as patch:
        patient(patch)
        patch.setattr(pool, "RESPONSE_SECONDS", PLENTY)
        if request.param == "ray":
            with replica(request.getfixturevalue("head")) as runs:
                yield runs
        else:
            with own_pool(tmp_path_factory.mktemp("runs")) as runs:
                yield runs


def halted(runs, name, step=0):
    """Send a silent worker's answer that it has saved and halted a run."""
    of = runs._runs[name].computation
    worker = runs._scheduler.group.find_holder(of)
    worker.on_answer(worker, Halted(of.name, step, "halted"))


def orders(runs, name, by):
    """The calls that pause, resume, step, rename, stop and delete a run."""
    return (
        lambda: runs.pause(name, by=by),
        lambda: runs.resume(name, by=by),
        lambda: runs.resume(name, 1, by=by),
        lambda: runs.rename(name, "mine now", by=by),
        lambda: runs.stop(name, by=by),
        lambda: runs.delete(name, by=by),
    )


@pytest.mark.parametrize("by", STRANGERS, ids=str)
def test_who_only_watches_changes_nothing_about_a_run(shared, by):
    name = shared.start(replace(LONG, seed=300), owner="ann")
    until(lambda: shared.view(name).step > 2)
    for order in (
        *orders(shared, name, by),
        lambda: shared.control_link(name, by=by),
        lambda: shared.withdraw_link(name, by=by),
    ):
        with pytest.raises(ControlRefused, match=r"visitor"):
            order()
    view = shared.view(name)
    assert (view.state, view.title, view.controlled_by(by)) == ("running", "", False)
    assert view.controlled_by(["ann"])
    shared.delete(name, by=["ann"])


def test_the_processor_time_of_an_owners_runs_is_part_of_the_workers(shared):
    assert shared.processor_seconds("cleo") == 0
    name = shared.start(replace(TINY, seed=310), owner="cleo")
    until(lambda: shared.view(name).state == "finished")
    once = shared.processor_seconds("cleo")
    used = [psutil.Process(pid).cpu_times() for pid in shared.workers()]
    assert 0 < once <= sum(each.user + each.system for each in used)
    other = shared.start(replace(TINY, seed=311), owner="cleo")
    until(lambda: shared.view(other).state == "finished")
    assert shared.processor_seconds("cleo") > once
    assert shared.processor_seconds("nobody") == shared.processor_seconds("") == 0


def test_its_owner_controls_a_run_with_every_call(shared):
    name = shared.start(replace(LONG, seed=301), owner="ann")
    until(lambda: shared.view(name).step > 2)
    saved = shared.pause(name, by=["ann"])
    assert saved.state == "paused"
    assert shared.resume(name, 1, by=["bob", "ann"]).step == saved.step + 1
    assert shared.rename(name, " seed  301 ", by=["ann"]).title == "seed 301"
    assert shared.resume(name, by=["ann"]).state in ("queued", "running")
    assert shared.stop(name, by=["ann"]).state == "stopped"
    shared.delete(name, by=["ann"])
    assert name not in shared
    with pytest.raises(ValueError, match="no longer on the server"):
        shared.pause(name, by=["ann"])


def test_a_control_link_hands_control_out_until_it_is_withdrawn(shared):
    name = shared.start(replace(LONG, seed=302), owner="ann")
    assert shared.live_runs("ann") == [name]
    token = shared.control_link(name, by=["ann"])
    assert shared.control_link(name, by=["ann"]) == token
    assert len(token) == 24
    assert shared.view(name).controlled_by([token])
    assert token not in repr(shared.view(name))
    assert shared.pause(name, by=["bob", token]).state == "paused"
    assert name not in shared.live_runs("ann")
    with pytest.raises(ControlRefused, match="Only the visitor who started this run"):
        shared.withdraw_link(name, by=[token])
    shared.withdraw_link(name, by=["ann"])
    with pytest.raises(ControlRefused, match="belongs to another visitor"):
        shared.resume(name, by=["bob", token])
    assert shared.control_link(name, by=["ann"]) != token
    shared.delete(name, by=["ann"])


def test_a_fork_of_a_run_that_rests_goes_on_where_it_is_and_leaves_it_alone(shared):
    name = shared.start(replace(LONG, seed=303), owner="ann")
    until(lambda: shared.view(name).step > 5)
    saved = shared.pause(name)
    own = shared.fork(name, owner="bob")
    until(lambda: shared.view(own).step > saved.step + 5)
    assert shared.view(own).controlled_by(["bob"]) and not shared.view(own).controlled_by(["ann"])
    assert (shared.view(name).state, shared.view(name).step) == ("paused", saved.step)
    assert shared.history(own).losses[: saved.step] == shared.history(name).losses
    with pytest.raises(ControlRefused):
        shared.stop(own, by=["ann"])
    for each in (own, name):
        shared.delete(each)
    assert shared.states()["running"] == 0


def test_a_fork_of_a_run_under_way_is_independent_of_it(shared):
    name = shared.start(replace(LONG, seed=304), owner="ann")
    until(lambda: shared.view(name).step > 2)
    own = shared.fork(name, owner="bob")
    assert shared.view(own).followers == 2
    assert shared.stop(own, by=["bob"]).state == "stopped"
    assert (shared.view(name).state, shared.view(name).followers) == ("running", 1)
    for each in (own, name):
        shared.delete(each)


def test_a_fork_of_a_run_that_is_over_begins_again_and_of_a_stopped_one_goes_on(shared):
    name = shared.start(replace(TINY, seed=305), owner="ann")
    until(lambda: shared.view(name).state == "finished")
    again = shared.fork(name, owner="bob")
    until(lambda: shared.view(again).state == "finished")
    assert shared.history(again).losses == shared.history(name).losses
    stopped = shared.start(replace(LONG, seed=306), owner="ann")
    until(lambda: shared.view(stopped).step > 5)
    step = shared.stop(stopped).step
    own = shared.fork(stopped, owner="bob")
    until(lambda: shared.view(own).step > step)
    assert shared.view(stopped).state == "stopped"
    for each in (name, again, stopped, own):
        shared.delete(each)


@pytest.mark.walk("training", alone=True)
def test_two_replicas_know_whose_a_run_is(head, monkeypatch):
    patient(monkeypatch)
    with replica(head) as one, replica(head) as other:
        name = one.start(replace(LONG, seed=307), owner="ann")
        with pytest.raises(ControlRefused, match="You can watch it, and fork a copy"):
            other.stop(name, by=["bob"])
        token = one.control_link(name, by=["ann"])
        assert other.pause(name, by=[token]).state == "paused"
        assert other.rename(name, "one title", by=["ann"]).title == "one title"
        until(lambda: one.view(name).title == "one title")
        other.delete(name, by=["ann"])
        until(lambda: name not in one)


def test_the_next_server_knows_whose_a_run_is(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "RESPONSE_SECONDS", 0.0)
    monkeypatch.setattr(pool, "CLOSING", 0.0)
    with own_pool(None, persistent=tmp_path, factory=Silence()) as runs:
        first, second = runs.start(LONG, owner="ann"), runs.start(LONG, owner="bob")
        free = runs.start(TINY)
        token = runs.control_link(first, by=["ann"])
        runs.rename(second, "bobs", by=["bob"])
        before = {each: runs.view(each) for each in (first, second, free)}
    with own_pool(None, persistent=tmp_path, factory=Silence()) as runs:
        for name, view in before.items():
            after = runs.view(name)
            assert (after.owner, after.link, after.title) == (view.owner, view.link, view.title)
        assert (before[first].owner, before[first].link) == ("ann", token)
        assert (before[second].owner, before[second].title) == ("bob", "bobs")
        with pytest.raises(ControlRefused):
            runs.resume(first, by=["bob"])
        with pytest.raises(ControlRefused):
            runs.resume(free, by=["ann", "bob", ""])
        runs.withdraw_link(first, by=["ann"])
    with own_pool(None, persistent=tmp_path, factory=Silence()) as runs:
        assert runs.view(first).link == ""


def test_a_run_that_an_earlier_version_saved_is_nobodys_and_can_be_forked(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "RESPONSE_SECONDS", 0.0)
    monkeypatch.setattr(pool, "CLOSING", 0.0)
    with own_pool(None, persistent=tmp_path, factory=Silence()) as runs:
        name = runs.start(LONG, owner="ann")
        path = runs._runs[name].computation.folder / JOURNAL_FILE
    text = path.read_text()
    path.write_text(text.replace(f', "held": {{"{name}": ["ann"]}}', ""))
    assert "ann" not in path.read_text() and "ann" in text
    with own_pool(None, persistent=tmp_path, factory=Silence()) as runs:
        with pytest.raises(ControlRefused):
            runs.resume(name, by=["ann"])
        own = runs.fork(name, owner="ann")
        assert runs.view(own).state == "running"
        assert runs.view(name).state == "interrupted"


def test_starting_in_place_of_others_runs_stops_ones_own_alone(silent):
    mine, theirs = silent.start(LONG, owner="ann"), silent.start(RunSpec(seed=3), owner="bob")
    silent.start_all([TINY], owner="ann", instead=[mine, theirs])
    assert silent._runs[mine].computation.wanted == "stopped"
    assert silent._runs[theirs].computation.wanted == "paused"
    assert silent.view(theirs).state == "running"


def test_a_fork_counts_as_a_run_of_its_owner(silent):
    silent.limits = Limits(each=1)
    name = silent.start(LONG, owner="ann")
    with pytest.raises(ValueError, match="at most 1 running or waiting"):
        silent.fork(name, owner="ann")
    silent.fork(name, owner="bob")
    with pytest.raises(ValueError, match="at most 1 running or waiting"):
        silent.fork(name, owner="bob")
    silent.limits = Limits(runs=2)
    with pytest.raises(ValueError, match="no room for another run"):
        silent.fork(name, owner="cleo")


def test_who_steps_a_run_that_was_paused_with_others_steps_no_other(silent):
    first, second = silent.start(LONG, owner="ann"), silent.start(LONG, owner="bob")
    halted(silent, first)  # as at the time limit
    assert [silent.view(name).state for name in (first, second)] == ["paused", "paused"]
    silent.resume(second, by=["bob"])
    assert [silent.view(name).state for name in (first, second)] == ["paused", "running"]


def test_a_copy_in_the_making_is_not_forked_and_what_is_deleted_meanwhile_is_gone(silent):
    first, second = silent.start(LONG, owner="ann"), silent.start(LONG, owner="bob")
    common = silent._runs[first].computation
    silent.pause(first, by=["ann"])
    assert silent.view(first).state == "copying"
    with pytest.raises(ValueError, match="being copied; try again"):
        silent.fork(first, owner="cleo")
    folders = [silent._runs[name].computation.folder for name in (first, second)]
    for folder in folders:
        folder.mkdir(exist_ok=True)
    silent.delete(first, by=["ann"])
    silent.delete(second, by=["bob"])
    assert first not in silent and second not in silent
    worker = silent._scheduler.group.find_holder(common)
    assert worker is not None  # it is still copying
    worker.on_answer(worker, Copied(common.name, 0, worker.told[-1].folder))
    silent.start(TINY)
    assert not any(folder.exists() for folder in folders)


def test_deleting_a_run_leaves_those_that_share_it_and_no_file_of_its_own(silent):
    first, second = silent.start(LONG, owner="ann"), silent.start(LONG, owner="bob")
    silent.delete(first, by=["ann"])
    assert (silent.view(second).state, silent.view(second).followers) == ("running", 1)
    folder = silent._runs[second].computation.folder
    folder.mkdir()
    silent.delete(second, by=["bob"])
    assert not folder.exists() and not silent._runs


@pytest.mark.parametrize(
    "title",
    ["x" * 31, "[a](b)", "*a", "a:b", "www.x", "<b>", "$x$", "`a`", "a\u202eb", "-a", "#"],
)
def test_a_title_that_could_be_more_than_text_is_refused(title):
    with pytest.raises(ValueError, match="A name must have at most 30 letters"):
        check_title(title)


@pytest.mark.parametrize("title", ["", "η = 0", "LSTM, 2 layers", "Läufe-2", "a" * 30])
def test_a_title_of_letters_and_digits_is_kept(title):
    assert check_title(f"  {title} ") == title


def test_nothing_proves_what_is_empty_and_the_server_needs_no_proof():
    assert not holds(["", "a"], "", "")
    assert not holds([], "a")
    assert holds(["b", "a"], "", "a")
    assert holds(None, "a")
