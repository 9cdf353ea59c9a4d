"""Training runs on the server: the shared pool, and the HTTP routes that show and control runs.

    GET  /live/runs?names=a,b     the events of runs a and b, live (server-sent events)
    POST /live/runs/a/pause       also resume, step and stop: for anyone who may control the run

The picture listens there directly: a class that watches its curves causes no reruns, and a click
on Pause does not wait for one.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NotRequired, TypedDict
from urllib.parse import parse_qsl, urlsplit

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from lmcore.configuration import configuration
from lmcore.models.scoring import perplexity_of_loss, uniform_loss
from lmcore.training.events import History
from lmcore.training.pool.backend import RunBackend, RunUnreachable
from lmcore.training.pool.control import ControlRefused
from lmcore.training.pool.copied import CopiedRuns, RunCopy, copy_runs
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.run_journal import NAME
from lmcore.training.pool.runs import RunState, RunView
from lmcore.training.ray.pool import RayPool
from lmcore.training.replicas.pool import SharedPool
from lmcore.training.replicas.replica import read_addresses
from lmcore.training.spec import RunSpec
from ui.visitors import KEY_HEADER, current_visitor, visitor_of
from ui.widgets import address_value, show_error

POLL_SECONDS = 0.2
"""Seconds between two polls of a run."""
GONE_SECONDS = 2.0
"""Seconds between two polls of a run that is gone or away."""
KEEPALIVE_SECONDS = 10.0
"""Seconds of silence after which a keep-alive is sent, so that no proxy disconnects."""
MOST_RUNS = 6
"""Runs that one picture shows."""
MOST_STEPS = 4000
"""Steps sent in one message, which takes about 10 ms while other listeners wait."""
MOST_COPIED = 24
"""Runs that are copied for another process."""
_first = threading.Lock()
_instead: RunBackend | None = None


def pool() -> RunBackend:
    """The runs of this server, on whichever replica they are; within `instead_of_pool`, copies."""
    if _instead is not None:
        return _instead
    with _first:  # the cache alone would let two threads create a pool each
        return _pool()


@lru_cache(maxsize=1)
def _pool() -> RunBackend:
    said = configuration()
    if said.ray_address:
        return RayPool()
    others = read_addresses(said.replicas)
    return SharedPool(Pool(), others, st.get_option("server.cookieSecret")) if others else Pool()


@contextmanager
def instead_of_pool(copies: Mapping[str, RunCopy]) -> Iterator[None]:
    """Give pages these copies of runs, in a process that neither serves nor trains.

    The folder of the runs belongs to the server's own process.
    """
    global _instead
    before, _instead = _instead, CopiedRuns(copies)
    try:
        yield
    finally:
        _instead = before


def copies_for(*paths: str) -> dict[str, RunCopy]:
    """Copies of the runs that the addresses of views name, such as `?runs=a,b`."""
    values = [value for path in paths for _, value in parse_qsl(urlsplit(path).query)]
    named = [part for value in values for part in re.split("[,:]", value) if NAME.fullmatch(part)]
    return copy_runs(pool(), list(dict.fromkeys(named))[:MOST_COPIED]) if named else {}


def owner() -> str:
    """The owner of runs begun here: the current visitor, or empty outside of a session."""
    return current_visitor().identity


def start_runs(specs: Sequence[RunSpec], setting: str, keep: Sequence[str] = ()) -> None:
    """Start runs and name them in a setting, after those to keep; if none can start, show why.

    The visitor's own runs that were named there are stopped. A run that came with a link belongs
    to another visitor and continues.
    """
    session = st.session_state
    try:
        before = [*names_in(setting), *session.get(f"{setting}-begun", [])]
        begun = pool().start_all(specs, owner=owner(), instead=list(dict.fromkeys(before)))
    except ValueError as error:
        show_error(error)
        _offer_room(setting, len(specs))
        return
    session[f"{setting}-begun"] = begun
    session[setting] = ",".join([*keep, *begun][-MOST_RUNS:])
    address_value(setting, "")


def _offer_room(setting: str, wanted: int) -> None:
    """A button that stops the visitor's other runs, wherever they are, if they have too many."""
    try:
        live = [name for name in pool().live_runs(owner()) if name not in names_in(setting)]
    except ValueError:
        return  # the error says that the cluster does not answer
    if live and len(live) + wanted > configuration().runs_per_session:
        label = f"Stop my {len(live)} other {'runs' if len(live) > 1 else 'run'}"
        st.button(label, key=f"{setting}-make-room", on_click=_stop, args=(live,))


def _stop(names: Sequence[str]) -> None:
    proofs = current_visitor().proofs
    for name in names:
        with suppress(ValueError):  # it may be over, or gone
            pool().stop(name, by=proofs)


def names_in(setting: str) -> list[str]:
    """The names of runs in a setting."""
    return [name for name in str(st.session_state.get(setting, "")).split(",") if name]


def started_runs(setting: str, specs: Sequence[RunSpec], most: int = MOST_RUNS) -> list[RunView]:
    """The runs named in a setting that the server still has.

    Each has a flag for whether the visitor controls it. If one is missing, a message says so, and
    `specs`, the runs that the page's settings describe, can be started in its place.
    """
    views, lost, away = _named_runs(setting, most)
    if away:
        st.info(f"{_some(away)} in this link cannot be reached now: a server does not answer.")
        st.button("Look again", icon=":material/refresh:", key=f"{setting}-look")
    if lost:
        note = st.container()
        again = bool(specs) and note.button(
            "Start it again" if len(specs) == 1 else "Start them again",
            icon=":material/replay:",
            key=f"{setting}-again",
            help="With the settings of this page",
        )
        if again:
            start_runs(specs, setting, [view.name for view in views])
            return _named_runs(setting, most)[0]
        note.info(
            f"{_some(lost)} in this link {'are' if lost > 1 else 'is'} no longer on the server."
        )
    return views


def _named_runs(setting: str, most: int) -> tuple[list[RunView], int, int]:
    """The runs of a setting, the number of lost ones, and of those on a server that is away."""
    names, proofs = names_in(setting)[:most], current_visitor().proofs
    views: list[RunView] = []
    away = 0
    for name in names:
        try:
            view = pool().view(name)
        except RunUnreachable:
            away += 1
        except ValueError:
            continue
        else:
            views.append(replace(view, mine=view.controlled_by(proofs)))
    return views, len(names) - len(views) - away, away


def _some(count: int) -> str:
    return "The run" if count == 1 else f"{count} runs"


def states() -> Counter[RunState]:
    """The number of runs in each state; does not create a pool."""
    return pool().states() if _pool.cache_info().currsize else Counter()


def workers() -> list[int]:
    """The process ids of the pool's workers on this machine; does not create a pool."""
    return pool().workers() if _pool.cache_info().currsize and not pool().distant else []


def close() -> None:
    """Close the pool, if there is one; runs in a persistent folder are saved."""
    if _pool.cache_info().currsize:
        pool().close()


class RunMessage(TypedDict):
    """What a listener receives of one run: its state, and what to append to its history.

    A run that no longer exists has `state` "gone" and the reason, one whose server does not answer
    "away". The three places in `since` are those of the losses, the evaluations and the samples; a
    listener drops its entries from there on. An evaluation is (step, loss, gradient norm of each
    layer, perplexity). A number that is not finite is null.
    """

    state: str
    why: str
    step: NotRequired[int]
    steps: NotRequired[int]
    place: NotRequired[int]
    rate: NotRequired[float]
    device: NotRequired[str]
    followers: NotRequired[int]
    parameters: NotRequired[int]
    uniform: NotRequired[float]
    truth: NotRequired[float | None]
    since: NotRequired[tuple[int, int, int]]
    losses: NotRequired[list[float | None]]
    norms: NotRequired[list[float | None]]
    evaluations: NotRequired[list[RunEvaluation]]
    samples: NotRequired[list[tuple[int, str]]]


RunEvaluation = tuple[int, float | None, list[tuple[str, float | None]], float | None]


@dataclass(slots=True)
class Cursor:
    """How much of a run's history a listener has received; the next poll is not before `later`."""

    version: int = -1
    losses: int = 0
    evaluations: int = 0
    samples: int = 0
    later: float = 0.0

    def changes(self, view: RunView, history: History) -> RunMessage:
        """The changes, and the index they start at; the listener drops its entries from there on.

        A long history is sent `MOST_STEPS` steps at a time.
        """
        there = len(history.norms)  # the worker's listener appends a loss before its norm
        since = (
            min(self.losses, there),
            min(self.evaluations, len(history.evaluations)),
            min(self.samples, len(history.samples)),
        )
        upto = min(there, since[0] + MOST_STEPS)
        evaluations, samples = history.evaluations[since[1] :], history.samples[since[2] :]
        self.version = view.version if upto == there else UNFINISHED
        self.losses = upto
        self.evaluations, self.samples = since[1] + len(evaluations), since[2] + len(samples)
        return {
            **run_state(view),
            "since": since,
            "losses": [finite_or_none(loss) for loss in history.losses[since[0] : upto]],
            "norms": [finite_or_none(norm) for norm in history.norms[since[0] : upto]],
            "evaluations": [
                (
                    e.step,
                    finite_or_none(e.loss),
                    [(layer, finite_or_none(norm)) for layer, norm in e.norms],
                    finite_or_none(perplexity_of_loss(e.loss)),
                )
                for e in evaluations
            ],
            "samples": samples,
        }


def finite_or_none(number: float) -> float | None:
    """A number for JSON: a non-finite one becomes null."""
    return number if math.isfinite(number) else None


def run_state(view: RunView) -> RunMessage:
    """A run's state, with its numbers; some are known only once it has begun."""
    message: RunMessage = {
        "state": view.state,
        "why": view.why,
        "step": view.step,
        "steps": view.spec.steps,
        "place": view.place,
        "rate": view.rate,
        "device": view.device,
        "followers": view.followers,
    }
    if view.began is not None:
        message["parameters"] = view.began.parameters
        message["uniform"] = uniform_loss(view.began.types)
        message["truth"] = view.began.truth
    return message


async def stream(request: Request) -> Response:
    """The route of server-sent events of some runs: their history, then live changes."""
    names = [name for name in request.query_params.get("names", "").split(",") if name]
    if not 1 <= len(names) <= MOST_RUNS:
        return JSONResponse({"error": f"names must be 1 to {MOST_RUNS} runs"}, status_code=400)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(run_events(names), media_type="text/event-stream", headers=headers)


async def run_events(names: list[str]) -> AsyncIterator[str]:
    """One message whenever something is new."""
    cursors = {name: Cursor() for name in names}
    quiet = 0.0
    while True:
        looks = {name: await poll_run(name, cursors[name]) for name in names}
        changes = {name: part for name, part in looks.items() if part is not None}
        if changes:
            yield f"data: {json.dumps(changes, allow_nan=False)}\n\n"
            quiet = 0.0
        elif quiet >= KEEPALIVE_SECONDS:
            yield ": still here\n\n"
            quiet = 0.0
        unfinished = any(cursor.version == UNFINISHED for cursor in cursors.values())
        await asyncio.sleep(0 if unfinished else POLL_SECONDS)
        quiet += POLL_SECONDS


async def poll_run(name: str, cursor: Cursor) -> RunMessage | None:
    """As `poll_run_blocking`, in a thread where it may have to wait for another process."""
    if pool().is_here(name):
        return poll_run_blocking(name, cursor)
    if time.monotonic() < cursor.later:
        return None
    return await asyncio.to_thread(poll_run_blocking, name, cursor)


def poll_run_blocking(name: str, cursor: Cursor) -> RunMessage | None:
    """The changes of a run, or None; a run that is gone or away is reported so, once."""
    try:
        view = pool().view(name)
        if view.version == cursor.version:
            return None
        return cursor.changes(view, pool().history(name))
    except ValueError as error:
        is_away = isinstance(error, RunUnreachable)
        before, cursor.version = cursor.version, AWAY if is_away else GONE
        cursor.later = time.monotonic() + GONE_SECONDS
        if cursor.version == before:
            return None
        return {"state": "away" if is_away else "gone", "why": str(error)}


GONE, UNFINISHED, AWAY = -2, -3, -4


def control(request: Request) -> Response:
    """The route that pauses, resumes, steps or stops a run; responds with its new state.

    A visitor who may not control the run is refused (403).
    """
    by = visitor_of(request.cookies, request.headers.get(KEY_HEADER, "")).proofs
    verbs: dict[str, Callable[[str], RunView]] = {
        "pause": lambda name: pool().pause(name, by=by),
        "resume": lambda name: pool().resume(name, by=by),
        "stop": lambda name: pool().stop(name, by=by),
        "step": lambda name: pool().resume(name, 1, by=by),
    }
    verb = verbs.get(request.path_params["verb"])
    if verb is None:
        return JSONResponse({"error": f"must be one of {', '.join(verbs)}"}, status_code=404)
    try:
        return JSONResponse(run_state(verb(request.path_params["name"])))
    except ControlRefused as error:
        return JSONResponse({"error": str(error)}, status_code=403)
    except RunUnreachable as error:
        return JSONResponse({"error": str(error)}, status_code=503)
    except ValueError as error:
        return JSONResponse({"error": str(error)}, status_code=404)


ROUTES = (
    Route("/live/runs", stream),
    Route("/live/runs/{name}/{verb}", control, methods=["POST"]),
)
