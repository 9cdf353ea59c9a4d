"""Batches for an encoder: whole documents of the microworld with some words to be found again."""

from __future__ import annotations

import torch
from jaxtyping import Int
from torch import Tensor

from lmcore.corpora.microworld import microworld
from lmcore.corruption import Rates, corrupt
from lmcore.training.feeds import NOTHING, TRAINING_SEED, VALIDATION_SEED, Batch, DocumentFeed
from lmcore.training.spec import RunSpec
from lmcore.vocabulary import END, START, Vocabulary

MASK, PAD = "[MASK]", "[PAD]"


def masked_vocabulary() -> Vocabulary:
    """The microworld's types, [MASK], and last [PAD]."""
    own = microworld().vocabulary
    return Vocabulary((*own.tokens, MASK, PAD), lower=own.lower)


class MaskedFeed:
    """The documents that `DocumentFeed` has, corrupted as BERT's training does."""

    truth = None

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self.documents = DocumentFeed(spec)
        self.vocabulary = masked_vocabulary()
        self.validation = tuple(
            self.masked(batch, VALIDATION_SEED + i)
            for i, batch in enumerate(self.documents.validation)
        )

    def batch(self, step: int) -> Batch:
        """What step `step` reads."""
        # 31 bits for the step, 31 for the seed: no two are the same.
        return self.masked(self.documents.batch(step), (self.spec.seed << 31) + step)

    def masked(self, batch: Batch, seed: int) -> Batch:
        """Whole documents, some words covered; the targets are the words that were."""
        tokens = whole(batch, self.vocabulary.ids[PAD])
        generator = torch.Generator().manual_seed(seed ^ TRAINING_SEED)
        own = len(self.vocabulary) - 2
        ends = (self.vocabulary.ids[START], self.vocabulary.ids[END])
        may = (tokens < own) & (tokens != ends[0]) & (tokens != ends[1])
        seen = corrupt(tokens, may, Rates(), generator, mask=self.vocabulary.ids[MASK], types=own)
        return Batch(seen.corrupted, seen.targets, True)


def whole(batch: Batch, padding: int) -> Int[Tensor, "batch time"]:
    """A batch's documents from their first token to their last, filled up with `padding`."""
    rest = batch.targets.masked_fill(batch.targets == NOTHING, padding)
    return torch.cat([batch.inputs[:, :1], rest], dim=1)
