"""The process through which a replica communicates with a Ray cluster.

A Ray driver takes over signals, writes its own logs, and ends its process when the cluster's head
is away for long. None of this may happen to the server, so the driver is a separate process that
may end and is started again.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import signal
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from multiprocessing.connection import Connection
from typing import Any

from lmcore.training.pool.control import ControlRefused
from lmcore.training.pool.worker_process import start_process
from lmcore.training.ray.keeper import AT_ONCE, keeper
from lmcore.training.ray.terms import NAMESPACE, RaySettings, import_ray

CONNECTING = 20.0
"""Seconds for a reachable cluster to accept a replica."""
GRACE = 1.0
"""Extra seconds for the process to report that the cluster did not answer."""


class ClusterLost(Exception):
    """The cluster, or the driver process, does not answer."""


class Bridge:
    """The replica's end: one driver process, shared by any number of threads."""

    def __init__(self, address: str, terms: RaySettings) -> None:
        """Raises ClusterLost if the cluster does not accept the replica."""
        self._process, self._pipe = start_process("lmcore.training.ray.bridge", address, quiet=True)
        self._pending: dict[int, Future[tuple[str, Any]]] = {}
        self._numbers = itertools.count()
        self._sending = threading.Lock()
        why = self._welcome(terms)
        if why:
            self.end()
            raise ClusterLost(why)
        threading.Thread(target=self._listen, daemon=True, name="from the cluster").start()

    def _welcome(self, terms: RaySettings) -> str:
        try:
            self._pipe.send(terms)
            if not self._pipe.poll(CONNECTING):
                return f"it did not answer within {CONNECTING:.0f} s"
            return str(self._pipe.recv())
        except (EOFError, OSError):
            return "the process that leads there ended"

    def ask(self, seconds: float, verb: str, *given: Any, **named: Any) -> Any:
        """Call the keeper of the runs, and return its answer.

        Raises:
            ValueError: with the keeper's message, if it refuses.
            ControlRefused: likewise, if the caller may not control the run.
            ClusterLost: if it does not answer in time.
        """
        number, future = next(self._numbers), Future[tuple[str, Any]]()
        self._pending[number] = future
        try:
            with self._sending:
                self._pipe.send((number, seconds, verb, given, named))
            how, answer = future.result(seconds + GRACE)
        except TookTooLong:
            raise ClusterLost(f"it did not answer within {seconds:g} s") from None
        except OSError:
            raise ClusterLost("the process that leads there ended") from None
        finally:
            self._pending.pop(number, None)
        if how == "refused":
            raise ValueError(answer)
        if how == "forbidden":
            raise ControlRefused(answer)
        if how == "lost":
            raise ClusterLost(answer)
        return answer

    def end(self) -> None:
        """End the process; the cluster and its runs continue."""
        self._process.kill()
        self._process.wait()

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                number, how, answer = self._pipe.recv()
                if future := self._pending.get(number):
                    future.set_result((how, answer))
        for future in list(self._pending.values()):
            with contextlib.suppress(RuntimeError):
                future.set_result(("lost", "the process that leads there ended"))


def serve(pipe: Connection, address: str) -> None:
    """The driver process: join the cluster, then answer until the replica closes the pipe."""
    library, sending = import_ray(), threading.Lock()
    failed = (library.exceptions.RayError, ConnectionError, RuntimeError, OSError, ValueError)
    terms = pipe.recv()
    try:
        library.init(
            address=address,
            namespace=NAMESPACE,
            log_to_driver=False,
            configure_logging=False,
            logging_level=logging.ERROR,
        )
        actor = keeper(terms)
        library.get(actor.call.remote("nothing"), timeout=CONNECTING)
    except failed as error:
        pipe.send(type(error).__name__)
        return
    pipe.send("")

    def answer(number: int, seconds: float, verb: str, given: Any, named: Any) -> None:
        try:
            how, result = library.get(actor.call.remote(verb, *given, **named), timeout=seconds)
        except failed as error:
            how, result = "lost", type(error).__name__
        with sending, contextlib.suppress(OSError):
            pipe.send((number, how, result))

    with ThreadPoolExecutor(AT_ONCE) as threads, contextlib.suppress(EOFError, OSError):
        while True:
            threads.submit(answer, *pipe.recv())


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(Connection(int(sys.argv[1])), sys.argv[2])
