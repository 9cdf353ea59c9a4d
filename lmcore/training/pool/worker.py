"""A worker process: trains several runs in turn, and handles commands between steps.

It ends on command, and when the pool's end of the pipe is closed for any reason.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

import torch
from safetensors import SafetensorError

from lmcore.device import device, device_name, share_cores
from lmcore.models.registry import TranslationModel, sample
from lmcore.training.checkpoint import restore
from lmcore.training.events import Diverged, Finished, Stepped, TrainingEvent
from lmcore.training.loop import Training
from lmcore.training.pool.messages import (
    Began,
    Begin,
    Cause,
    Command,
    Copied,
    Copy,
    Halt,
    Halted,
    Quit,
    Ready,
    RunProgress,
)
from lmcore.training.pool.worker_storage import CheckpointStorage, DiskStorage, WorkerPipe
from lmcore.training.spec import ModelSpec, RunSpec
from lmcore.training.translation_batches import TranslationFeed, sample_translation
from lmcore.vocabulary import END, START

NICE = 10
"""The niceness of workers. The server and the processes that compute for pages (niceness 5) come
first. At 19, beside four busy processes on two cores, the first step came after a minute."""
RUN_ERRORS = (
    *(RuntimeError, ValueError, LookupError, ArithmeticError, MemoryError, OSError),
    SafetensorError,
)
"""The errors that fail a single run. A lost pipe is among them: it occurs again when the error is
sent, and ends the worker."""
SLICE = 0.04
"""Seconds of computing before the next run has its turn."""
REPORT_SECONDS = 0.1
"""Seconds between two messages about one run."""
SAMPLE_SECONDS = 0.4
"""The least seconds of computing between two sample texts of a run."""
PATIENCE = 30
"""The least time until the next sample, as a multiple of the time that the last one took."""
LONGEST_SAMPLE = {"word": 30, "character": 180, "subword": 70}
LIGHT = 1_000_000
"""A model with more weights generates shorter samples, so that other runs need not wait."""
SAVE_SECONDS = 2.0
"""Seconds of computing between two saves of a run: the most a killed worker loses."""


@dataclass(slots=True)
class WorkerRun:
    """A run in this worker, with the command that began it.

    Its clocks count seconds of computing, except `reported`.
    """

    name: str
    run: Training
    folder: Path
    events: Iterator[TrainingEvent]
    begun: Begin
    unsent: list[TrainingEvent] = field(default_factory=list)
    tokens: int = 0
    spent: float = 0.0
    counted: float = 0.0
    saved: float = 0.0
    sampling: float = 0.0
    processor: float = 0.0
    """Seconds of processor time that are not reported yet."""
    reported: float = 0.0


class Worker:
    """The loop of the process; `pipe` leads to the pool."""

    def __init__(self, pipe: WorkerPipe, checkpoints: CheckpointStorage) -> None:
        self.pipe, self.checkpoints = pipe, checkpoints
        self.turns: dict[str, WorkerRun] = {}

    def run(self) -> None:
        """Handle commands and train until the pipe is closed."""
        with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
            self.pipe.send(Ready(device_name(device()), os.getpid()))
            while True:
                self.handle_commands(wait=not self.turns)
                for name in list(self.turns):
                    if name in self.turns:
                        self.slice(self.turns[name])

    def handle_commands(self, *, wait: bool) -> None:
        """Handle all waiting commands; with nothing to train, wait for one."""
        while self.pipe.poll(None if wait else 0):
            self.handle(self.pipe.recv())
            wait = False

    def handle(self, command: Command) -> None:
        """Handle one command; one for a run that has halted meanwhile is ignored."""
        if isinstance(command, Quit):
            raise EOFError
        if isinstance(command, Begin):
            self.begin(command)
        elif turn := self.turns.get(command.run):
            with self.isolate(turn.name):
                self.interrupt(turn, command)

    def interrupt(self, turn: WorkerRun, command: Copy | Halt) -> None:
        """Handle a command for a run between two steps."""
        if isinstance(command, Copy):
            self.report(turn)
            why = self.checkpoints.save(turn.run, Path(command.folder))
            self.pipe.send(Copied(turn.name, turn.run.step, command.folder, why))
        elif command.drop:
            del self.turns[turn.name]
        else:
            self.halt(turn, "halted")

    @contextlib.contextmanager
    def isolate(self, name: str) -> Iterator[None]:
        """An error in one run fails that run only: no memory, a full disk, a defect."""
        try:
            yield
        except RUN_ERRORS as error:
            turn = self.turns.pop(name, None)
            step = turn.run.step if turn else 0
            # Only the message of a system error: the rest contains paths of the server.
            why = error.strerror if isinstance(error, OSError) else str(error)
            self.pipe.send(Halted(name, step, "failed", why or type(error).__name__))

    def begin(self, command: Begin) -> None:
        """Begin a run, from its last checkpoint if there is one; on an error it has failed."""
        with self.isolate(command.run):
            saved = self.checkpoints.load(command)
            run = restore(saved, device()) if saved else Training(command.spec, device())
            config = run.network.config
            self.pipe.send(Began(command.run, config.vocabulary, config.parameters, run.feed.truth))
            folder = Path(command.folder)
            self.turns[command.run] = WorkerRun(command.run, run, folder, iter(run), command)

    def slice(self, turn: WorkerRun) -> None:
        """Train a run for its time slice; commands are handled between its steps."""
        end = time.perf_counter() + SLICE
        while self.turns.get(turn.name) is turn and time.perf_counter() < end:
            with self.isolate(turn.name):
                self.advance(turn)
            self.handle_commands(wait=False)

    def advance(self, turn: WorkerRun) -> None:
        """One step of a run, and the reports and saves that are due."""
        start, used = time.perf_counter(), time.process_time()
        for event in turn.events:
            turn.unsent.append(event)
            if isinstance(event, Stepped):
                turn.tokens += event.tokens
                break
        now = time.perf_counter()
        turn.spent += now - start
        turn.processor += time.process_time() - used
        if isinstance(event, Diverged):
            self.halt(turn, "diverged", event.why)
        elif isinstance(event, Finished):
            self.halt(turn, "finished")
        elif turn.begun.until is not None and turn.run.step >= turn.begun.until:
            self.halt(turn, "halted")
        elif turn.spent >= turn.begun.seconds:
            self.halt(turn, "halted", turn.begun.why)
        elif now - turn.reported >= REPORT_SECONDS:
            self.report(turn)
            if turn.spent - turn.saved >= SAVE_SECONDS:
                # A run that cannot be saved now continues: saving is tried again later.
                self.checkpoints.save(turn.run, turn.folder)
                turn.saved = turn.spent

    def halt(self, turn: WorkerRun, cause: Cause, why: str = "") -> None:
        """Save a run and release it, then report that."""
        self.report(turn, sampled=True)
        lost = self.checkpoints.save(turn.run, turn.folder)
        del self.turns[turn.name]
        self.pipe.send(Halted(turn.name, turn.run.step, cause, why, lost))

    def report(self, turn: WorkerRun, *, sampled: bool = False) -> None:
        """Send the unsent events, with a new sample text when one is due."""
        text = ""
        if sampled or turn.spent >= turn.sampling:
            start, used = time.perf_counter(), time.process_time()
            text = sample_text(turn.run)
            took = time.perf_counter() - start
            turn.spent += took
            turn.processor += time.process_time() - used
            turn.sampling = turn.spent + max(SAMPLE_SECONDS, PATIENCE * took)
        spent = turn.spent - turn.counted
        rate = turn.tokens / spent if spent > 0 else 0.0
        events, used = tuple(turn.unsent), turn.processor
        self.pipe.send(RunProgress(turn.name, turn.run.step, events, rate, text, used))
        turn.unsent, turn.tokens, turn.counted, turn.processor = [], 0, turn.spent, 0.0
        turn.reported = time.perf_counter()


def sample_text(run: Training) -> str:
    """A sample text of the current model, determined by weights and step; empty if it fails."""
    if run.spec.model.kind == "encoder":
        return ""
    if isinstance(run.network, TranslationModel) and isinstance(run.feed, TranslationFeed):
        return sample_translation(run.network, run.feed, run.step)
    generator = torch.Generator().manual_seed(run.spec.seed + run.step)
    model = run.language_model()
    start = model.vocabulary.ids.get(START)
    share = min(1.0, LIGHT / run.network.config.parameters)
    length = math.ceil(share * LONGEST_SAMPLE[model.vocabulary.unit])
    try:
        ids = sample(
            model.network,
            [start if start is not None else 0],
            length,
            generator,
            stop=model.vocabulary.ids.get(END),
        )
    except (ValueError, RuntimeError):
        # In a diverging run the probabilities are nan: nothing can be sampled.
        return ""
    return model.vocabulary.write(ids)


def warm_up() -> None:
    """Make one tiny step, so that lazy imports and compilation are done before the first run."""
    for _ in Training(RunSpec(model=ModelSpec("rnn", 2, 2), batch=1, steps=1, every=1), device()):
        pass


def main(handle: int, most: int, threads: int = 1) -> None:
    """Run the process: `handle` is its end of the pipe, `most` the disk quota in bytes.

    Ctrl-C is handled by the pool, which then closes the pipe.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    share_cores(threads)
    os.nice(NICE)
    warm_up()
    Worker(Connection(handle), DiskStorage(most)).run()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
