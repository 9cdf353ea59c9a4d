"""A worker in a Ray cluster: the loop of a local worker process, over Ray calls."""

from __future__ import annotations

import os
import threading
from collections import deque
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from lmcore.device import share_cores
from lmcore.training.checkpoint import dump
from lmcore.training.disk import save_error_text, write_within_quota
from lmcore.training.loop import Training
from lmcore.training.pool.messages import (
    CHECKPOINT,
    Begin,
    Command,
    Copied,
    Halted,
    Quit,
    Saved,
    WorkerAnswer,
)
from lmcore.training.pool.runs import Computation
from lmcore.training.pool.worker import NICE, Worker, warm_up
from lmcore.training.pool.worker_process import EXIT_SECONDS, AnswerCallback
from lmcore.training.ray.terms import RaySettings, import_ray

LISTENING = 5.0
"""Seconds after which a worker without answers is polled again."""


class WorkerMailbox:
    """Two queues between pool and worker: remote calls put commands and fetch answers."""

    def __init__(self) -> None:
        self._commands: deque[Command] = deque()
        self._answers: deque[WorkerAnswer | None] = deque()
        self._come = threading.Condition()

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether a command has arrived within `timeout` seconds; None waits for ever."""
        with self._come:
            return self._come.wait_for(lambda: len(self._commands) > 0, timeout)

    def recv(self) -> Command:
        """The next command, after `poll` returned True."""
        return self._commands.popleft()

    def send(self, obj: WorkerAnswer | None) -> None:
        """Send an answer to the pool; None is the last."""
        with self._come:
            self._answers.append(obj)
            self._come.notify_all()

    def put(self, command: Command) -> None:
        """Put a command for the worker."""
        with self._come:
            self._commands.append(command)
            self._come.notify_all()

    def fetch(self, seconds: float) -> list[WorkerAnswer | None]:
        """The worker's answers, waiting up to `seconds` for the first."""
        with self._come:
            self._come.wait_for(lambda: len(self._answers) > 0, seconds)
            answers = [*self._answers]
            self._answers.clear()
            return answers


class RemoteStorage:
    """Sends checkpoints to the pool, as the folder is on another machine."""

    def __init__(self, post: WorkerMailbox) -> None:
        self._mailbox = post

    def load(self, command: Begin) -> bytes | None:
        """The last checkpoint of a run, or None if there is none."""
        return command.data

    def save(self, run: Training, folder: Path) -> str:
        """Send a run to the pool, which saves it and reports failures; returns an empty string."""
        self._mailbox.send(Saved(str(folder), dump(run)))
        return ""


class TrainingActor:
    """A worker as a Ray actor: up to three concurrent calls, and a thread that trains."""

    def __init__(self) -> None:
        self._mailbox = WorkerMailbox()
        os.nice(NICE)
        threading.Thread(target=self._work, daemon=True, name="training").start()

    def _work(self) -> None:
        try:
            share_cores(1)
            warm_up()
            Worker(self._mailbox, RemoteStorage(self._mailbox)).run()
        finally:
            self._mailbox.send(None)

    def deliver(self, command: Command) -> None:
        """Queue a command for the worker."""
        self._mailbox.put(command)

    def collect(self) -> list[WorkerAnswer | None]:
        """The worker's answers since the last call; None at its end."""
        return self._mailbox.fetch(LISTENING)


class RayHandle:
    """The pool's handle of a worker in the cluster; it writes the worker's checkpoints."""

    def __init__(self, actor: Any, on_answer: AnswerCallback, most: int) -> None:
        self.computations: dict[str, Computation] = {}
        self.device, self.pid = "", 0
        self._ray, self._actor, self._most = import_ray(), actor, most
        self._unsent: SimpleQueue[Command | None] = SimpleQueue()
        self._unsaved: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._listening = threading.Thread(target=self._listen, args=[on_answer], daemon=True)
        threading.Thread(target=self._send, daemon=True).start()
        self._listening.start()

    def send(self, command: Command) -> None:
        """Send a command; if the worker is gone, its callback reports that."""
        self._unsent.put(command)

    def end(self) -> None:
        """End the worker."""
        self.send(Quit())
        self._listening.join(EXIT_SECONDS)
        self._ray.kill(self._actor)

    def _send(self) -> None:
        try:
            while command := self._unsent.get():
                if isinstance(command, Begin):
                    self._folders[command.run] = command.folder
                    saved = Path(command.folder) / CHECKPOINT
                    command = replace(command, data=saved.read_bytes() if saved.exists() else None)
                self._ray.get(self._actor.deliver.remote(command))
        except (self._ray.exceptions.RayError, OSError):
            self._ray.kill(self._actor)  # then the listener reports it as dead

    def _listen(self, on_answer: AnswerCallback) -> None:
        try:
            while True:
                for answer in self._ray.get(self._actor.collect.remote()):
                    if answer is None:
                        return
                    if (report := self._written(answer)) is not None:
                        on_answer(self, report)
        except self._ray.exceptions.RayError:
            return
        finally:
            self._ray.kill(self._actor)
            self._unsent.put(None)
            on_answer(self, None)

    def _written(self, answer: WorkerAnswer) -> WorkerAnswer | None:
        """Write a checkpoint; the next answer says why, if that failed."""
        if isinstance(answer, Saved):
            try:
                write_within_quota(answer.data, Path(answer.folder) / CHECKPOINT, self._most)
                self._unsaved[answer.folder] = ""
            except OSError as error:
                self._unsaved[answer.folder] = save_error_text(error)
            return None
        if isinstance(answer, Copied):
            return replace(answer, unsaved=self._unsaved.pop(answer.folder, ""))
        if isinstance(answer, Halted):
            folder = self._folders.pop(answer.run, "")
            return replace(answer, unsaved=self._unsaved.pop(folder, ""))
        return answer


class RayWorkerFactory:
    """Starts workers in the cluster: as many as configured, or as it has room for."""

    def __init__(self, terms: RaySettings) -> None:
        self.terms = terms
        self.seats = 1
        self.count()

    def count(self) -> None:
        """Update how many workers the cluster has room for: machines come and go."""
        of, there = self.terms, import_ray().cluster_resources()
        cpus, gpus = float(there.get("CPU", 0.0)), float(there.get("GPU", 0.0))
        fits = [cpus // of.cpus] if of.cpus else []
        fits += [gpus // of.gpus] if of.gpus else []
        self.seats = of.workers or max(1, int(min(fits, default=cpus)))

    def limit(self) -> int:
        """The most workers there may be, as last counted."""
        return self.seats

    def start_worker(self, on_answer: AnswerCallback) -> RayHandle:
        """Start another worker; if the cluster has no room now, it begins when there is."""
        of = self.terms
        environment = {"OMP_NUM_THREADS": "1", "LMCORE_WEIGHTS": str(of.weights)}
        environment["LMCORE_DEVICE"] = "" if of.gpus else "cpu"
        actor = import_ray().remote(TrainingActor).options(
            num_cpus=of.cpus, num_gpus=of.gpus, max_concurrency=3,
            runtime_env={"env_vars": environment},
        )  # fmt: skip
        return RayHandle(actor.remote(), on_answer, of.limits.bytes)
