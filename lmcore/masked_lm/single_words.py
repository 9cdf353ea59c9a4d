"""How well a masked model of English finds the words of sentences, one masked at a time.

    top-1, top-5    share of the words that are the likeliest, or among the five likeliest
    loss            mean −log ŷ[w] of the word w, in nats per word

Every word of letters that is one token of the vocabulary is masked once, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lmcore.masked_lm.sentences import MaskedSentences, SentencePool, mask_places
from lmcore.models.bert import BERT

ROWS = 64
"""Sentences of a batch."""
MANY = 5


class SingleWords(NamedTuple):
    """The number of words, the two shares and the loss."""

    words: int
    top_1: float
    top_5: float
    loss: float


def measure_single_words(network: BERT, pool: SentencePool) -> SingleWords:
    """Mask each word of each sentence alone, and rank it among the predictions.

    Raises:
        ValueError: if the network has no head for masked words.
    """
    ranks, terms = list[Tensor](), list[Tensor]()
    for batch in _batches(pool):
        log_q = masked_logits(network, batch).log_softmax(-1)
        own = log_q.gather(1, batch.targets[:, None])
        ranks.append((log_q > own).sum(1))
        terms.append(-own[:, 0])
    rank, term = torch.cat(ranks), torch.cat(terms)
    return SingleWords(
        len(rank),
        float((rank == 0).double().mean()),
        float((rank < MANY).double().mean()),
        float(term.double().mean()),
    )


@torch.inference_mode()
def masked_logits(network: BERT, batch: MaskedSentences) -> Tensor:
    """The logits at the covered places alone, row by row.

    Raises:
        ValueError: if the network has no head for masked words.
    """
    _, stream = network.embed(batch.tokens)
    for block in network.blocks:
        stream = block(stream).output
    logits = network.unembed(network.final_hidden(stream)[batch.covered])
    if logits is None:
        raise ValueError("the model must have a head for masked words; it has none")
    return logits


def _batches(pool: SentencePool) -> Iterator[MaskedSentences]:
    for group in pool.by_length:
        rows, places = group.words.nonzero()
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            covered = np.zeros((len(some), group.ids.shape[1]), bool)
            covered[np.arange(len(some)), places[start : start + ROWS]] = True
            yield mask_places(group.ids[some], covered, pool.mask)
