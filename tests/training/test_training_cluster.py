"""What a cluster adds: replicas that come and go, and a cluster that may be unreachable."""

import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cluster_at_hand import TERMS, Head, free_port, patient, replica
from runs_at_hand import LONG, TINY, alive, plain, until

from lmcore.training.pool import mirrored
from lmcore.training.pool.control import ControlRefused
from lmcore.training.pool.limits import Limits
from lmcore.training.pool.run_journal import SERVER_ENDED
from lmcore.training.ray import bridge as ray_bridge
from lmcore.training.ray import pool
from lmcore.training.ray import terms as ray_terms
from lmcore.training.ray.pool import ClusterUnreachable, RayPool

ROOT = Path(__file__).resolve().parent.parent.parent
STARTS = """
import json, sys, time
sys.path.insert(0, {here!r})
from dataclasses import replace
from runs_at_hand import LONG, PLENTY, until
from cluster_at_hand import TERMS
from lmcore.training.ray import bridge as ray_bridge, pool as ray_pool
ray_pool.ANSWERED = ray_bridge.CONNECTING = PLENTY
runs = ray_pool.RayPool({address!r}, TERMS)
name = runs.start(replace(LONG, seed=91), owner="ann")
until(lambda: runs.view(name).step > 0)
print(json.dumps([name, runs._bridge._process.pid]), flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    patient(monkeypatch)
    monkeypatch.setattr(pool, "RETRY_SECONDS", 0.0)


@pytest.mark.walk("training", alone=True)
def test_a_run_goes_on_when_the_replica_that_began_it_is_killed(head):
    script = STARTS.format(here=str(Path(__file__).parent), address=head.address)
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as other:
        name, bridge = json.loads(other.stdout.readline())
        other.kill()
    until(lambda: not alive(bridge))
    with replica(head) as runs:
        step = runs.view(name).step
        until(lambda: runs.view(name).step > step)
        end = runs.stop(name).step
        assert runs.history(name).losses == plain(replace(LONG, seed=91), end)[0]


@pytest.mark.walk("training", alone=True)
def test_what_one_replica_does_the_other_sees_and_many_looks_are_one_call(head, monkeypatch):
    with replica(head) as one, replica(head) as other:
        name = one.start(replace(LONG, seed=92))
        until(lambda: other.view(name).step > 5)
        paused = other.pause(name)
        until(lambda: one.view(name).state == "paused")
        assert one.view(name) == replace(paused, version=one.view(name).version)
        assert one.history(name) == other.history(name)
        asked = []
        whole = ray_bridge.Bridge.ask
        monkeypatch.setattr(
            ray_bridge.Bridge, "ask", lambda *given: asked.append(given[2]) or whole(*given)
        )
        monkeypatch.setattr(mirrored, "FRESH_SECONDS", 1e6)
        one._stale()
        for _ in range(100):
            one.view(name)
            one.history(name)
        assert asked == ["changes"]
        assert other.stop(name).state == "stopped"


@pytest.mark.walk("training", alone=True)
def test_a_bridge_that_is_killed_is_built_again(head):
    with replica(head) as runs:
        name = runs.start(replace(LONG, seed=93))
        before = runs._bridge
        os.kill(before._process.pid, signal.SIGKILL)
        with pytest.raises(ClusterUnreachable, match=r"does not answer: .*the process that leads"):
            while True:  # until its end is noticed
                runs.states()
        runs.warm()
        assert runs.view(name).state in ("queued", "running")
        assert runs._bridge is not before
        runs.stop(name)


@pytest.mark.walk("faults", alone=True)
def test_a_limit_of_one_owner_is_refused_in_the_same_words(head):
    with replica(head) as runs:
        names = runs.start_all([replace(LONG, seed=s) for s in range(100, 106)], owner="ann")
        with pytest.raises(ValueError, match=r"A visitor may have at most 6 .* would make 7"):
            runs.start(TINY, owner="ann")
        theirs = runs.start(replace(LONG, seed=100), owner="bob")
        assert runs.view(theirs).followers == 2
        after = runs.start_all([TINY], owner="ann", instead=names)
        assert [runs.view(name).state for name in names] == ["stopped"] * 6
        until(lambda: runs.view(after[0]).state == "finished")
        runs.stop(theirs)


@pytest.mark.walk("training")
def test_a_dead_head_is_missed_in_words_and_comes_back_with_its_runs_and_their_owners(
    tmp_path,
):
    """The runs have a folder, which is all that outlives the head node."""
    spec = replace(LONG, seed=94)
    cluster = Head()
    try:
        with replica(cluster, replace(TERMS, folder=str(tmp_path))) as runs:
            name = runs.start(spec, owner="ann")
            token = runs.control_link(name, by=["ann"])
            until(lambda: runs.view(name).step > 5)
            saved = runs.pause(name, by=["ann"]).step
            keeper = (tmp_path / "lock").read_text()
            os.kill(int(keeper), signal.SIGKILL)  # Ray starts it again
            until(lambda: name in runs and (tmp_path / "lock").read_text() not in ("", keeper))
            until(lambda: name in runs)
            assert (runs.view(name).state, runs.view(name).step) == ("paused", saved)
            with pytest.raises(ControlRefused):
                runs.resume(name, by=["bob"])
            runs.resume(name, by=[token])
            until(lambda: runs.view(name).step > saved + 5)
            cluster.end()
            runs.warm()
            with pytest.raises(ClusterUnreachable, match=r"The Ray cluster at .* does not answer"):
                while True:
                    runs.states()
            assert name not in runs
            cluster.begin()
            until(lambda: name in runs)
            view = runs.view(name)
            assert (view.state, view.why) == ("interrupted", SERVER_ENDED)
            with pytest.raises(ControlRefused):
                runs.resume(name, by=["bob"])
            runs.resume(name, 1, by=[token])
            assert runs.view(name).step > saved
            end = runs.stop(name, by=["ann"]).step
            whole = plain(spec, end)[0]
            assert runs.history(name).losses[:saved] == whole[:saved]
            assert runs.history(name).losses[-1] == whole[-1]
    finally:
        cluster.close()


def test_a_cluster_that_is_not_there_is_refused_and_a_page_does_not_wait_for_it():
    runs = RayPool(f"127.0.0.1:{free_port()}", TERMS)
    with pytest.raises(ClusterUnreachable, match=r"Ray cluster at 127\.0\.0\.1.*refused"):
        runs.start(TINY)
    assert "nobody" not in runs
    runs.warm()
    until(lambda: not runs._warming.is_set())
    runs.close()


def test_a_port_that_is_no_clusters_is_given_up(monkeypatch):
    monkeypatch.setattr(ray_bridge, "CONNECTING", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as door:
        runs = RayPool(f"127.0.0.1:{door.getsockname()[1]}", TERMS)
        with pytest.raises(ClusterUnreachable, match=r"it did not answer within 0 s|ended"):
            runs.states()
        monkeypatch.setattr(pool, "RETRY_SECONDS", 1e6)
        monkeypatch.setattr(pool, "Bridge", None)  # no second attempt to connect
        with pytest.raises(ClusterUnreachable):
            runs.states()


@pytest.mark.parametrize("address", ["head", "ray://head:10001", "head:port", "a b:1", ":1", ""])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(ValueError, match="LMCORE_RAY_ADDRESS must be auto or a host and port"):
        ray_terms.check_address(address)


def test_a_server_without_ray_says_what_to_install(monkeypatch):
    monkeypatch.setattr(ray_terms, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"Ray is not installed.*pip install -r requirements-ray"):
        RayPool("head:6379", TERMS)


def test_lmcore_is_imported_without_ray():
    script = "import sys, ui.runs, lmcore.training.ray.pool; sys.exit('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0


def test_the_terms_are_as_the_server_is_set_to(monkeypatch):
    settings = {"RAY_CPUS": "0.5", "RAY_GPUS": "0.25", "WEIGHTS": "2000", "WORKERS": "3"}
    for name, value in {**settings, "RUNS_FOLDER": "/srv/runs", "RUNS": "7"}.items():
        monkeypatch.setenv(f"LMCORE_{name}", value)
    terms = ray_terms.RaySettings.configured()
    assert terms == ray_terms.RaySettings(Limits(runs=7), "/srv/runs", 3, 0.5, 0.25, 2000)
