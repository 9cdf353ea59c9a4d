"""Computes slow results once for all visitors, in a queue, and shows the wait on the page.

A page requests a result by its computation: a module-level function and all its arguments. They are
the key, so that two different results cannot be confused. If the result is not cached, the executor
computes it while the script waits and shows how many jobs come first. A visitor who moves on or
presses *Stop* no longer waits; a computation that nobody waits for is ended. A refused computation
is raised under `widgets.validated_or_previous`, which keeps the last good picture; elsewhere the
page shows the error and stops there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from inspect import ismodule
from itertools import count
from typing import Any, NoReturn, TypeVar

import streamlit as st
from cachetools import LRUCache
from torch import Tensor

from lmcore.configuration import configuration
from ui.compute import process_pool
from ui.compute.executor import (
    ComputationEnded,
    ComputationRefused,
    Executor,
    Job,
    build_executor,
    in_computation_thread,
)
from ui.compute.script_turn import yield_turn
from ui.streamlit_internals.script_context import runs_fragment_alone, session_id, was_pressed

T = TypeVar("T")
Name = TypeVar("Name")
SPINNER_DELAY_SECONDS = 0.1
"""Seconds a result may take before the page shows that it is busy."""
STOP_AFTER_SECONDS = 3.0
"""Seconds a result may take before the page offers to stop it."""
TRY_AGAIN_KEY = "busy-again"
STOPPED = "Stopped: this result is not computed."
STOPPED_KEY = "computation-stopped"
"""In the session: the computation that its visitor has stopped, until *Try again*."""
POLL_SECONDS = 0.25
"""Seconds between two polls, at which a new message of the visitor is noticed."""
BATCH_SECONDS = 1.0
"""Seconds after which a batch of results is returned; the rest forms the next batch."""

_lock = threading.Lock()
_results: dict[str, LRUCache[Hashable, Any]] = {}
_pending: dict[tuple[str, Hashable], PendingComputation] = {}
_guarded: ContextVar[bool] = ContextVar("guarded", default=False)
_waits = count()


class PendingComputation:
    """A running computation, and the number of callers that wait for it."""

    def __init__(self, job: Job[Any]) -> None:
        self.job, self.waiting = job, 0


def shared_result(
    kind: str, call: partial[T], *, most: int, says: str = "Computing", apart: bool = False
) -> T:
    """What `call` returns, computed if it is not among the last `most` requested of that kind.

    `call` is a partial of a module-level function. Everything that the result depends on is among
    its arguments. What can be pickled may be computed `apart`, in a process: see
    `ui.compute.process_pool`.

    Raises:
        TypeError: if it is not such a partial, or an argument is not hashable.
        ValueError: as `call`; what is refused is not kept.
    """
    key = key_of(call)
    _rerun_whole_page()
    with _lock:
        results = _results_of_kind(kind, most)
        if key in results:
            found: T = results[key]
            return found
    make: Callable[[], T] = partial(process_pool.call_in_process, call) if apart else call
    if in_computation_thread():
        made = make()
        _keep(kind, key, made)
        return made
    return _awaited((kind, key), make, says, keep=True, asked=(kind, key))


def key_of(call: partial[Any]) -> Hashable:
    """What the result of a call depends on: its function by name, and every argument.

    Raises:
        TypeError: if the function could depend on more than its arguments, or one has no value to
            compare: a tensor, a list, another partial.
    """
    function = call.func
    name = getattr(function, "__qualname__", "")
    owner = getattr(function, "__self__", None)
    if not name or "<" in name or not (owner is None or ismodule(owner)):
        raise TypeError(
            f"a shared result must be computed by a function of a module; got {function!r:.80}"
        )
    try:
        values = tuple(
            (place, _value(each)) for place, each in [*enumerate(call.args), *call.keywords.items()]
        )
        hash(values)
    except TypeError as error:
        raise TypeError(f"the arguments of {name} must be values that can be compared") from error
    return function.__module__, name, values


def _value(given: Any) -> Hashable:
    """An argument as part of a key; what is sent by name is its name, also inside a tuple."""
    if name := process_pool.name_of(given):
        return name
    if isinstance(given, tuple):
        return tuple(map(_value, given))
    if isinstance(given, Tensor | partial):
        raise TypeError(f"a {type(given).__name__} has no value to compare")
    hashed: Hashable = given
    return hashed


def shared_results_by_key(
    kind: str, wanted: Mapping[Name, partial[T]], *, most: int, says: str = "Computing"
) -> dict[Name, T]:
    """As `shared_result` for several calls, in a worker process; quick ones share a round trip.

    Raises:
        TypeError: as `shared_result`.
        ValueError: as any of the calls.
    """
    keys = {name: key_of(call) for name, call in wanted.items()}
    _rerun_whole_page()
    found: dict[Name, T] = {}
    while len(found) < len(wanted):
        with _lock:
            results = _results_of_kind(kind, most)
            found |= {name: results[key] for name, key in keys.items() if key in results}
        if left := [name for name in wanted if name not in found]:
            make: Callable[[], list[T]] = partial(_first, tuple(wanted[name] for name in left))
            made = (
                make()
                if in_computation_thread()
                else _awaited(
                    (kind, tuple(keys[name] for name in left)),
                    partial(process_pool.call_in_process, make),
                    says,
                    keep=False,
                    asked=(kind, tuple(keys.values())),
                )
            )
            found |= zip(left, made, strict=False)
            for name, each in zip(left, made, strict=False):
                _keep(kind, keys[name], each)
    return found


def _first(makes: Sequence[Callable[[], T]]) -> list[T]:
    """The results of the first calls, as many as one batch has time for, at least one."""
    begun, made = time.monotonic(), []
    for make in makes:
        made.append(make())
        if time.monotonic() - begun > BATCH_SECONDS:
            break
    return made


def unshared_result(
    make: Callable[[], T], *, of: Hashable, says: str = "Computing", apart: bool = False
) -> T:
    """A result for this visitor alone, kept by the caller.

    `of` is what it is computed from: a stopped computation stays stopped until `of` changes.

    Raises:
        ValueError: as `make`.
    """
    _rerun_whole_page()
    if in_computation_thread():
        return make()
    make = partial(process_pool.call_in_process, make) if apart else make
    return _awaited(("", object()), make, says, keep=False, asked=(says, of))


def compute_parts(parts: Iterator[T], *, of: Hashable, says: str = "Computing") -> Iterator[T]:
    """Compute the parts of a long computation; other jobs may run between two parts."""
    while (part := unshared_result(lambda: next(parts, None), of=of, says=says)) is not None:
        yield part


def show_refusal(error: ComputationRefused) -> NoReturn:
    """Show why a result is missing, with a button to try again, and stop the script."""
    st.error(str(error), icon=":material/hourglass_disabled:")
    offer_again(TRY_AGAIN_KEY)
    st.stop()


def offer_again(key: str) -> None:
    """Draw the button that requests a refused or stopped result again."""
    st.button("Try again", key=key, on_click=lambda: st.session_state.pop(STOPPED_KEY, None))


def _rerun_whole_page() -> None:
    """Draw the whole page after "Try again" in a fragment: the parts after it are missing."""
    if runs_fragment_alone() and st.session_state.get(TRY_AGAIN_KEY):
        st.rerun()


def result_counts() -> dict[str, int]:
    """The number of cached results of each kind."""
    with _lock:
        return {kind: len(results) for kind, results in _results.items()}


def clear_results() -> None:
    """Clear the cache of results."""
    with _lock:
        _results.clear()


@contextmanager
def raise_refusals() -> Iterator[None]:
    """A context in which a refusal is raised instead of shown, because the caller handles it."""
    token = _guarded.set(True)
    try:
        yield
    finally:
        _guarded.reset(token)


@lru_cache(maxsize=1)
def shared_executor() -> Executor:
    """The threads of this server."""
    return build_executor()


def close() -> None:
    """End all computations, when the server ends."""
    if shared_executor.cache_info().currsize:
        shared_executor().close()
        shared_executor.cache_clear()
    process_pool.close()


def _results_of_kind(kind: str, most: int) -> LRUCache[Hashable, Any]:
    """The results of a kind; under the lock."""
    if kind not in _results:
        _results[kind] = LRUCache(min(most, configuration().kept))
    return _results[kind]


def _keep(kind: str, key: Hashable, made: object) -> None:
    with _lock:
        if kind in _results:
            _results[kind][key] = made


def _awaited(
    at: tuple[str, Hashable], make: Callable[[], T], says: str, *, keep: bool, asked: Hashable
) -> T:
    """The result of `make`; `asked` identifies the request that the visitor may stop."""
    try:
        if session_id() and st.session_state.get(STOPPED_KEY) == hash(asked):
            raise ComputationRefused(STOPPED)
        pending = _join(at, make)
        try:
            if not _watch(pending.job, says):
                st.session_state[STOPPED_KEY] = hash(asked)
                raise ComputationRefused(STOPPED)
            made: T = pending.job.future.result()
            if keep:
                _keep(*at, made)
        finally:
            _leave(at, pending)
    except ComputationRefused as error:
        if _guarded.get():
            raise
        show_refusal(error)
    except (ComputationEnded, CancelledError):
        show_refusal(ComputationRefused("The server is shutting down. Try again in a moment."))
    return made


def _join(at: tuple[str, Hashable], make: Callable[[], T]) -> PendingComputation:
    """The computation at that place, begun unless it runs or its result has been kept meanwhile."""
    kind, key = at
    with _lock:
        pending = _pending.get(at)
        if pending is None:
            kept = _results.get(kind)
            job = Job.done(kept[key]) if kept and key in kept else shared_executor().submit(make)
            pending = _pending[at] = PendingComputation(job)
        pending.waiting += 1
        return pending


def _leave(at: tuple[str, Hashable], pending: PendingComputation) -> None:
    with _lock:
        pending.waiting -= 1
        if not pending.waiting:
            pending.job.end()
            if _pending.get(at) is pending:
                del _pending[at]


def _over(job: Job[Any]) -> bool:
    with yield_turn():
        return shared_executor().wait(job, POLL_SECONDS)


def _watch(job: Job[Any], says: str) -> bool:
    """Wait until the job is over, and show a longer wait on the page; False if it was stopped."""
    began = time.monotonic()
    with yield_turn():
        over = shared_executor().wait(job, SPINNER_DELAY_SECONDS)
    if over:
        return True
    place, key = st.empty(), f"stop-{next(_waits)}"
    row = place.container(horizontal=True, vertical_alignment="center")
    with row, st.spinner(says, show_time=True, width="content"):
        before, stop = st.empty(), st.empty()
        offered = stopped = False
        while not stopped and not _over(job):
            ahead = shared_executor().before(job)
            # Drawing anything lets the script notice that its visitor has moved on.
            before.caption(f"{ahead} before this one" if job.began is None else "")
            if not offered and time.monotonic() - began > STOP_AFTER_SECONDS:
                offered = True
                stop.button("Stop", key=key, help="Ends this computation")
            stopped = offered and was_pressed(key)
    place.empty()
    return not stopped
