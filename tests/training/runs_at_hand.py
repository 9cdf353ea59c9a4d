"""Small runs for the tests, and a way to wait for what another process does."""

import contextlib
import time
from dataclasses import replace

from lmcore.training.handle import Handle
from lmcore.training.pool import Pool
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec

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
"""A run that is under way for as long as a test lasts."""
STORY = CorpusSpec(
    "own", "word", text=" ".join(f"the {n} cats sit on {n + 1} mats." for n in range(60))
)


def of(kind, **changes):
    """The tiny run with another kind of model."""
    sizes = {"embedding": 5}
    if kind in ("transformer", "encoder"):
        sizes = {"embedding": 6, "heads": 3}
    return replace(TINY, model=ModelSpec(kind, hidden=7, layers=1, **sizes), **changes)


def until(what, seconds=30.0):
    """Wait until `what()` is true; the bound only keeps a broken test from hanging."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


@contextlib.contextmanager
def own_pool(folder, **settings):
    runs = Pool(folder, **{"workers": 1, **settings})
    try:
        yield runs
    finally:
        runs.close()


class Silent(Handle):
    """A worker that does nothing by itself: the test answers in its place, in any order."""

    def __init__(self, heard):
        self.computations, self.device, self.heard, self.told = {}, "CPU", heard, []

    def send(self, command):
        self.told.append(command)

    def end(self):
        pass
