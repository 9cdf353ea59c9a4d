"""A classifier that learns its features: embeddings of the words, pooled to one vector.

    e_t = E[x_t]                     the embedding of each word
    x   = [e_1; e_2; e_3]            pad: padded with zero embeddings, or truncated, to 3 words
        = (1/T) Σ_t e_t              mean of all embeddings
        = max_t e_t                  max: in each dimension the largest value of all words
    z   = W^[1] x + b^[1]
    h   = tanh(z)
    ŷ   = σ(w^[2]·h + b^[2])         the probability of a positive review

Mean and max do not depend on the order of the words. A word that no training review has gets a
zero embedding.

Source: CMU 11-411, "Neural Net Classification with embeddings as input features!" and "Issue: texts
come in different sizes". Variant: the slide pads to the longest review; here the length is a
setting, because its figure has 3 words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Float64, Int
from torch import Tensor, nn

from lmcore import dataframes
from lmcore.checks import check_between, check_one_of
from lmcore.classification.accuracy import Accuracy, measure_accuracy
from lmcore.classification.lexicons import tokenize_review
from lmcore.classification.reviews import LabelledReviews
from lmcore.dataframes import Trace
from lmcore.optimization.updates import Optimizer

if TYPE_CHECKING:
    from pandas import DataFrame

Pooling = Literal["pad", "mean", "max"]
MOST_WIDTH, MOST_HIDDEN, MOST_LENGTH, MOST_STEPS = 32, 32, 12, 1000
HIGHEST_RATE = 1.0
MOST_TYPES = 5000
"""The largest vocabulary: the most frequent words of the training reviews."""


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """The pooling and the sizes of a classifier, and how it is trained: Adam, full batch.

    `width` is d, the numbers of an embedding; `length` the words that "pad" reads.
    """

    pooling: Pooling = "mean"
    width: int = 8
    hidden: int = 8
    length: int = 3
    learning_rate: float = 0.05
    steps: int = 150
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_one_of("the pooling", self.pooling, get_args(Pooling))
        check_between("the width of the embeddings", self.width, 1, MOST_WIDTH)
        check_between("the number of hidden units", self.hidden, 1, MOST_HIDDEN)
        check_between("the number of words to pad to", self.length, 1, MOST_LENGTH)
        check_between("steps", self.steps, 1, MOST_STEPS)
        if not 0 < self.learning_rate <= HIGHEST_RATE:
            raise ValueError(
                f"the learning rate η must be above 0 and at most {HIGHEST_RATE:g}; "
                f"got {self.learning_rate:g}"
            )

    @property
    def inputs(self) -> int:
        """Numbers of the pooled vector."""
        return self.length * self.width if self.pooling == "pad" else self.width


@dataclass(frozen=True, slots=True)
class EncodedReviews(Trace):
    """The words of several reviews, one after another, as ids; |V| stands for an unknown word."""

    ids: Int[Tensor, " word"]
    review: Int[Tensor, " word"]
    """The review each word belongs to."""
    lengths: Int[Tensor, " review"]


@dataclass(frozen=True, slots=True)
class EmbeddingTrace(Trace):
    """Every quantity of the forward pass, in the order it is computed."""

    embeddings: Float64[Tensor, "word width"]
    """E[x_t] of each word; zero for an unknown one"""
    pooled: Float64[Tensor, "*review input"]
    """x"""
    pre_activation: Float64[Tensor, "*review unit"]
    """z = W^[1] x + b^[1]"""
    hidden: Float64[Tensor, "*review unit"]
    """h = tanh(z)"""
    logit: Float64[Tensor, "*review"]
    """w^[2]·h + b^[2]"""
    probability: Float64[Tensor, "*review"]
    """ŷ = σ(logit)"""


@dataclass(frozen=True, slots=True)
class EmbeddingClassification(Trace):
    """A text through the classifier."""

    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    """(start, end) of each token in the typed text."""
    unknown: tuple[str, ...]
    """The different tokens that no training review has; their embeddings are zero."""
    network: EmbeddingTrace
    """The forward pass of this one text, without a review axis."""
    winners: Int[Tensor, " width"] | None
    """With "max": for each dimension, the first token that has the largest value."""

    @property
    def label(self) -> int:
        """1, positive, where the probability is above ½, else 0."""
        return int(self.network.logit > 0)


class EmbeddingClassifier(nn.Module):
    """Embeddings, pooling, one hidden layer, σ; all in float64.

    At the start E and b are 0.5·N(0, 1) and 0, and weights are drawn from N(0, 1/n) for n inputs.
    """

    def __init__(self, config: EmbeddingConfig, types: int) -> None:
        super().__init__()
        self.config = config
        generator = torch.Generator().manual_seed(config.seed)

        def drawn(*shape: int, scale: float) -> nn.Parameter:
            normal = torch.randn(shape, generator=generator, dtype=torch.float64)
            return nn.Parameter(scale * normal)

        self.E = drawn(types, config.width, scale=0.5)
        self.W_1 = drawn(config.hidden, config.inputs, scale=1 / math.sqrt(config.inputs))
        self.b_1 = nn.Parameter(torch.zeros(config.hidden, dtype=torch.float64))
        self.w_2 = drawn(config.hidden, scale=1 / math.sqrt(config.hidden))
        self.b_2 = nn.Parameter(torch.zeros((), dtype=torch.float64))

    def forward(self, reviews: EncodedReviews) -> EmbeddingTrace:
        """Every quantity for each review."""
        embeddings = look_up(self.E, reviews.ids)
        x = pool_embeddings(self.config, embeddings, reviews)
        z = x @ self.W_1.T + self.b_1
        h = z.tanh()
        logit = h @ self.w_2 + self.b_2
        return EmbeddingTrace(embeddings, x, z, h, logit, logit.sigmoid())


def look_up(
    E: Float64[Tensor, "vocabulary width"], ids: Int[Tensor, " word"]
) -> Float64[Tensor, "word width"]:
    """E[x_t] of each word, and zero for the id |V| of unknown words."""
    return F.embedding(ids, torch.cat([E, E.new_zeros(1, E.shape[1])]))


def pool_embeddings(
    config: EmbeddingConfig,
    embeddings: Float64[Tensor, "word width"],
    reviews: EncodedReviews,
) -> Float64[Tensor, "review input"]:
    """One vector for each review from the embeddings of its words."""
    if config.pooling == "pad":
        return concatenate_first(embeddings, reviews, config.length)
    pool = mean_embeddings if config.pooling == "mean" else max_embeddings
    return pool(embeddings, reviews)


def concatenate_first(
    embeddings: Float64[Tensor, "word width"], reviews: EncodedReviews, length: int
) -> Float64[Tensor, "review input"]:
    """The embeddings of the first `length` words, end to end; zeros where a review has fewer."""
    zero = embeddings.new_zeros(1, embeddings.shape[1])
    place = torch.arange(length)
    starts = reviews.lengths.cumsum(dim=0) - reviews.lengths
    words = torch.where(place < reviews.lengths[:, None], starts[:, None] + place, len(reviews.ids))
    return torch.cat([embeddings, zero])[words].flatten(1)


def mean_embeddings(
    embeddings: Float64[Tensor, "word width"], reviews: EncodedReviews
) -> Float64[Tensor, "review width"]:
    """The mean embedding of the words of each review.

    The words are added in the order of their ids, so that reviews with the same words in any order
    have the same mean to the last bit.
    """
    order = torch.argsort(reviews.review * (int(reviews.ids.max()) + 1) + reviews.ids)
    total = embeddings.new_zeros(len(reviews.lengths), embeddings.shape[1])
    total = total.index_add(0, reviews.review[order], embeddings[order])
    return total / reviews.lengths[:, None]


def max_embeddings(
    embeddings: Float64[Tensor, "word width"], reviews: EncodedReviews
) -> Float64[Tensor, "review width"]:
    """In each dimension, the largest value of all words of a review."""
    start = embeddings.new_zeros(len(reviews.lengths), embeddings.shape[1])
    places = reviews.review[:, None].expand_as(embeddings)
    return start.scatter_reduce(0, places, embeddings, "amax", include_self=False)


@dataclass(frozen=True, slots=True)
class TrainedEmbeddings:
    """A trained classifier with its vocabulary and its loss curve."""

    config: EmbeddingConfig
    vocabulary: tuple[str, ...]
    """V: the tokens of the training reviews, the most frequent first."""
    network: EmbeddingClassifier
    loss: Float64[Tensor, " step"]
    """Mean over the training reviews in nats, before the first step and after each."""
    train_accuracy: Accuracy
    held_out_accuracy: Accuracy

    @torch.no_grad()
    def classify(self, text: str) -> EmbeddingClassification:
        """Every quantity for a text, and the words that have no embedding.

        Raises:
            ValueError: if the text has no word, or too many.
        """
        found = tokenize_review(text)
        tokens = tuple(token.text for token in found)
        trace = self.network(encode_reviews([tokens], self.vocabulary))
        known = set(self.vocabulary)
        return EmbeddingClassification(
            tokens,
            tuple((token.start, token.end) for token in found),
            tuple(dict.fromkeys(word for word in tokens if word not in known)),
            _single(trace),
            trace.embeddings.argmax(dim=0) if self.config.pooling == "max" else None,
        )

    def to_frame(self) -> DataFrame:
        """One row per step, from 0: L."""
        return dataframes.entries("step", {"L": self.loss})


def _single(trace: EmbeddingTrace) -> EmbeddingTrace:
    """The trace of one review without its review axis."""
    return EmbeddingTrace(
        trace.embeddings,
        trace.pooled[0],
        trace.pre_activation[0],
        trace.hidden[0],
        trace.logit[0],
        trace.probability[0],
    )


def encode_reviews(reviews: Sequence[Sequence[str]], vocabulary: tuple[str, ...]) -> EncodedReviews:
    """The ids of the tokens of several reviews; |V| for those that are not in the vocabulary."""
    ids = {word: i for i, word in enumerate(vocabulary)}
    lengths = torch.tensor([len(tokens) for tokens in reviews])
    flat = [ids.get(word, len(ids)) for tokens in reviews for word in tokens]
    review = torch.repeat_interleave(torch.arange(len(reviews)), lengths)
    return EncodedReviews(torch.tensor(flat), review, lengths)


def collect_vocabulary(reviews: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The tokens of the reviews, the most frequent first, at most `MOST_TYPES`."""
    counts = Counter(word for tokens in reviews for word in tokens)
    return tuple(sorted(counts, key=lambda word: (-counts[word], word))[:MOST_TYPES])


def train_embeddings(reviews: LabelledReviews, config: EmbeddingConfig) -> TrainedEmbeddings:
    """Train on the reviews that are not held out; the same seed gives the same numbers.

    Raises:
        ValueError: if a text has no word, or too many, or no review is left for training.
    """
    if bool(reviews.held_out.all()):
        raise ValueError("the reviews must include some that are not held out; got none")
    tokens = [[token.text for token in tokenize_review(text)] for text in reviews.texts]
    held = reviews.held_out.tolist()
    seen = [each for each, is_held in zip(tokens, held, strict=True) if not is_held]
    vocabulary = collect_vocabulary(seen)
    network = EmbeddingClassifier(config, len(vocabulary))
    loss = _fit(network, encode_reviews(seen, vocabulary), reviews.labels[~reviews.held_out])
    with torch.no_grad():
        predicted = (network(encode_reviews(tokens, vocabulary)).logit > 0).long()
    return TrainedEmbeddings(
        config,
        vocabulary,
        network,
        loss,
        measure_accuracy(predicted[~reviews.held_out], reviews.labels[~reviews.held_out]),
        measure_accuracy(predicted[reviews.held_out], reviews.labels[reviews.held_out]),
    )


def _fit(
    network: EmbeddingClassifier, reviews: EncodedReviews, labels: Int[Tensor, " review"]
) -> Float64[Tensor, " step"]:
    """Change the parameters with Adam; the loss before the first step and after each."""
    config = network.config
    parameters = list(network.parameters())
    updates = [Optimizer("Adam", config.learning_rate) for _ in parameters]
    wanted = labels.to(torch.float64)
    losses = []
    for _ in range(config.steps):
        loss = F.binary_cross_entropy_with_logits(network(reviews).logit, wanted)
        losses.append(loss.detach())
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for parameter, update, gradient in zip(parameters, updates, gradients, strict=True):
                parameter.add_(update.change(gradient))
    with torch.no_grad():
        losses.append(F.binary_cross_entropy_with_logits(network(reviews).logit, wanted))
    return torch.stack(losses)
