"""Measures a masked language model against the grammar's exact posterior.

    expected accuracy   mean p(w | all the other words), w the model's likeliest word
    divergence          mean Σ_w p(w | …) log p(w | …) / q(w | …)      KL(p ‖ q), nats per word

p is the grammar's exact posterior, q the model's. The best possible accuracy is the mean of
max_w p(w | …), below 1 because the other words do not always determine the masked one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float64

from lmcore.corpora import masked_words
from lmcore.corpora.automaton import Automaton
from lmcore.corpora.documents import Documents
from lmcore.models.bert import BERT
from lmcore.training.masked_batches import MASK, PAD, masked_vocabulary, pad_rows

ROWS = 256
"""Texts per batch."""
SEED = 5


class FillIn(NamedTuple):
    """How well single masked words are predicted."""

    words: int
    best: float
    """Expected accuracy of the exact posterior's choice."""
    accuracy: float
    """Expected accuracy of the model's choice."""
    divergence: float

    @property
    def share(self) -> float:
        """The model's accuracy as a share of the best possible."""
        return self.accuracy / self.best


class GapQuestion(NamedTuple):
    """A text as ids with one masked position; segment 0 throughout."""

    ids: tuple[int, ...]
    place: int


def fill_in(network: BERT, documents: Documents, world: Automaton, *, seed: int = SEED) -> FillIn:
    """Mask a word of each document, any but the first and last token, and measure the predictions.

    Raises:
        ValueError: if there is no document, or the network has no head for masked words.
    """
    if not len(documents):
        raise ValueError("a model must be judged on at least one document; got none")
    rng = np.random.default_rng(seed)
    places = [int(rng.integers(1, len(document) - 1)) for document in documents]
    exact = np.array(
        [
            masked_words.posterior(world, document, place)
            for document, place in zip(documents, places, strict=True)
        ]
    )
    asked = [
        GapQuestion(tuple(document.tolist()), place)
        for document, place in zip(documents, places, strict=True)
    ]
    log_q = gap_log_probabilities(network, asked)[:, : exact.shape[1]]
    chosen = log_q.argmax(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(exact > 0, exact * (np.log(exact) - log_q), 0.0)
    return FillIn(
        len(asked),
        float(exact.max(axis=1).mean()),
        float(exact[np.arange(len(asked)), chosen].mean()),
        float(each.sum(axis=1).mean()),
    )


def gap_log_probabilities(
    network: BERT, questions: Sequence[GapQuestion]
) -> Float64[np.ndarray, "question vocabulary"]:
    """log q of every type at the masked position of each text.

    Raises:
        ValueError: if the network has no head for masked words.
    """
    cover, padding = (masked_vocabulary().ids[token] for token in (MASK, PAD))
    rows = []
    for start in range(0, len(questions), ROWS):
        some = questions[start : start + ROWS]
        tokens = pad_rows([question.ids for question in some], padding)
        which = torch.arange(len(some)), torch.tensor([question.place for question in some])
        tokens[which] = cover
        with torch.inference_mode():
            logits = network(tokens).logits
        if logits is None:
            raise ValueError("the model must have a head for covered words; it has none")
        rows.append(logits[which].double().log_softmax(-1).numpy())
    return np.concatenate(rows) if rows else np.empty((0, len(masked_vocabulary())))
