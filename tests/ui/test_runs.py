"""What a listener receives about a run, who may control the run, and the pool's lifetime."""

import asyncio
import json
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from lmcore.training.events import Evaluated, History, Stepped
from lmcore.training.pool.backend import RunUnreachable
from lmcore.training.pool.control import NOT_YOURS
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.runs import RunView
from lmcore.training.ray.pool import RayPool
from lmcore.training.spec import RunSpec
from ui import runs
from ui.visitors import COOKIE, LINKS, visitor_of


def finished(coroutine):
    """The coroutine's result, from another thread: a browser test may use this one's event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class Known:
    """A pool with one run, whose events the test sets."""

    near = True

    def __init__(self):
        self.lines = History()
        self.version = 0

    def is_here(self, name):
        return self.near

    def view(self, name):
        if name != "a":
            raise ValueError("The run is no longer on the server")
        step = len(self.lines.losses)
        return RunView("a", RunSpec(), "running", step, 0, "", 10.0, "CPU", 1, self.version, None)

    def history(self, name):
        return self.lines

    def make(self, *events):
        for event in events:
            self.lines.record(event)
        self.version += 1


@pytest.fixture
def known(monkeypatch):
    pool = Known()
    monkeypatch.setattr(runs, "pool", lambda: pool)
    monkeypatch.setattr(runs, "POLL_SECONDS", 0.0)
    return pool


def test_a_listener_is_told_only_what_is_new(known):
    known.make(Evaluated(0, 5.6, ()), Stepped(1, 5.5, 1.0, 10), Stepped(2, 5.4, 0.9, 10))
    cursor = runs.Cursor()
    first = runs.poll_run_blocking("a", cursor)
    assert first["losses"] == [5.5, 5.4]
    assert first["evaluations"] == [(0, 5.6, [], pytest.approx(math.exp(5.6)))]
    assert first["since"] == (0, 0, 0)
    assert runs.poll_run_blocking("a", cursor) is None
    known.make(Stepped(3, 5.3, 0.8, 10))
    second = runs.poll_run_blocking("a", cursor)
    assert (second["since"], second["losses"], second["evaluations"]) == ((2, 1, 0), [5.3], [])


def test_a_history_that_became_shorter_is_told_from_its_end(known):
    known.make(Stepped(1, 5.5, 1.0, 10), Stepped(2, 5.4, 0.9, 10))
    cursor = runs.Cursor()
    runs.poll_run_blocking("a", cursor)
    known.lines = known.lines.copy(1)
    known.version += 1
    assert runs.poll_run_blocking("a", cursor)["since"] == (1, 0, 0)


def test_a_step_whose_norm_is_yet_to_come_is_told_with_its_norm(known):
    known.make(Stepped(1, 5.5, 1.0, 10))
    known.lines.losses.append(5.4)  # the worker's listener is between a loss and its norm
    known.version += 1
    cursor = runs.Cursor()
    first = runs.poll_run_blocking("a", cursor)
    assert (first["losses"], first["norms"]) == ([5.5], [1.0])
    known.lines.norms.append(0.9)
    known.version += 1
    second = runs.poll_run_blocking("a", cursor)
    assert (second["since"][0], second["losses"], second["norms"]) == (1, [5.4], [0.9])


def test_a_run_that_is_gone_is_told_once(known):
    cursor = runs.Cursor()
    assert runs.poll_run_blocking("b", cursor)["state"] == "gone"
    assert runs.poll_run_blocking("b", cursor) is None


def test_a_run_whose_server_does_not_answer_is_away_and_comes_back(known, monkeypatch):
    known.make(Stepped(1, 5.5, 1.0, 10))
    cursor, view = runs.Cursor(), known.view

    def silent(name):
        raise RunUnreachable("no answer")

    assert runs.poll_run_blocking("a", cursor)["state"] == "running"
    monkeypatch.setattr(known, "view", silent)
    assert runs.poll_run_blocking("a", cursor) == {"state": "away", "why": "no answer"}
    assert runs.poll_run_blocking("a", cursor) is None
    monkeypatch.setattr(known, "view", view)
    back = runs.poll_run_blocking("a", cursor)
    assert (back["state"], back["since"], back["losses"]) == ("running", (1, 0, 0), [])


def test_the_stream_speaks_the_language_of_server_sent_events(known):
    known.make(Stepped(1, 5.5, 1.0, 10))

    async def first():
        return await anext(runs.run_events(["a", "b"]))

    message = finished(first())
    assert message.startswith("data: ") and message.endswith("\n\n")
    news = json.loads(message.removeprefix("data: "))
    assert news["a"]["losses"] == [5.5]
    assert news["b"]["state"] == "gone"


def test_a_silent_stream_gives_a_sign_of_life(known, monkeypatch):
    known.make(Stepped(1, 5.5, 1.0, 10))
    monkeypatch.setattr(runs, "KEEPALIVE_SECONDS", 0.0)

    async def two():
        stream = runs.run_events(["a"])
        return [await anext(stream), await anext(stream)]

    assert finished(two())[1] == ": still here\n\n"


def test_a_loss_that_is_no_number_still_travels_as_json(known):
    known.make(Evaluated(0, 1e4, ()), Stepped(1, math.nan, math.inf, 10))

    async def first():
        return await anext(runs.run_events(["a"]))

    def refused(name):
        raise AssertionError(name)

    text = finished(first()).removeprefix("data: ")
    news = json.loads(text, parse_constant=refused)["a"]
    assert (news["losses"], news["norms"]) == ([None], [None])
    assert news["evaluations"] == [[0, 1e4, [], None]]


def test_a_long_history_is_told_in_pieces_without_waiting(known, monkeypatch):
    monkeypatch.setattr(runs, "MOST_STEPS", 3)
    monkeypatch.setattr(runs, "POLL_SECONDS", 1e6)
    known.make(*(Stepped(step, 1.0 / step, 1.0, 7) for step in range(1, 9)))

    async def pieces():
        told = runs.run_events(["a"])
        return [json.loads((await anext(told)).removeprefix("data: "))["a"] for _ in range(3)]

    found = finished(asyncio.wait_for(pieces(), 20))
    assert [piece["since"][0] for piece in found] == [0, 3, 6]
    assert [loss for piece in found for loss in piece["losses"]] == known.lines.losses


def test_many_who_come_at_once_share_one_pool(monkeypatch):
    def slowly():
        time.sleep(0.05)
        return object()

    runs._pool.cache_clear()
    monkeypatch.setattr(runs, "Pool", slowly)
    gate = threading.Barrier(8)
    found = []

    def come():
        gate.wait()
        found.append(runs.pool())

    threads = [threading.Thread(target=come) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    runs._pool.cache_clear()
    assert len(found) == 8
    assert len(set(map(id, found))) == 1


def test_a_look_that_may_wait_for_another_machine_holds_up_no_other_listener(known):
    known.near = False
    known.make(Stepped(1, 5.5, 1.0, 10))
    here, asked = [], []
    history = known.history
    known.history = lambda name: asked.append(threading.get_ident()) or history(name)

    async def first():
        here.append(threading.get_ident())
        return await anext(runs.run_events(["a"]))

    assert "5.5" in finished(first())
    assert asked and here[0] not in asked


def test_the_runs_of_a_server_with_an_address_are_a_clusters(monkeypatch):
    monkeypatch.setenv("LMCORE_RAY_ADDRESS", "head:6379")
    runs._pool.cache_clear()
    try:
        assert isinstance(runs.pool(), RayPool)
        runs.close()
    finally:
        runs._pool.cache_clear()


OWNER, STRANGER = {COOKIE: "a" * 32}, {COOKIE: "b" * 32}


class Quiet:
    """A factory of workers and, at once, the worker: it never answers."""

    computations: dict = {}  # noqa: RUF012
    pid, device = 0, "CPU"

    def limit(self):
        return 1

    def start_worker(self, on_answer):
        return self

    def send(self, command):
        pass

    def end(self):
        pass


@pytest.fixture
def pool(tmp_path, monkeypatch):
    monkeypatch.setattr("lmcore.training.pool.pool.RESPONSE_SECONDS", 0.0)
    made = Pool(tmp_path, factory=Quiet())
    monkeypatch.setattr(runs, "pool", lambda: made)
    yield made
    made.close()


@pytest.fixture
def asked(pool):
    """A function that posts an order to OWNER's run, whose name is `asked.run`."""
    client = TestClient(Starlette(routes=runs.ROUTES))

    def post(verb, cookies=None, **headers):
        said = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
        sent = {"cookie": said, **{name.replace("_", "-"): v for name, v in headers.items()}}
        return client.post(f"/live/runs/{post.run}/{verb}", headers=sent)

    post.run = pool.start(RunSpec(steps=99), owner=visitor_of(OWNER).identity)
    return post


VERBS = ("pause", "resume", "step", "stop")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("cookies", [{}, STRANGER, {COOKIE: ""}, {LINKS: "t" * 24}], ids=str)
def test_who_did_not_start_a_run_is_refused_in_a_sentence(pool, asked, verb, cookies):
    before = pool.view(asked.run)
    answer = asked(verb, cookies)
    assert (answer.status_code, answer.json()) == (403, {"error": NOT_YOURS})
    assert pool.view(asked.run) == before


@pytest.mark.parametrize("verb", VERBS)
def test_neither_the_identity_nor_the_name_of_a_run_controls_it(pool, asked, verb):
    identity = visitor_of(OWNER).identity
    for forged in ({COOKIE: identity}, {COOKIE: asked.run}, {LINKS: identity}):
        assert asked(verb, forged).status_code == 403
    assert asked(verb, run_key=identity).status_code == 403


def test_the_browser_that_started_a_run_controls_it(pool, asked):
    assert asked("pause", OWNER).status_code == 200
    assert pool._runs[asked.run].computation.wanted == "paused"
    assert asked("stop", OWNER).json()["state"] == "running"  # until its worker has saved it
    assert pool._runs[asked.run].computation.wanted == "stopped"


def test_a_page_without_cookies_controls_with_its_own_key(pool, asked):
    assert asked("pause", run_key=STRANGER[COOKIE]).status_code == 403
    assert asked("pause", run_key=OWNER[COOKIE]).status_code == 200


def test_a_control_link_controls_until_it_is_withdrawn(pool, asked):
    token = pool.control_link(asked.run)
    held = {**STRANGER, LINKS: token}
    assert asked("pause", held).status_code == 200
    pool.withdraw_link(asked.run)
    assert asked("resume", held).status_code == 403


def test_a_run_or_an_order_that_is_none_is_not_found(asked):
    assert asked("explode", OWNER).status_code == 404
    asked.run = "nobody"
    assert asked("pause", OWNER).status_code == 404


def test_what_is_told_of_a_run_holds_no_owner_and_no_link(pool, asked):
    token = pool.control_link(asked.run)
    told = json.dumps(runs.poll_run_blocking(asked.run, runs.Cursor()))
    assert token not in told and visitor_of(OWNER).identity not in told


def test_outside_of_a_session_runs_are_nobodys():
    assert runs.owner() == ""


def test_closing_starts_no_pool(monkeypatch):
    runs._pool.cache_clear()
    runs.close()
    assert runs._pool.cache_info().currsize == 0
