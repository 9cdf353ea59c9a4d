"""word2vec: skip-gram and CBOW with negative sampling, trained with snapshots on the way.

    skip-gram    h = v_c, the row of the centre word       o = one word of its window
    CBOW         h = mean of v over the whole window       o = the centre word

The word vectors are the rows of the input table, v. The loss and its gradients are those of
`negative_sampling`.

Source: Mikolov et al. 2013, "Efficient estimation of word representations in vector space" (both
models) and "Distributed representations of words and phrases and their compositionality" (the
loss); CMU 11-411, "NNLM and Word2Vec". Variant: the window is always ±m, where word2vec draws a
width from 1 to m for each centre; and steps are by mini-batches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch

from lmcore.checks import check_one_of
from lmcore.embeddings.static.negative_sampling import (
    Examples,
    SamplingConfig,
    noise_distribution,
    train_tables,
)
from lmcore.embeddings.static.pairs import WindowPairs
from lmcore.embeddings.static.vectors import Snapshot

Word2VecModel = Literal["skip-gram", "CBOW"]
MODELS: tuple[Word2VecModel, ...] = ("skip-gram", "CBOW")


@dataclass(frozen=True, slots=True)
class Word2VecConfig(SamplingConfig):
    """Which of the two models, its size and how it is trained."""

    model: str = "skip-gram"

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_one_of("the model", self.model, MODELS)
        SamplingConfig.__post_init__(self)


def skip_gram_examples(pairs: WindowPairs) -> Examples:
    """One example per pair: the centre word is the input, the context word the target."""
    bags = pairs.centre_ids[:, None]
    return Examples(bags, torch.ones(bags.shape, dtype=torch.float64), pairs.context_ids)


def cbow_examples(pairs: WindowPairs) -> Examples:
    """One example per token that has a context: the window is the input, the token the target."""
    centres, places, sizes = torch.unique(pairs.centres, return_inverse=True, return_counts=True)
    slots = torch.arange(len(places)) - (sizes.cumsum(dim=0) - sizes)[places]
    bags = torch.zeros(len(centres), 2 * pairs.window, dtype=torch.long)
    shares = torch.zeros(bags.shape, dtype=torch.float64)
    bags[places, slots] = pairs.context_ids
    shares[places, slots] = 1 / sizes[places].double()
    return Examples(bags, shares, pairs.text.ids[centres])


def train_word2vec(pairs: WindowPairs, config: Word2VecConfig) -> Iterator[Snapshot]:
    """Train skip-gram or CBOW; a snapshot before the first step and at about 60 later moments.

    Snapshots are denser at the beginning, where most happens. The same seed gives the same vectors.

    Raises:
        ValueError: if there is no pair, which is when every sentence has one word.
    """
    check_pairs(pairs)
    make = skip_gram_examples if config.model == "skip-gram" else cbow_examples
    noise = noise_distribution(pairs.text.frequencies)
    for state in train_tables(make(pairs), len(pairs.words), noise, config):
        yield Snapshot(
            state.step, state.seen, state.loss, state.inputs, state.inputs, state.outputs
        )


def check_pairs(pairs: WindowPairs) -> None:
    """Raises ValueError if there is no pair to train on."""
    if not len(pairs.centres):
        raise ValueError("the text must have a sentence of at least 2 words; got none")
