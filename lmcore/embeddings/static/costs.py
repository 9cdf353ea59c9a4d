"""Multiply–adds of one training token, by formula: the NNLM of 2003 beside word2vec of 2013.

    NNLM         N d H + H |V|        hidden layer, and a score for every word
    CBOW         n d + (k + 1) d      mean of the window, and a score for k + 1 words
    skip-gram    n (k + 1) d          for each of n context words k + 1 scores

N is the context of the NNLM, n the mean number of context words within the window, k the number of
noise words. A matrix product costs as much again for each of its two gradients, so training takes
three times the forward pass. Looking up rows, biases, nonlinearities and the optimiser are not
counted: they take no products of this size.

Source: Mikolov et al. 2013, "Efficient estimation of word representations in vector space",
sections 2.1 and 3; CMU 11-411, "NNLM and Word2Vec". Variant: negative sampling instead of the
hierarchical softmax, which has log₂ |V| in place of k + 1; and the paper also counts N d for the
lookup.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.embeddings.static.pairs import WindowPairs
from lmcore.models.feedforward import FeedforwardConfig

if TYPE_CHECKING:
    from pandas import DataFrame

LARGEST_SIZE = 1_000_000


@dataclass(frozen=True, slots=True)
class CostTerm:
    """One product of the forward pass, its formula, and its multiply–adds."""

    name: str
    formula: str
    forward: float
    backward: float

    def to_frame(self) -> DataFrame:
        """One row: name, formula, forward, backward."""
        return dataframes.one_row(
            {
                "part": self.name,
                "formula": self.formula,
                "forward": self.forward,
                "backward": self.backward,
            }
        )


@dataclass(frozen=True, slots=True)
class TokenCost:
    """Multiply–adds of one training token of a model, term by term."""

    model: str
    terms: tuple[CostTerm, ...]

    @property
    def forward(self) -> float:
        """Multiply–adds of the forward pass."""
        return math.fsum(term.forward for term in self.terms)

    @property
    def training(self) -> float:
        """Multiply–adds of the forward and the backward pass."""
        return self.forward + math.fsum(term.backward for term in self.terms)

    def to_frame(self) -> DataFrame:
        """One row per term: part, formula, forward, backward; and the model in front."""
        table = dataframes.Table(self.terms).to_frame()
        table.insert(0, "model", self.model)
        return table


def nnlm_cost(config: FeedforwardConfig) -> TokenCost:
    """The feedforward language model of Bengio et al. 2003, with a full softmax."""
    hidden = float(config.context * config.embedding * config.hidden)
    scores = float(config.hidden * config.vocabulary)
    return TokenCost(
        "NNLM",
        (
            CostTerm("hidden layer", "N d H", hidden, 2 * hidden),
            CostTerm("scores of all words", "H |V|", scores, 2 * scores),
        ),
    )


def cbow_cost(dimensions: int, negatives: int, contexts: float) -> TokenCost:
    """CBOW with k noise words; `contexts` is n.

    Raises:
        ValueError: if a size is out of bounds.
    """
    _check(dimensions, negatives, contexts)
    mean, scores = contexts * dimensions, float((negatives + 1) * dimensions)
    return TokenCost(
        "CBOW",
        (
            CostTerm("mean of the window", "n d", mean, mean),
            CostTerm("scores of k + 1 words", "(k + 1) d", scores, 2 * scores),
        ),
    )


def skip_gram_cost(dimensions: int, negatives: int, contexts: float) -> TokenCost:
    """Skip-gram with k noise words for each of n pairs; `contexts` is n.

    Raises:
        ValueError: if a size is out of bounds.
    """
    _check(dimensions, negatives, contexts)
    scores = contexts * (negatives + 1) * dimensions
    term = CostTerm("scores of k + 1 words for n pairs", "n (k + 1) d", scores, 2 * scores)
    return TokenCost("skip-gram", (term,))


def contexts_per_token(pairs: WindowPairs) -> float:
    """n: the mean number of context words; below 2m, because windows end with the sentence."""
    return len(pairs.centres) / len(pairs.text.ids)


def _check(dimensions: int, negatives: int, contexts: float) -> None:
    check_between("the dimensions d", dimensions, 1, LARGEST_SIZE)
    check_between("the number of noise words k", negatives, 1, LARGEST_SIZE)
    if not (math.isfinite(contexts) and 0 < contexts <= LARGEST_SIZE):
        raise ValueError(
            f"the context words n must be above 0 and at most {LARGEST_SIZE:,}; got {contexts:g}"
        )
