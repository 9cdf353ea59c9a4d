"""Runs of two replicas, each found from both; callers that are not replicas find nothing."""

import contextlib
import json
import math
import socket
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from runs_at_hand import LONG, STORY, TINY, Silence, own_pool, plain, until

from lmcore.training.events import Evaluated, Stepped
from lmcore.training.pool.backend import RunBackend, RunUnreachable
from lmcore.training.pool.control import ControlRefused
from lmcore.training.pool.messages import RunProgress
from lmcore.training.pool.service import RunService
from lmcore.training.replicas import replica, wire
from lmcore.training.replicas.pool import SharedPool
from lmcore.training.replicas.replica import Address, read_addresses

SECRET = "the same on every replica"


class Served:
    """A replica: its runs, and the calls that it received."""

    def __init__(self, own, server):
        self.runs, self.server, self.calls = own, server, []

    def call(self, body, signature):
        self.calls.append(body)
        return wire.answer(self.runs.service, self.runs.signer, body, signature)


@contextlib.contextmanager
def listening(call):
    """An HTTP server that answers with `call`; yields the server."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            try:
                said, signed = call(body, self.headers.get(wire.SIGNATURE, ""))
            except wire.NoReplica:
                said, signed = b"Not Found", ""
            self.send_response(200)
            self.send_header(wire.SIGNATURE, signed)
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def replicas(folder, count=2, secret=SECRET, **settings):
    """That many replicas, each with the addresses of all."""
    with contextlib.ExitStack() as ended:
        pools = [ended.enter_context(own_pool(folder, **settings)) for _ in range(count)]
        there = [Served(None, None) for _ in pools]
        ports = [ended.enter_context(listening(each.call)).server_port for each in there]
        named = [Address("127.0.0.1", port) for port in ports]
        for each, own in zip(there, pools, strict=True):
            each.runs = SharedPool(own, named, secret)
        yield there


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(replica, "RETRY_SECONDS", 0.0)


def tell(runs, name, *events):
    """Send a silent worker's report on a run."""
    computation = runs.own._runs[name].computation
    worker = runs.own._scheduler.group.find_holder(computation)
    worker.on_answer(worker, RunProgress(computation.name, len(events), events, 10.0, "a text"))


@pytest.mark.walk("training", alone=True)
def test_a_run_is_watched_and_controlled_from_the_other_replica_as_from_its_own(tmp_path):
    with replicas(tmp_path) as (one, other):
        here, there = one.runs, other.runs
        assert isinstance(there, RunBackend)
        name = here.start(replace(LONG, seed=5), owner="ann")
        until(lambda: there.view(name).step > 5)
        assert (here.is_here(name), there.is_here(name)) == (True, False)
        assert there.live_runs("ann") == [name] and there.live_runs("bea") == []
        with pytest.raises(ControlRefused):
            there.pause(name, by=["bea"])
        paused = there.pause(name, by=["ann"])
        assert paused.state == here.view(name).state == "paused"
        assert there.history(name).losses == plain(replace(LONG, seed=5), paused.step)[0]
        assert there.checkpoint(name) == here.checkpoint(name) is not None
        token = there.control_link(name, by=["ann"])
        assert there.resume(name, 1, by=["bea", token]).step == paused.step + 1
        there.withdraw_link(name, by=["ann"])
        with pytest.raises(ControlRefused):
            there.rename(name, "mine", by=[token])
        assert there.rename(name, "mine", by=["ann"]).title == here.view(name).title == "mine"
        forked = there.fork(name, owner="bea")
        until(lambda: there.view(forked).step > paused.step + 1)
        assert there.view(forked).owner == "bea" and there.view(name).state == "paused"
        assert there.processor_seconds("bea") > 0
        there.delete(name, by=["ann"])
        for runs in (here, there):
            with pytest.raises(ValueError, match="no longer on the server"):
                runs.view(name)


def test_one_has_runs_on_both_and_those_begun_here_stop_ones_own_there(tmp_path):
    with replicas(tmp_path, factory=Silence()) as (one, other):
        mine, theirs = one.runs.start(TINY, owner="ann"), one.runs.start(TINY, owner="bea")
        begun = other.runs.start_all([LONG], owner="ann", instead=[mine, theirs, "a" * 12])
        assert sorted(one.runs.live_runs("ann")) == begun
        assert one.runs.view(mine).state != "queued" and one.runs.live_runs("bea") == [theirs]


def test_what_is_no_number_and_a_visitors_text_arrive_as_they_are(tmp_path):
    with replicas(tmp_path, factory=Silence()) as (one, other):
        name = one.runs.start(replace(TINY, corpus=STORY), owner="ann")
        events = (Evaluated(0, 9.5, (("E", 0.1),)), Stepped(1, math.nan, math.inf, 7))
        tell(one.runs, name, *events)
        seen, known = other.runs.history(name), one.runs.history(name)
        assert math.isnan(seen.losses[0]) and seen.norms == [math.inf]
        assert (seen.evaluations, seen.samples) == (known.evaluations, known.samples)
        assert other.runs.view(name) == one.runs.view(name)


def test_many_looks_are_one_call_and_a_replica_calls_neither_itself_nor_whoever_has_not(tmp_path):
    with replicas(tmp_path, 3, factory=Silence()) as (one, other, third):
        names = [one.runs.start(replace(TINY, seed=seed)) for seed in range(5)]
        for name in names:
            other.runs.view(name)
        asked = len(one.calls), len(third.calls)
        for _ in range(200):
            for name in names:
                other.runs.view(name)
                other.runs.history(name)
        assert len(one.calls) - asked[0] <= 20, "five a second, for all five runs"
        assert len(third.calls) == asked[1]
        assert len(other.calls) <= 1, "it has found out that this is itself"


def test_a_replica_that_does_not_answer_is_said_to_and_one_that_is_gone_is_gone(tmp_path):
    with replicas(tmp_path, factory=Silence()) as (one, other):
        name = one.runs.start(TINY)
        assert name in other.runs
        other.runs._replicas._known.clear()
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            nobody = Address("127.0.0.1", closed.getsockname()[1])
            other.runs._replicas._named = [nobody]
            other.runs._replicas._resolved = -math.inf
            with pytest.raises(RunUnreachable, match="does not answer at the moment"):
                other.runs.view(name)
            assert name not in other.runs
            other.runs._replicas._named = []
            other.runs._replicas._known.clear()
            with pytest.raises(ValueError, match="no longer on the server"):
                other.runs.view(name)


def test_what_a_dead_replica_had_saved_is_adopted_by_the_one_that_is_asked(tmp_path):
    with replicas(None, persistent=tmp_path, factory=Silence()) as (one, other):
        name = one.runs.start(TINY, owner="ann")
        tell(one.runs, name, Stepped(1, 5.0, 1.0, 7))
        assert other.runs.view(name).state == "running"
        one.runs.own._store.close()  # as after a kill: the lock is gone, nothing else is written
        one.runs.service._find_pool = lambda: own_empty
        with own_pool(None, factory=Silence()) as own_empty:
            until(lambda: other.runs.view(name).state == "interrupted")
            assert other.runs.is_here(name) and other.runs.view(name).owner == "ann"
            assert other.runs.history(name).losses == [5.0]


@pytest.mark.parametrize(
    "name",
    ["", "127.0.0.1:80/", "//evil.test/a", "http://x.te", "a\r\nHost: x", "é" * 12, "a" * 13],
)
def test_a_name_leads_to_no_address_but_those_of_the_settings(tmp_path, monkeypatch, name):
    called = []

    def ask(host, port, *_):
        called.append((host, port))
        raise wire.NoReplica

    monkeypatch.setattr(wire, "ask", ask)
    with own_pool(tmp_path, factory=Silence()) as own:
        runs = SharedPool(own, [Address("127.0.0.9", 9)], SECRET)
        with pytest.raises(ValueError, match="no longer on the server"):
            runs.view(name)
        assert called == [], "what is no name is not asked for"
        with pytest.raises(RunUnreachable) as refused:
            runs.view("evil-test_80")
        assert "127.0.0.9" not in str(refused.value)
        assert set(called) == {("127.0.0.9", 9)}


def forged(runs, body, secret):
    signed = wire.Signer(secret).sign(body) if secret else ""
    return wire.answer(runs.service, runs.signer, body, signed)


@pytest.mark.parametrize(
    ("call", "secret"),
    [
        ({"life": "", "verb": "live_runs", "given": ["ann"]}, ""),
        ({"life": "", "verb": "live_runs", "given": ["ann"]}, "another"),
        ({"life": "", "verb": "close", "given": []}, SECRET),
        ({"life": "", "verb": "live_runs", "given": [1]}, SECRET),
        ({"life": "", "verb": "live_runs", "given": []}, SECRET),
        ({"life": "", "verb": "control", "given": ["close", "a", {}, [], None]}, SECRET),
        ({"verb": "live_runs"}, SECRET),
        ([], SECRET),
        (None, SECRET),
    ],
)
def test_a_call_that_is_not_a_replicas_is_not_answered(tmp_path, call, secret):
    with own_pool(tmp_path, factory=Silence()) as own:
        runs = SharedPool(own, [], SECRET)
        good = json.dumps({"life": "", "verb": "live_runs", "given": ["ann"]}).encode()
        said, signed = forged(runs, good, SECRET)
        assert json.loads(said) == ["answered", []]
        assert runs.signer.is_signed(signed, runs.signer.sign(good).encode(), said)
        body = b"\xff{" if call is None else json.dumps(call).encode()
        with pytest.raises(wire.NoReplica):
            forged(runs, body, secret)


def test_an_answer_that_is_not_a_replicas_counts_as_none(tmp_path):
    """A server at a replica's address without the secret cannot make others accept a run."""
    with own_pool(tmp_path, factory=Silence()) as own:
        name = own.start(TINY)
        stranger, signer = RunService(lambda: own), wire.Signer("another")
        mine = wire.Signer(SECRET)

        def believed(call):
            with listening(call) as server, own_pool(tmp_path, factory=Silence()) as empty:
                at = Address("127.0.0.1", server.server_port)
                return name in SharedPool(empty, [at], SECRET)

        def answer(body, signature):
            said, _ = wire.answer(stranger, signer, body, signer.sign(body))
            return said, signer.sign(signature.encode(), said)

        assert believed(lambda body, signature: wire.answer(stranger, mine, body, signature))
        assert not believed(answer)
        replayed = wire.answer(stranger, mine, b := b'{"life":"","verb":"live_runs","given":[""]}',
                               mine.sign(b))  # fmt: skip
        assert not believed(lambda *_: replayed), "the answer to another call"


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("", ()),
        ("app:8501", (("app", 8501),)),
        (" a.b:1 , [::1]:65535,", (("a.b", 1), ("::1", 65535))),
    ],
)
def test_addresses_are_read(text, addresses):
    assert read_addresses(text) == addresses


@pytest.mark.parametrize("text", ["app", "app:", ":8501", "app:0", "app:65536", "app:x, b:1"])
def test_an_address_that_is_none_is_named(text):
    with pytest.raises(ValueError, match="LMCORE_REPLICAS must be hosts with their ports"):
        read_addresses(text)


def test_a_name_that_nobody_has_is_nobodys():
    assert replica._resolve(Address("no-such-host.invalid", 1)) == []
