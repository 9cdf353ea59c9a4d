"""Scoring a text with a language model: the chain rule, token by token, and perplexity.

    P(w₁ … w_T) = ∏ p(w_t | w₁ … w_{t−1})        perplexity = exp(−(1/T) Σ log p)

Source: UW LING 575, "What is a language model?": the chain rule and the pairs (context, target).
Jurafsky & Martin, Speech and Language Processing, 3rd ed. draft, "N-gram Language Models":
perplexity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_kind
from lmcore.corpora.documents import Documents
from lmcore.models.language_model import LanguageModel
from lmcore.token_ids import TextIds, text_ids

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary

LARGEST_LOSS = 709.0
"""Nats: slightly above it, exp overflows a float."""


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A text under a model, one entry per predicted token: every token but the first.

    An impossible token has p = 0: from there on the running product is 0, and the perplexity is
    infinite. Logarithms are in nats.
    """

    tokens: Int64[Tensor, " predicted"]
    probabilities: Float64[Tensor, " predicted"]
    """p(w_t | all before)"""
    log_probabilities: Float64[Tensor, " predicted"]
    running_product: Float64[Tensor, " predicted"]
    running_sum: Float64[Tensor, " predicted"]
    """Σ log p up to here; accurate even where the product underflows."""
    ranks: Int64[Tensor, " predicted"]
    """1 for the model's first choice; ties share the better rank; |V| for an impossible token."""
    total: float
    """Σ log p"""
    product: float
    """exp(Σ log p)"""
    perplexity: float
    """exp(−Σ log p / number of predicted tokens)"""

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per predicted token: token, p, log p, product so far, Σ log p so far, rank.

        Tokens are ids, or words if the vocabulary is given. Logarithms are in nats.
        """
        return dataframes.frame(
            {
                "token": dataframes.token_names(self.tokens, vocabulary),
                "p": self.probabilities,
                "log p": self.log_probabilities,
                "product so far": self.running_product,
                "Σ log p so far": self.running_sum,
                "rank": self.ranks,
            }
        )


class Perplexity(NamedTuple):
    """How well a model predicts a corpus."""

    predicted: int
    """Tokens: all but the first of each document."""
    loss: float
    """−Σ log p / predicted, nats per token."""
    perplexity: float
    """exp(loss): the number of equally likely tokens that would be as hard to predict."""

    def to_frame(self) -> DataFrame:
        """One row: tokens, loss, perplexity."""
        columns = {"tokens": self.predicted, "loss": self.loss, "perplexity": self.perplexity}
        return dataframes.one_row(columns)


class TrainingPair(NamedTuple):
    """A training example that a text itself provides: a context and the token after it."""

    context: tuple[str, ...]
    target: str


@runtime_checkable
class BatchScorer(Protocol):
    """A model that can score a whole corpus in one call."""

    def batch_log_probability(self, documents: Documents) -> Float64[np.ndarray, " predicted"]:
        """log p of every token but the first of each document, end to end."""


def score(model: LanguageModel, tokens: TextIds) -> Score:
    """The probability that `model` assigns to each token, given those before it.

    The first token, `<s>` where the model has one, is given and not scored.

    Raises:
        ValueError: if there are fewer than two tokens, or one is not an id of the model.
    """
    check_kind("a model", model, LanguageModel)
    tokens = text_ids(tokens)
    if len(tokens) < 2:
        raise ValueError(
            f"a text to score must have at least 2 tokens, <s> included; got {len(tokens)}"
        )
    rows = model.log_probabilities(tokens)[:-1].double()
    targets = tokens[1:]
    log_p = rows.gather(1, targets[:, None])[:, 0]
    better = (rows > log_p[:, None]).sum(dim=1)
    return Score(
        tokens=targets,
        probabilities=log_p.exp(),
        log_probabilities=log_p,
        running_product=log_p.exp().cumprod(0),
        running_sum=log_p.cumsum(0),
        ranks=torch.where(log_p.isneginf(), rows.shape[1], better + 1),
        total=float(log_p.sum()),
        product=float(log_p.sum().exp()),
        perplexity=float((-log_p.mean()).exp()),
    )


def perplexity(model: LanguageModel, documents: Documents) -> Perplexity:
    """The perplexity of `model` on a corpus; infinite as soon as one token is impossible.

    Raises:
        ValueError: if there is nothing to predict: no document has two tokens.
    """
    log_p = _log_probabilities(model, documents)
    if not len(log_p):
        raise ValueError("documents must hold at least one token to predict; got none")
    loss = -float(log_p.mean())
    return Perplexity(len(log_p), loss, perplexity_of_loss(loss))


def uniform_loss(types: int) -> float:
    """ln |V|, in nats per token: the loss of a model to which every type is equally probable."""
    return math.log(types)


def perplexity_of_loss(loss: float) -> float:
    """exp(loss), the perplexity of a mean loss in nats per token; infinite where it overflows."""
    return math.exp(loss) if loss < LARGEST_LOSS else math.inf


def pairs(tokens: Sequence[str], order: int | None = None) -> list[TrainingPair]:
    """The training pairs of a text: (`<s>` → Today), (`<s>` Today → is) and so on.

    `order` N leaves N−1 tokens of each context, at the beginning as many as there are; without
    it the context is all that came before.

    Raises:
        ValueError: if `order` is less than 1.
    """
    if order is not None and order < 1:
        raise ValueError(f"the order N must be at least 1; got {order}")
    first = [0 if order is None else max(t - order + 1, 0) for t in range(len(tokens))]
    return [TrainingPair(tuple(tokens[first[t] : t]), tokens[t]) for t in range(1, len(tokens))]


def _log_probabilities(
    model: LanguageModel, documents: Documents
) -> Float64[np.ndarray, " predicted"]:
    if isinstance(model, BatchScorer):
        return model.batch_log_probability(documents)
    scored = [
        score(model, torch.from_numpy(document)).log_probabilities.numpy()
        for document in documents
        if len(document) > 1
    ]
    return np.concatenate([np.empty(0), *scored])
