"""Checks whether a run can start, without drawing its text."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from lmcore.training.batches import (
    DocumentFeed,
    corpus_vocabulary,
    lane_length,
    running_text,
    typical_step_tokens,
)
from lmcore.training.cost_estimate import MAX_STEP_SECONDS, check_affordable, step_seconds
from lmcore.training.spec import CorpusSpec, RunSpec

WINDOWS_EACH = 4
"""The approximate number of windows per lane for a short text."""
MARKS = 6
"""Tokens of a pair of sentences beside its words, and half the words of the shortest source."""
LARGE = 5_000
"""A fixed set of more documents than this has steps as long as those on fresh documents."""


def check_runnable(spec: RunSpec, device: str) -> None:
    """Reject a spec that cannot run on that kind of device, before any slow work.

    Raises:
        ValueError: if the text is too short, the model too large, or a step too slow.
    """
    if spec.corpus.source in ("prose", "own"):
        lane_length(len(running_text(spec.corpus).training), spec.batch, spec.length)
    check_affordable(spec, len(corpus_vocabulary(spec.corpus)), step_tokens(spec), device)


def step_tokens(spec: RunSpec) -> int:
    """Tokens of a step, padding included."""
    if spec.corpus.longest is not None:
        # Of sources of all lengths the mean is half the longest; targets are about as long.
        return spec.batch * (spec.corpus.longest + MARKS)
    if spec.corpus.source != "microworld":
        return spec.batch * spec.length
    return _documents(spec.batch, spec.seed, spec.corpus.documents)


@lru_cache(maxsize=64)
def _documents(batch: int, seed: int, documents: int) -> int:
    if documents > LARGE:
        documents = 0
    spec = RunSpec(CorpusSpec(documents=documents), batch=batch, seed=seed)
    return typical_step_tokens(DocumentFeed(spec))


def fitting_sizes(spec: RunSpec, device: str) -> tuple[int, int]:
    """A batch size and length, at most those of `spec`, that suit a short running text.

    Each lane has several windows, and a step is affordable.

    Raises:
        ValueError: if the text is too short to learn from.
    """
    types = len(corpus_vocabulary(spec.corpus))
    step = (len(running_text(spec.corpus).training) - 1) // WINDOWS_EACH
    length = min(spec.length, 2 * math.isqrt(step))
    batch = min(spec.batch, max(1, step // length))

    def dear() -> bool:
        smaller = replace(spec, batch=batch, length=length)
        return step_seconds(smaller, types, batch * length, device) > MAX_STEP_SECONDS

    while dear() and (batch > 1 or length > 3):
        batch, length = (batch // 2, length) if batch > 1 else (1, length // 2)
    return batch, length
