"""Small runs for the tests, and a way to wait for what another process does."""

import contextlib
import time
from dataclasses import replace
from pathlib import Path

from lmcore.training.events import Evaluated, Stepped
from lmcore.training.loop import Training
from lmcore.training.pool.pool import Pool
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from tests.patience import PLENTY

TINY = RunSpec(
    model=ModelSpec("rnn", embedding=5, hidden=7),
    learning_rate=1e-2,
    batch=3,
    length=11,
    steps=40,
    every=10,
)
"""Different primes for embedding, hidden, batch and length."""
QUOTED = CorpusSpec("quoted", "character")
LONG = replace(TINY, steps=100_000)
"""A run that lasts longer than any test."""
STORY = CorpusSpec(
    "own", "word", text=" ".join(f"the {n} cats sit on {n + 1} mats." for n in range(60))
)


def of(kind, **changes):
    """The tiny run with another kind of model."""
    sizes = {"embedding": 5}
    if kind in ("transformer", "encoder"):
        sizes = {"embedding": 6, "heads": 3}
    return replace(TINY, model=ModelSpec(kind, hidden=7, layers=1, **sizes), **changes)


def until(what, seconds=PLENTY):
    """Wait until `what()` is true; the bound only keeps a broken test from hanging."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


def plain(spec, steps):
    """The losses and validations of the run without a pool, up to a step."""
    losses, validations = [], []
    for event in Training(spec):
        if isinstance(event, Evaluated) and event.step <= steps:
            validations.append(event)
        if isinstance(event, Stepped):
            losses.append(event.loss)
            if event.step == steps:
                break
    return losses, validations


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextlib.contextmanager
def own_pool(folder, **settings):
    runs = Pool(folder, **{"workers": 1, **settings})
    try:
        yield runs
    finally:
        runs.close()


class Silent:
    """A worker that does nothing by itself: the test answers in its place, in any order."""

    def __init__(self, on_answer):
        self.computations, self.device, self.pid = {}, "CPU", 0
        self.on_answer, self.told = on_answer, []

    def send(self, command):
        self.told.append(command)

    def end(self):
        pass


class Silence:
    """A factory of silent workers, up to the given number."""

    def __init__(self, workers=1):
        self.workers = workers

    def limit(self):
        return self.workers

    def start_worker(self, on_answer):
        return Silent(on_answer)
