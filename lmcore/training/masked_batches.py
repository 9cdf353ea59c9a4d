"""Batches for training an encoder: microworld documents, whole or as pairs, partly masked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from lmcore.corpora.coreference import resolve_pronoun
from lmcore.corpora.documents import concatenate
from lmcore.corpora.microworld import microworld
from lmcore.corpora.sentence_pairs import Ids, SegmentedText, draw_pairs
from lmcore.corruption.corruption import Rates, corrupt
from lmcore.training.batches import (
    DOCUMENTS_AHEAD,
    TRAINING_SEED,
    VALIDATION_DOCUMENTS,
    VALIDATION_SEED,
    Batch,
    DocumentFeed,
    validation_documents,
)
from lmcore.training.spec import RunSpec
from lmcore.vocabulary import END, START, Vocabulary

CLS, SEP, MASK, PAD = "[CLS]", "[SEP]", "[MASK]", "[PAD]"
STOP = "."


@lru_cache(maxsize=1)
def masked_vocabulary() -> Vocabulary:
    """The microworld's types with their own ids, then [MASK] and [PAD].

    [CLS] and [SEP] take the places of `<s>` and `</s>`.
    """
    own = microworld().vocabulary
    new = {START: CLS, END: SEP}
    types = (new.get(token, token) for token in own.tokens)
    return Vocabulary((*types, MASK, PAD), lower=own.lower)


class MaskedFeed:
    """The documents of `DocumentFeed`, corrupted as in BERT's training."""

    truth = None

    def __init__(self, spec: RunSpec) -> None:
        self.spec = spec
        self.documents = DocumentFeed(spec)
        self.vocabulary = masked_vocabulary()
        self._ahead = lru_cache(maxsize=2)(self._draw)
        texts = self.texts(list(validation_documents()), np.random.default_rng(VALIDATION_SEED))
        half = VALIDATION_DOCUMENTS // 2
        self.validation = tuple(
            self.masked(some, VALIDATION_SEED + i)
            for i, some in enumerate((texts[:half], texts[half:]))
        )

    def batch(self, step: int) -> Batch:
        """The batch of step `step`."""
        block, place = divmod(step, DOCUMENTS_AHEAD)
        # 31 bits for the step, 31 for the seed: no two are the same.
        return self.masked(self._ahead(block)[place], (self.spec.seed << 31) + step)

    def texts(self, documents: Sequence[Ids], rng: np.random.Generator) -> list[SegmentedText]:
        """Draw whole documents and pairs, sorted by length."""
        ids = self.vocabulary.ids
        made = draw_pairs(
            documents, self.spec.masking.pairs, rng, stop=ids[STOP], separator=ids[SEP]
        )
        return sorted(made, key=lambda text: len(text.ids))

    def masked(self, texts: Sequence[SegmentedText], seed: int) -> Batch:
        """A padded batch of texts with some words masked; the targets are the original words."""
        ids, asked = self.vocabulary.ids, self.spec.masking
        tokens = pad_rows([text.ids for text in texts], ids[PAD])
        segments = pad_rows([text.segments for text in texts], 0)
        generator = torch.Generator().manual_seed(seed ^ TRAINING_SEED)
        own = len(self.vocabulary) - 2
        maskable = (tokens < own) & (tokens != ids[CLS]) & (tokens != ids[SEP])
        high = torch.rand(len(texts), 1, generator=generator) < 0.5
        seen = [
            corrupt(tokens, maskable, Rates(chosen=share), generator, mask=ids[MASK], types=own)
            for share in (asked.low, asked.high)
        ]
        inputs = torch.where(high, seen[1].corrupted, seen[0].corrupted)
        targets = torch.where(high, seen[1].targets, seen[0].targets)
        if asked.named:
            self._name(texts, tokens, inputs, targets)
        labels = torch.tensor([text.label for text in texts])
        return Batch(inputs, targets, True, segments, labels)

    def _name(
        self, texts: Sequence[SegmentedText], tokens: Tensor, inputs: Tensor, targets: Tensor
    ) -> None:
        """Where *it* and the deciding adjective are visible, make the noun the target at *it*."""
        because = self.vocabulary.ids["because"]
        for row in (tokens == because).any(dim=1).nonzero()[:, 0].tolist():
            pronoun = resolve_pronoun(self.vocabulary.decode(texts[row].ids.tolist()))
            if pronoun is None:
                continue
            clue = [pronoun.it, pronoun.adjective]
            if torch.equal(inputs[row, clue], tokens[row, clue]):
                targets[row, pronoun.it] = tokens[row, pronoun.noun]

    def _draw(self, block: int) -> tuple[list[SegmentedText], ...]:
        rng = np.random.default_rng([TRAINING_SEED, self.spec.seed, block])
        size, wanted = self.spec.batch, DOCUMENTS_AHEAD * self.spec.batch
        texts = self.texts(self.documents.drawn(wanted, rng), rng)
        batches = [texts[start : start + size] for start in range(0, wanted, size)]
        return tuple(batches[i] for i in rng.permutation(len(batches)))


def pad_rows(rows: Sequence[Sequence[int] | Ids], fill: int) -> Int[Tensor, "row time"]:
    """Texts of ids as the rows of a padded tensor."""
    return torch.from_numpy(concatenate([np.asarray(row) for row in rows]).padded(fill))
