"""Next sentence prediction: does the second text continue the first?

    logits = tanh(h_[CLS] W_p + b_p) W_nsp + b_nsp        IsNext, NotNext
    p = softmax(logits)          loss = −log p of the true label, nats; ln 2 for uniform guessing

Source: Devlin et al. 2019, section 3.1, task 2; lecture "Next Sentence Prediction (NSP)".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float64
from numpy.typing import NDArray
from torch import Tensor

from lmcore.corpora.documents import Documents
from lmcore.corpora.microworld import held_out_mask, microworld
from lmcore.corpora.sentence_pairs import (
    IS_NEXT,
    NOT_NEXT,
    SegmentedText,
    cut_positions,
    draw_pairs,
)
from lmcore.dataframes import Trace
from lmcore.models.bert import BERT, BERTTrace
from lmcore.pretrained.reading import TokenizedText, trace_text
from lmcore.training.masked_batches import PAD, SEP, STOP, masked_vocabulary, pad_rows

NAMES = ("IsNext", "NotNext")
LARGEST_SEED = 2**31 - 1
DRAWN = 200
"""Documents sampled to find a pair; one in twenty is held out, and half of those fit."""
ROWS = 256
"""Pairs per batch."""
SEED = 5


@dataclass(frozen=True, slots=True)
class NextSentenceTrace(Trace):
    """Every quantity, in the order it is computed."""

    start: Float64[Tensor, " width"]
    """h of [CLS] after the last block"""
    pooled: Float64[Tensor, " width"]
    logits: Float64[Tensor, " 2"]
    probabilities: Float64[Tensor, " 2"]

    @property
    def losses(self) -> Float64[Tensor, " 2"]:
        """−log p of each label: the loss if that label is true."""
        return -self.probabilities.log()


class DrawnPair(NamedTuple):
    """Two texts of the microworld, and their label."""

    first: str
    second: str
    label: int


class NextSentenceAccuracy(NamedTuple):
    """The measures of a model on many pairs, half of which do not belong together."""

    pairs: int
    accuracy: float
    loss: float
    """The mean, in nats per pair"""


def predict_next_sentence(network: BERT, reading: TokenizedText) -> NextSentenceTrace:
    """The model's prediction for a pair.

    Raises:
        ValueError: if the model has no head for pairs.
    """
    seen = trace_text(network, reading)
    if not isinstance(seen, BERTTrace) or seen.next is None or seen.pooled is None:
        raise ValueError("the model must have a head for pairs of texts; it has none")
    logits = seen.next[0].double().cpu()
    hidden, pooled = (each.double().cpu() for each in (seen.hidden[0, 0], seen.pooled[0]))
    return NextSentenceTrace(hidden, pooled, logits, logits.softmax(-1))


def draw_pair(seed: int) -> DrawnPair:
    """Two halves of held-out documents: with equal probability of one document or of two.

    Raises:
        ValueError: if the seed is out of bounds.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"the seed must be from 0 to {LARGEST_SEED}; got {seed}")
    rng, ids = np.random.default_rng([seed, 2]), microworld().vocabulary.ids
    halves: list[tuple[NDArray[np.int64], int]] = []
    while len(halves) < 2:
        drawn = microworld().sample(DRAWN, rng)
        for document in drawn.where(held_out_mask(drawn)):
            if len(places := cut_positions(document, ids[STOP])):
                halves.append((document, int(rng.choice(places))))
    label = IS_NEXT if rng.random() < 1 / 2 else NOT_NEXT
    (one, at), (other, there) = halves[0], halves[0] if label == IS_NEXT else halves[1]
    write = microworld().vocabulary.write
    return DrawnPair(write(one[1:at].tolist()), write(other[there:-1].tolist()), label)


def measure_next_sentence(
    network: BERT, documents: Documents, *, seed: int = SEED
) -> NextSentenceAccuracy:
    """Measure on every document with two sentences, split in two; half get another's second half.

    Raises:
        ValueError: if there is no such document, or the network has no head for pairs.
    """
    ids = masked_vocabulary().ids
    rng = np.random.default_rng(seed)
    texts = draw_pairs(list(documents), 1.0, rng, stop=ids[STOP], separator=ids[SEP])
    asked = [text for text in texts if text.label in (IS_NEXT, NOT_NEXT)]
    if not asked:
        raise ValueError("a document must have two sentences to be cut; got none that has")
    log_p = torch.cat(
        [_answers(network, asked[start : start + ROWS]) for start in range(0, len(asked), ROWS)]
    )
    labels = torch.tensor([text.label for text in asked])
    right = (log_p.argmax(-1) == labels).double().mean()
    return NextSentenceAccuracy(
        len(asked), float(right), float(-log_p.gather(1, labels[:, None]).mean())
    )


def _answers(network: BERT, texts: Sequence[SegmentedText]) -> Float64[Tensor, "text 2"]:
    """log p of IsNext and NotNext for each."""
    tokens = pad_rows([text.ids for text in texts], masked_vocabulary().ids[PAD])
    segments = pad_rows([text.segments for text in texts], 0)
    with torch.inference_mode():
        logits = network(tokens, segments=segments).next
    if logits is None:
        raise ValueError("the model must have a head for pairs of texts; it has none")
    log_p: Tensor = logits.double().log_softmax(-1)
    return log_p
