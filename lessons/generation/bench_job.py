"""Runs a benchmark of strategies in its own thread; it can be watched and stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from functools import partial

from lessons.generation.state import GenerationState
from lmcore.decoding import bench as benches
from lmcore.decoding.bench import StrategyResult
from lmcore.decoding.strategies import STRATEGIES
from ui.compute import process_pool
from ui.streamlit_internals.script_scheduler import yield_turn

AT_ONCE = 2
"""Benchmarks measured at the same time, over all sessions; others wait."""
TURNS = threading.Semaphore(AT_ONCE)
PATIENCE = 0.2
"""Seconds between two checks whether a waiting job was stopped."""
LIMIT = 90.0
"""Seconds after which a bench stops by itself."""


class Halted(Exception):
    """Raised at a checkpoint of a job that has been stopped."""


class BenchJob:
    """A benchmark: what to measure, the progress, and the finished rows.

    `names` maps a row's key to its strategy.
    """

    def __init__(
        self, scene: GenerationState, names: Mapping[str, str], seeds: tuple[int, ...], length: int
    ) -> None:
        self.scene, self.names, self.seeds, self.length = scene, dict(names), seeds, length
        self.rows: dict[str, StrategyResult] = {}
        self.label = "Waiting in the queue"
        self.began: float | None = None
        self.refused: ValueError | None = None
        self._halt, self._over = threading.Event(), threading.Event()
        # A daemon thread: a server that ends does not wait for it.
        threading.Thread(target=self._in_turn, args=(TURNS,), daemon=True).start()

    def stop(self) -> None:
        """Stop at the next look."""
        self._halt.set()

    @property
    def done(self) -> bool:
        """Whether the job has ended."""
        return self._over.is_set()

    @property
    def share(self) -> float:
        """The measured share, from 0 to 1."""
        return len(self.rows) / len(self.names)

    def wait(self, seconds: float) -> None:
        """Wait until it is done, for at most this many seconds."""
        with yield_turn():
            self._over.wait(seconds)

    def _in_turn(self, turns: threading.Semaphore) -> None:
        """Wait in the queue, unless the job is stopped first."""
        try:
            while not self._halt.is_set():
                if turns.acquire(timeout=PATIENCE):
                    try:
                        self._run()
                    finally:
                        turns.release()
                    break
        finally:
            self._over.set()

    def _run(self) -> None:
        self.began = time.monotonic()
        scene = self.scene
        try:
            for key, name in self.names.items():
                strategy = STRATEGIES[name]
                self.label = strategy.label
                measure = partial(
                    benches.measure_strategy,
                    scene.writer,
                    scene.prompt,
                    strategy,
                    scene.settings,
                    self.seeds,
                    self.length,
                )
                here = partial(measure, on_token=self._look)
                self.rows[key] = process_pool.call_in_process(measure, self._look, here)
        except Halted:
            return
        except ValueError as error:
            self.refused = error

    def _look(self) -> None:
        assert self.began is not None
        if self._halt.is_set() or time.monotonic() - self.began > LIMIT:
            raise Halted
