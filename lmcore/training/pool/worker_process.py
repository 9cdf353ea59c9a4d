"""The pool's handle of a worker process: the process, the pipe, its computations."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Protocol, runtime_checkable

from lmcore.training.pool.messages import Command, Quit, WorkerAnswer
from lmcore.training.pool.runs import Computation

ROOT = Path(__file__).resolve().parents[3]
EXIT_SECONDS = 2.0
"""Seconds for a worker to end on command; then it is killed."""


@runtime_checkable
class WorkerHandle(Protocol):
    """The pool's handle of a worker on any machine; `pid` is its process there, or 0."""

    computations: dict[str, Computation]
    device: str
    pid: int

    def send(self, command: Command) -> None:
        """Send a command; if the worker is gone, its callback reports that."""

    def end(self) -> None:
        """End the worker."""


AnswerCallback = Callable[[WorkerHandle, WorkerAnswer | None], None]
"""Called with every answer of a worker, and with None when it has died."""


def start_process(
    module: str, *arguments: str, quiet: bool = False
) -> tuple[subprocess.Popen[bytes], Connection]:
    """Start a process that runs one of our modules; returns it and our end of its pipe.

    With `quiet`, the output of libraries there is kept out of the server's log.

    A process of its own, not a fork (the server has threads) and not `multiprocessing`'s spawn,
    which would import the server's main script once more.

    Raises:
        OSError: if the machine cannot.
    """
    near, far = Pipe()
    with far:
        begun = subprocess.Popen(
            [sys.executable, "-m", module, str(far.fileno()), *arguments],
            pass_fds=[far.fileno()],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if quiet else None,
            stderr=subprocess.DEVNULL if quiet else None,
        )
    return begun, near


class ProcessHandle:
    """Starts a worker process, whose files may take `most` bytes; `on_answer` gets its answers.

    Sending never blocks on a worker that is busy or still starting: commands are queued.
    """

    def __init__(self, on_answer: AnswerCallback, most: int) -> None:
        self.computations: dict[str, Computation] = {}
        self.device = ""
        self.process, self._pipe = start_process("lmcore.training.pool.worker", str(most))
        self.pid = self.process.pid
        self._unsent: SimpleQueue[Command | None] = SimpleQueue()
        self._sending = threading.Thread(target=self._send, daemon=True, name="to a worker")
        self._listening = threading.Thread(
            target=self._listen, args=[on_answer], daemon=True, name="from a worker"
        )
        self._sending.start()
        self._listening.start()

    def send(self, command: Command) -> None:
        """Send a command; if the worker is gone, its callback reports that."""
        self._unsent.put(command)

    def end(self) -> None:
        """End the process: on command, or by killing it."""
        self.send(Quit())
        try:
            self.process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._listening.join(EXIT_SECONDS)

    def _send(self) -> None:
        with contextlib.suppress(OSError):
            while command := self._unsent.get():
                self._pipe.send(command)

    def _listen(self, on_answer: AnswerCallback) -> None:
        while answer := self._answer():
            on_answer(self, answer)
        self.process.kill()
        self.process.wait()
        self._unsent.put(None)
        self._sending.join()
        self._pipe.close()
        on_answer(self, None)

    def _answer(self) -> WorkerAnswer | None:
        try:
            answer: WorkerAnswer = self._pipe.recv()
        except (EOFError, OSError):
            return None
        return answer
