"""Runs heavy computations in separate processes, so that they do not slow the pages.

Python's threads share one lock. A computation of many small operations in a thread slows every page
and is slowed by them; in a process it has a core to itself, and can be ended at any moment. Its
input and its result are pickled between our own processes; a model that both sides can read by its
name is sent as that name.
"""

from __future__ import annotations

import io
import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any, ClassVar, TypeVar, cast

import psutil
import torch

from lmcore.training.pool.worker_process import start_process

T = TypeVar("T")
POLL_SECONDS = 0.05
"""Seconds between two polls, at which an ended process is noticed."""
MAX_NAMED_MODELS = 32
"""The most models that are sent by name."""
PLAIN = (torch.float64, torch.float32, torch.int64, torch.bool)
"""Types of tensors that are sent as arrays."""
COMPUTE_ERRORS = (
    *(RuntimeError, ValueError, LookupError, ArithmeticError, MemoryError, OSError, TypeError),
)
"""Errors of a computation that are sent back to the caller."""
WAITING = 10
"""A second of processor time counts as much as so many seconds of waiting."""
LOST_MESSAGE = "The process that computed this has ended. Try again."

_known: OrderedDict[int, tuple[object, partial[Any]]] = OrderedDict()
_lock = threading.Lock()
_idle: SimpleQueue[Process] = SimpleQueue()
_busy: set[Process] = set()


def send_by_name(made: T, make: Callable[[], object]) -> T:
    """Register `made` to be sent by name, as `make`: a partial of a module-level function."""
    with _lock:
        _known[id(made)] = made, cast("partial[Any]", make)
        _known.move_to_end(id(made))
        while len(_known) > MAX_NAMED_MODELS:
            _known.popitem(last=False)
    return made


def name_of(made: object) -> Hashable | None:
    """The name that `made` is sent by, which distinguishes two models; None for anything else."""
    with _lock:
        found = _known.get(id(made))
    if found is None:
        return None
    call = found[1]
    return call.func.__module__, call.func.__qualname__, call.args


def call_in_process(
    make: Callable[[], T],
    look: Callable[[], object] = lambda: None,
    here: Callable[[], T] | None = None,
    *,
    reuse: bool = True,
) -> T:
    """The result of `make`, a partial of a module-level function, computed in a process.

    What cannot be pickled, such as a model that a visitor has just trained, is computed in this
    thread, by `here` if it is given. `look` is called now and then while a process computes, and
    may end it with an exception. Without `reuse` the process is ended afterwards, which frees its
    memory.

    Raises:
        ValueError: as `make`, or if the process is lost.
    """
    try:
        packed = _packed(make, _ByName)
    except (pickle.PicklingError, AttributeError, TypeError):
        return make() if here is None else here()
    asked, answered = _process(), False
    _busy.add(asked)
    try:
        fault, made = asked.ask(packed, look)
        answered = True
    finally:
        _busy.discard(asked)
        if answered and reuse:
            _idle.put(asked)
        else:
            asked.kill()
    if fault:
        raise made
    return cast(T, made)


class TimeLimit:
    """A `look` for `call_in_process`: after `seconds` it raises ValueError with `sentence`.

    The seconds are processor time of the process from when it begins to compute: its start, and
    other work on the machine, do not count. A process that only waits has ten times as long.
    """

    def __init__(self, seconds: float, sentence: str) -> None:
        self._seconds, self._sentence = seconds, sentence
        self._spent: Callable[[], float] | None = None

    def begin(self, process: int) -> None:
        """Begin to count, for the process with that id."""
        its, began = psutil.Process(process), time.monotonic()
        before = sum(its.cpu_times()[:2])

        def spent() -> float:
            computed: float = sum(its.cpu_times()[:2]) - before
            return max(computed, (time.monotonic() - began) / WAITING)

        self._spent = spent

    def __call__(self) -> None:
        """Raises ValueError if the time is over."""
        if self._spent is not None and self._spent() > self._seconds:
            raise ValueError(self._sentence)


def close() -> None:
    """End all processes; unfinished computations are lost."""
    with suppress(Empty):
        while True:
            _idle.get_nowait().kill()
    for busy in tuple(_busy):
        busy.end()


class Process:
    """A process that computes one thing at a time."""

    def __init__(self) -> None:
        self._process, self._pipe = start_process("ui.compute.worker", quiet=True)
        self._ready = False

    @property
    def alive(self) -> bool:
        """Whether the process is alive."""
        return self._process.poll() is None

    def ask(self, packed: bytes, look: Callable[[], object]) -> tuple[bool, Any]:
        """Whether the computation failed, and its result or exception.

        Raises:
            ValueError: if the process is lost.
        """
        try:
            self._pipe.send_bytes(packed)
            if not self._ready:
                self._received(look)
                self._ready = True
            if isinstance(look, TimeLimit):
                look.begin(self._process.pid)
            answer: tuple[bool, Any] = pickle.loads(self._received(look))
        except (EOFError, OSError, psutil.Error) as error:
            raise ValueError(LOST_MESSAGE) from error
        return answer

    def _received(self, look: Callable[[], object]) -> bytes:
        while not self._pipe.poll(POLL_SECONDS):
            look()
        return self._pipe.recv_bytes()

    def end(self) -> None:
        """Mark the process as lost, which wakes a waiting caller."""
        self._process.kill()

    def kill(self) -> None:
        """Kill the process."""
        self.end()
        self._process.wait()
        self._pipe.close()


def _process() -> Process:
    with suppress(Empty):
        while True:
            found = _idle.get_nowait()
            if found.alive:
                return found
            found.kill()
    return Process()


class _Packer(pickle.Pickler):
    def reducer_override(self, made: object) -> Any:
        """A tensor as an array: PyTorch's own pickle is an archive and takes ten times as long."""
        if type(made) is not torch.Tensor or made.requires_grad or made.device.type != "cpu":
            return NotImplemented
        return (torch.as_tensor, (made.numpy(),)) if made.dtype in PLAIN else NotImplemented


class _ByName(_Packer):
    def persistent_id(self, made: object) -> partial[Any] | None:
        found = _known.get(id(made))
        return None if found is None else found[1]


def _packed(made: object, packer: type[_Packer] = _Packer) -> bytes:
    packed = io.BytesIO()
    packer(packed, pickle.HIGHEST_PROTOCOL).dump(made)
    return packed.getvalue()


class Unpacker(pickle.Unpickler):
    """Unpickles what `call_in_process` has packed; a model sent by name is loaded once."""

    models: ClassVar[OrderedDict[Hashable, object]] = OrderedDict()

    def persistent_load(self, make: partial[Any]) -> object:
        """The model of that name."""
        key = make.func.__module__, make.func.__qualname__, make.args
        if key not in self.models:
            self.models[key] = make()
        self.models.move_to_end(key)
        while len(self.models) > MAX_NAMED_MODELS:
            self.models.popitem(last=False)
        return self.models[key]


def serve(pipe: Connection) -> None:
    """The process's loop: say "ready", and compute each request until the pipe is closed."""
    with suppress(EOFError, OSError):
        pipe.send_bytes(b"ready")
        while True:
            packed = pipe.recv_bytes()
            try:
                answer = False, Unpacker(io.BytesIO(packed)).load()()
            except COMPUTE_ERRORS as error:
                answer = True, error
            # Not `pipe.send`: with PyTorch it shares a tensor's memory, for which both sides must
            # belong to one family of processes.
            pipe.send_bytes(_packed(answer))
