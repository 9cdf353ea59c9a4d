"""Training runs on the server: one pool for everybody, and the addresses that show and steer runs.

    GET  /live/runs?names=a,b     what happens in runs a and b, as it happens (server-sent events)
    POST /live/runs/a/pause       also resume, step and stop

A picture listens there by itself. So a class that watches its curves costs no rerun of the page,
and a click on Pause does not wait for one.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from lmcore.configuration import configuration
from lmcore.models.scoring import perplexity_of_loss, uniform_loss
from lmcore.training.pool.backend import RunBackend
from lmcore.training.pool.messages import Began
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.runs import History, RunState, RunView
from lmcore.training.ray.pool import RayPool
from lmcore.training.spec import RunSpec
from ui.streamlit_internals.script_context import session_id
from ui.widgets import address_value, show_error

POLL_SECONDS = 0.2
"""Seconds between two looks at a run."""
KEEPALIVE_SECONDS = 10.0
"""Seconds of silence after which a sign of life is sent, so that no proxy hangs up."""
MOST_RUNS = 6
"""Runs that one picture shows."""


MOST_STEPS = 4000
"""Steps told at once: what a listener is told while others wait takes some 10 ms."""
_first = threading.Lock()


def pool() -> RunBackend:
    """The runs of this server."""
    with _first:  # the cache alone would let two threads make one each
        return _pool()


@lru_cache(maxsize=1)
def _pool() -> RunBackend:
    return RayPool() if configuration().ray_address else Pool()


def owner() -> str:
    """Whose runs are begun here: this session's; nobody's outside of one."""
    return session_id() or ""


def start_runs(specs: Sequence[RunSpec], setting: str, keep: Sequence[str] = ()) -> None:
    """Start runs and name them in a setting, after those to keep; say why if none can start.

    Those that this session started for that setting before are stopped. A run that came with a
    link belongs to somebody else and goes on.
    """
    session = st.session_state
    try:
        before = session.get(f"{setting}-begun", [])
        begun = pool().start_all(specs, owner=owner(), instead=before)
    except ValueError as error:
        show_error(error)
        return
    session[f"{setting}-begun"] = begun
    session[setting] = ",".join([*keep, *begun][-MOST_RUNS:])
    address_value(setting, "")


def started_runs(setting: str, lost: str, most: int = MOST_RUNS) -> list[RunView]:
    """The runs named in a setting that the server still has; `lost` is said if one is missing."""
    names = [name for name in str(st.session_state[setting]).split(",") if name][:most]
    views = [pool().view(name) for name in names if name in pool()]
    if len(views) < len(names):
        st.info(f"A run of this address is no longer on the server. {lost}")
    return views


def states() -> Counter[RunState]:
    """How many runs there are in each state; asking makes no pool."""
    return pool().states() if _pool.cache_info().currsize else Counter()


def close() -> None:
    """Let go of the runs, if there are any: those in a folder that lasts are saved."""
    if _pool.cache_info().currsize:
        pool().close()


@dataclass(slots=True)
class Cursor:
    """What a listener has been told of a run so far."""

    version: int = -1
    losses: int = 0
    evaluations: int = 0
    samples: int = 0

    def news(self, view: RunView, history: History) -> dict[str, object]:
        """What is new, and from which place on; the listener drops what it has beyond.

        A long history is told `MOST_STEPS` steps at a time; until it is whole, there is more.
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
            "from": since,
            "losses": [finite_or_none(loss) for loss in history.losses[since[0] : upto]],
            "norms": [finite_or_none(norm) for norm in history.norms[since[0] : upto]],
            "evaluations": [
                [
                    e.step,
                    finite_or_none(e.loss),
                    [[layer, finite_or_none(norm)] for layer, norm in e.norms],
                    finite_or_none(perplexity_of_loss(e.loss)),
                ]
                for e in evaluations
            ],
            "samples": samples,
        }


def finite_or_none(number: float) -> float | None:
    """A number as JSON has it: what a run that diverges makes of its loss is none."""
    return number if math.isfinite(number) else None


def run_state(view: RunView) -> dict[str, object]:
    """A run's state in a word, and the numbers beside it."""
    began = view.began
    return {
        "state": view.state,
        "step": view.step,
        "steps": view.spec.steps,
        "place": view.place,
        "why": view.why,
        "rate": view.rate,
        "device": view.device,
        "followers": view.followers,
        **({} if began is None else run_facts(began)),
    }


def run_facts(began: Began) -> dict[str, object]:
    """What the run turned out to be, with the loss of a model that knows nothing."""
    return {
        "parameters": began.parameters,
        "unknowing": uniform_loss(began.types),
        "truth": began.truth,
    }


async def stream(request: Request) -> Response:
    """What happens in some runs, as it happens; first all that has happened."""
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
        news = {name: part for name, part in looks.items() if part is not None}
        if news:
            yield f"data: {json.dumps(news, allow_nan=False)}\n\n"
            quiet = 0.0
        elif quiet >= KEEPALIVE_SECONDS:
            yield ": still here\n\n"
            quiet = 0.0
        unfinished = any(cursor.version == UNFINISHED for cursor in cursors.values())
        await asyncio.sleep(0 if unfinished else POLL_SECONDS)
        quiet += POLL_SECONDS


async def poll_run(name: str, cursor: Cursor) -> dict[str, object] | None:
    """As `poll_run_blocking`, in a thread where it may have to wait for another machine."""
    if pool().distant:
        return await asyncio.to_thread(poll_run_blocking, name, cursor)
    return poll_run_blocking(name, cursor)


def poll_run_blocking(name: str, cursor: Cursor) -> dict[str, object] | None:
    """What is new in a run, or None; a run that is no longer known is gone, and says so once."""
    try:
        view = pool().view(name)
        if view.version == cursor.version:
            return None
        return cursor.news(view, pool().history(name))
    except ValueError as error:
        if cursor.version == GONE:
            return None
        cursor.version = GONE
        return {"state": "gone", "why": str(error)}


GONE, UNFINISHED = -2, -3


def steer(request: Request) -> Response:
    """Pause, go on, make one step, or stop; answers with the state that follows."""
    verbs: dict[str, Callable[[str], RunView]] = {
        "pause": pool().pause,
        "resume": pool().resume,
        "stop": pool().stop,
        "step": lambda name: pool().resume(name, 1),
    }
    verb = verbs.get(request.path_params["verb"])
    if verb is None:
        return JSONResponse({"error": f"must be one of {', '.join(verbs)}"}, status_code=404)
    try:
        return JSONResponse(run_state(verb(request.path_params["name"])))
    except ValueError as error:
        return JSONResponse({"error": str(error)}, status_code=404)


ROUTES = (
    Route("/live/runs", stream),
    Route("/live/runs/{name}/{verb}", steer, methods=["POST"]),
)
