"""Batches of translations: sources, and their targets shifted by one for teacher forcing.

    source             the ball was kicked by kayla </s>
    decoder's input    <s> kayla kicked the ball
    target             kayla kicked the ball </s>

Every step of the decoder reads the true word before, whatever it would have chosen itself.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from lmcore.corpora.translation import (
    LONGEST,
    PAD,
    SHORTEST,
    Words,
    held_out_sources,
    training_sources,
    translate,
    translation_vocabulary,
)
from lmcore.models.registry import TranslationModel, device_of
from lmcore.training.batches import (
    DOCUMENTS_AHEAD,
    IGNORE_INDEX,
    TRAINING_SEED,
    VALIDATION_DOCUMENTS,
    VALIDATION_SEED,
    Batch,
)
from lmcore.training.spec import RunSpec
from lmcore.vocabulary import END, START

MOST_WRITTEN = LONGEST + 10
"""Words after which a translation is broken off: no true one is as long."""


class TranslationFeed:
    """Fresh pairs of a task, sources of every length from its shortest to the longest."""

    truth = 0.0
    """A source has one target."""

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self.vocabulary = translation_vocabulary()
        self.task = spec.corpus.task or "translation"
        self.longest = spec.corpus.longest or LONGEST
        self._ahead = lru_cache(maxsize=2)(self._draw)
        sources = sorted(self._validation_sources(), key=len)
        half = len(sources) // 2
        self.validation = tuple(
            translation_batch(part, self.task) for part in (sources[:half], sources[half:]) if part
        )

    def batch(self, step: int) -> Batch:
        """The batch of step `step`."""
        block, place = divmod(step, DOCUMENTS_AHEAD)
        return self._ahead(block)[place]

    def _draw(self, block: int) -> tuple[Batch, ...]:
        # A seed that is text gives the same numbers on every machine.
        rng = random.Random(f"{TRAINING_SEED} {self.spec.seed} {block}")
        size, wanted = self.spec.batch, DOCUMENTS_AHEAD * self.spec.batch
        drawn = islice(training_sources(self.task, self.longest, rng), wanted)
        sources = sorted(drawn, key=len)
        batches = [
            translation_batch(sources[start : start + size], self.task)
            for start in range(0, wanted, size)
        ]
        rng.shuffle(batches)
        return tuple(batches)

    def _validation_sources(self) -> list[Words]:
        """Held-out sources, about as many of each length."""
        lengths = range(SHORTEST[self.task], self.longest + 1)
        each = -(-VALIDATION_DOCUMENTS // len(lengths))
        found = (held_out_sources(self.task, n, each, VALIDATION_SEED) for n in lengths)
        return [source for some in found for source in some]


def translation_batch(sources: Sequence[Words], task: str) -> Batch:
    """Sources and their targets as rows: what the decoder reads, and the word after each."""
    ids = translation_vocabulary().ids
    targets = [[*(ids[word] for word in translate(each, task)), ids[END]] for each in sources]
    inputs = [[ids[START], *target[:-1]] for target in targets]
    return Batch(
        _padded(inputs, ids[END]),
        _padded(targets, IGNORE_INDEX),
        True,
        source=encode_sources(sources),
    )


def encode_sources(sources: Sequence[Sequence[str]]) -> Int[Tensor, "batch source"]:
    """Sources as rows of ids, each with `</s>` at its end, then padding.

    Raises:
        ValueError: if a word is not in the vocabulary.
    """
    types = translation_vocabulary()
    rows = [[*types.encode(source), types.ids[END]] for source in sources]
    return _padded(rows, types.ids[PAD])


@torch.no_grad()
def decode_greedily(
    network: TranslationModel,
    source: Int[Tensor, "batch source"],
    *,
    start: int,
    end: int,
    longest: int,
    order: Int[Tensor, "batch source"] | None = None,
) -> list[list[int]]:
    """The most probable word after each, until `end` or `longest` words; `end` is left out."""
    tokens = torch.full((len(source),), start, device=source.device)
    state: Any = network.encode(source)
    columns = list[Tensor]()
    ended = torch.zeros_like(tokens, dtype=torch.bool)
    while len(columns) < longest and not bool(ended.all()):
        logits, _, state = network.step(tokens, state, order=order)
        tokens = logits.argmax(dim=-1)
        ended = ended | (tokens == end)
        columns.append(tokens)
    rows = torch.stack(columns, dim=1).tolist() if columns else [[] for _ in source]
    return [row[: row.index(end)] if end in row else row for row in rows]


def write_translations(
    network: TranslationModel,
    sources: Sequence[Sequence[str]],
    *,
    order: Int[Tensor, "batch source"] | None = None,
) -> list[Words]:
    """The translations that a network writes greedily; `order` permutes the α of seq2seq.

    Raises:
        ValueError: as `encode_sources`.
    """
    types = translation_vocabulary()
    rows = decode_greedily(
        network,
        encode_sources(sources).to(device_of(network)),
        start=types.ids[START],
        end=types.ids[END],
        longest=MOST_WRITTEN,
        order=order,
    )
    return [tuple(types.decode(row)) for row in rows]


def sample_translation(network: TranslationModel, feed: TranslationFeed, step: int) -> str:
    """A source that is held out and its translation, for a report after `step` steps."""
    types, sources = feed.vocabulary, [batch.source for batch in feed.validation]
    rows = [row for some in sources if some is not None for row in some]
    source = [i for i in rows[step % len(rows)].tolist() if i != types.ids[PAD]]
    (written,) = write_translations(network, [types.decode(source[:-1])])
    return f"{types.write(source)} → {' '.join(written)}"


def _padded(rows: Sequence[Sequence[int]], fill: int) -> Int[Tensor, "batch time"]:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows])
