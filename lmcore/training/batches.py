"""Batches for a run: a pure function of the spec and the number of the step.

Nothing but a cache is kept between steps, so a run resumed at step 500 reads the same batches as
one never interrupted, and two equal runs read the same.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Int
from numpy.typing import NDArray
from torch import Tensor

from lmcore.corpora import prose, quoted_text, translation
from lmcore.corpora.documents import Documents, concatenate
from lmcore.corpora.microworld import HELD_OUT_ONE_IN, held_out_mask, microworld, training_documents
from lmcore.tokenization.own_text import OwnText
from lmcore.training.spec import CorpusSpec, RunSpec
from lmcore.vocabulary import Vocabulary

IGNORE_INDEX = -100
"""The target at padding, where no loss is taken."""
DOCUMENTS_AHEAD = 32
"""Batches drawn together and sorted by length, so that there is little padding."""
WINDOWS_AHEAD = 32
CHARACTERS_AHEAD = 500_000
"""The most quoted text drawn at once: about a tenth of a second of work between two steps."""
VALIDATION_DOCUMENTS = 128
VALIDATION_WINDOWS = 4
VALIDATION_SEED = 1_000_003
TRAINING_SEED = 17
SAMPLED_BATCHES = 9
"""Batches whose median size estimates the cost of a step."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Token ids, and as targets the next tokens; `fresh` means that no state is carried over.

    An encoder's targets are the original tokens at the same positions; it also has segments, and
    for each pair of texts whether the second continues the first. `source` is what is
    translated.
    """

    inputs: Int[Tensor, "batch time"]
    targets: Int[Tensor, "batch time"]
    fresh: bool
    segments: Int[Tensor, "batch time"] | None = None
    pairs: Int[Tensor, " batch"] | None = None
    source: Int[Tensor, "batch source"] | None = None

    @property
    def read(self) -> int:
        """The number of tokens that a network reads, padding included."""
        return self.inputs.numel() + (0 if self.source is None else self.source.numel())


@runtime_checkable
class Feed(Protocol):
    """A corpus as batches."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The types of the text."""

    @property
    def validation(self) -> tuple[Batch, ...]:
        """The batches of the validation loss, never trained on."""

    @property
    def truth(self) -> float | None:
        """The grammar's own loss on `validation`, nats per token, if known.

        For quoted text it is the expected value, from which a short text may differ by a few
        percent.
        """

    def batch(self, step: int) -> Batch:
        """The batch of step `step`; the first is 0."""


def build_feed(spec: RunSpec) -> Feed:
    """The batches of a spec.

    Raises:
        ValueError: if the text is too short for the batch and length.
    """
    if spec.corpus.source == "microworld":
        return DocumentFeed(spec)
    if spec.corpus.source == "quoted":
        return QuotedFeed(spec)
    return TextFeed(running_text(spec.corpus), spec)


def typical_step_tokens(feed: Feed) -> int:
    """The typical number of tokens of a step: batches are sorted by length, so they vary."""
    return statistics.median_low(feed.batch(step).read for step in range(SAMPLED_BATCHES))


@lru_cache(maxsize=4)
def running_text(corpus: CorpusSpec) -> OwnText:
    """A running text, tokenized once: the story, or the user's own.

    Raises:
        ValueError: if the text is too short to learn from.
    """
    return OwnText(prose.text() if corpus.source == "prose" else corpus.text, corpus.unit)


@lru_cache(maxsize=8)
def corpus_vocabulary(corpus: CorpusSpec) -> Vocabulary:
    """The vocabulary of a corpus, without building its batches.

    Raises:
        ValueError: if the text is too short to learn from.
    """
    if corpus.source == "microworld":
        return microworld().vocabulary
    if corpus.source == "quoted":
        return quoted_text.VOCABULARY
    if corpus.source == "translation":
        return translation.translation_vocabulary()
    return running_text(corpus).vocabulary


class DocumentFeed:
    """Documents of the microworld, one per row from `<s>`: fresh ones, or a fixed set."""

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self.world = microworld()
        self.vocabulary = self.world.vocabulary
        self._fixed = fixed_documents(spec.corpus.documents) if spec.corpus.documents else None
        self._ahead = lru_cache(maxsize=2)(self._draw)
        documents = _by_length(validation_documents())
        half = VALIDATION_DOCUMENTS // 2
        self.validation = tuple(
            document_batch(part) for part in (documents[:half], documents[half:])
        )
        bits = [self.world.log_probability(document) for document in documents]
        self.truth = -sum(bits) / sum(len(document) - 1 for document in documents)

    def batch(self, step: int) -> Batch:
        """The batch of step `step`."""
        block, place = divmod(step, DOCUMENTS_AHEAD)
        return self._ahead(block)[place]

    def _draw(self, block: int) -> tuple[Batch, ...]:
        rng = np.random.default_rng([TRAINING_SEED, self.spec.seed, block])
        wanted = DOCUMENTS_AHEAD * self.spec.batch
        documents = _by_length(self.drawn(wanted, rng))
        batches = [
            document_batch(documents[start : start + self.spec.batch])
            for start in range(0, wanted, self.spec.batch)
        ]
        return tuple(batches[i] for i in rng.permutation(len(batches)))

    def drawn(self, wanted: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
        """Draw documents to train on: fresh ones, or some of the fixed set."""
        if self._fixed is not None:
            return [self._fixed[i] for i in rng.integers(len(self._fixed), size=wanted)]
        drawn: list[NDArray[np.int64]] = []
        while len(drawn) < wanted:
            drawn += list(training_documents(self.world.sample(wanted, rng)))
        return drawn[:wanted]


@lru_cache(maxsize=2)
def fixed_documents(count: int) -> tuple[NDArray[np.int64], ...]:
    """The fixed corpus of `count` documents, the same for every seed."""
    rng = np.random.default_rng([TRAINING_SEED, 0])
    drawn: list[NDArray[np.int64]] = []
    while len(drawn) < count:
        drawn += list(training_documents(microworld().sample(count, rng)))
    return tuple(drawn[:count])


@lru_cache(maxsize=1)
def validation_documents() -> Documents:
    """Documents that no run trains on."""
    rng = np.random.default_rng(VALIDATION_SEED)
    drawn = microworld().sample(2 * HELD_OUT_ONE_IN * VALIDATION_DOCUMENTS, rng)
    return drawn.where(held_out_mask(drawn))[:VALIDATION_DOCUMENTS]


def document_batch(documents: Sequence[NDArray[np.int64]]) -> Batch:
    """Documents as the rows of a padded batch."""
    tokens = concatenate(documents).padded(IGNORE_INDEX)
    inputs = np.where(tokens == IGNORE_INDEX, 0, tokens)[:, :-1]
    return Batch(torch.from_numpy(inputs), torch.from_numpy(tokens[:, 1:].copy()), True)


class TextFeed:
    """One running text in `batch` parallel stretches, read window by window.

    The last tenth is for validation.
    """

    truth = None

    def __init__(self, text: OwnText, spec: RunSpec) -> None:
        """Raises ValueError if the text is shorter than one window in each lane."""
        self.spec = spec
        self.vocabulary = text.vocabulary
        learned, kept = text.training, text.validation
        self._lanes = lanes(learned, spec.batch, spec.length)
        few = max(1, min(spec.batch, (len(kept) - 1) // spec.length))
        self.validation = split_into_windows(
            lanes(kept, few, min(spec.length, len(kept) - 1)), spec.length
        )[:VALIDATION_WINDOWS]
        self._windows = split_into_windows(self._lanes, spec.length)

    def batch(self, step: int) -> Batch:
        """The batch of step `step`."""
        return self._windows[step % len(self._windows)]


class QuotedFeed:
    """An endless stream of quoted text: every `ahead` steps each lane gets a new stretch."""

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        step = spec.batch * spec.length
        self.ahead = max(1, min(WINDOWS_AHEAD, CHARACTERS_AHEAD // step))
        self.vocabulary = quoted_text.VOCABULARY
        self._ahead = lru_cache(maxsize=2)(self._draw)
        self.truth = quoted_text.entropy()
        size = step * min(VALIDATION_WINDOWS, self.ahead) + 1
        text = quoted_text.text(VALIDATION_SEED, size)
        ids = np.array(self.vocabulary.encode(text), dtype=np.int64)
        self.validation = split_into_windows(lanes(ids, spec.batch, spec.length), spec.length)

    def batch(self, step: int) -> Batch:
        """The batch of step `step`."""
        block, place = divmod(step, self.ahead)
        return self._ahead(block)[place]

    def _draw(self, block: int) -> tuple[Batch, ...]:
        seed = np.random.SeedSequence([TRAINING_SEED, self.spec.seed, block]).generate_state(1)[0]
        size = self.spec.batch * self.spec.length * self.ahead + 1
        ids = np.array(self.vocabulary.encode(quoted_text.text(int(seed), size)), dtype=np.int64)
        return split_into_windows(lanes(ids, self.spec.batch, self.spec.length), self.spec.length)


def lanes(ids: NDArray[np.int64], count: int, length: int) -> Int[Tensor, "batch time"]:
    """A text cut into `count` stretches of equal length, side by side.

    Each is one token longer than a whole number of windows, for the last target.

    Raises:
        ValueError: if there is less than one window of `length` tokens for each.
    """
    whole = lane_length(len(ids), count, length)
    starts = np.arange(count)[:, None] * whole
    return torch.from_numpy(ids[starts + np.arange(whole + 1)])


def lane_length(size: int, count: int, length: int) -> int:
    """Tokens of each of `count` stretches of a text of `size` tokens, in whole windows.

    Raises:
        ValueError: if there is less than one window of `length` tokens for each.
    """
    whole = (size - 1) // (count * length) * length
    if whole == 0:
        raise ValueError(
            f"the text must have at least {count * length + 1:,} tokens to be read {count} places "
            f"at once, {length} tokens at a time; got {size:,}: choose a smaller batch or length"
        )
    return whole


def split_into_windows(text: Int[Tensor, "batch time"], length: int) -> tuple[Batch, ...]:
    """The stretches, window after window; only the first starts fresh."""
    return tuple(
        Batch(text[:, at : at + length], text[:, at + 1 : at + 1 + length], at == 0)
        for at in range(0, text.shape[1] - 1, length)
    )


def _by_length(documents: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    return sorted(documents, key=len)
