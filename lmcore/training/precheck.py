"""What can be run, told before a run begins and without drawing its text."""

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
"""Windows that each lane of a short text has to read, about."""
LARGE = 5_000
"""Documents: what a step reads of a larger fixed set is as long as what one reads of fresh ones."""


def check_runnable(spec: RunSpec, device: str) -> None:
    """Refuse what could not begin on that kind of device, before anything long is drawn.

    Raises:
        ValueError: if the text is too short to be read so, the model too large, or a step too dear.
    """
    if spec.corpus.source in ("prose", "own"):
        lane_length(len(running_text(spec.corpus).training), spec.batch, spec.length)
    check_affordable(spec, len(corpus_vocabulary(spec.corpus)), step_tokens(spec), device)


def step_tokens(spec: RunSpec) -> int:
    """Tokens of a step, those filled up among them."""
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
    """The batch and length at which a running text, however short, can be read and a step is
    affordable: at most those of `spec`, and each lane has some windows to read.

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
