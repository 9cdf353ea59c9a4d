"""The feedforward language model of 2003, trained for its word vectors, with the time it takes.

    the N words before → E → tanh(W e + b) → softmax over all |V| words

Every token of the text is predicted once in an epoch, as word2vec has every token as the centre
once. Both are timed on the same text in double precision; neither is tuned for speed.

Source: Bengio et al. 2003; CMU 11-411, "NNLM and Word2Vec". Variant: Adam with η falling linearly
to 0, and E uniform in ±1/(2d) at the start, as for word2vec here.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.embeddings.static.pairs import SentenceTokens
from lmcore.embeddings.static.vectors import WordVectors, check_training
from lmcore.models.feedforward import Feedforward, FeedforwardConfig

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class NnlmConfig:
    """The sizes of the model and its training."""

    dimensions: int = 24
    hidden: int = 64
    context: int = 4
    learning_rate: float = 0.01
    epochs: int = 5
    batch: int = 512
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_training(self.dimensions, "Adam", self.learning_rate, 2)
        check_between("the hidden units H", self.hidden, 1, 1024)
        check_between("the context N", self.context, 1, 16)
        check_between("epochs", self.epochs, 1, 100)
        check_between("the batch", self.batch, 1, 8192)

    def network(self, words: int) -> FeedforwardConfig:
        """The model for a vocabulary of `words` words, and `<s>` after them."""
        return FeedforwardConfig(words + 1, self.dimensions, self.hidden, self.context, start=words)


@dataclass(frozen=True, slots=True, eq=False)
class NnlmRun:
    """A trained model: its word vectors, its loss, and its time."""

    config: NnlmConfig
    vectors: WordVectors
    loss: float
    """Mean over the last epoch, nats per token."""
    seconds: float
    tokens: int
    """Tokens predicted, over all epochs."""

    def to_frame(self) -> DataFrame:
        """One row: loss, seconds, tokens."""
        return dataframes.one_row(
            {"loss": self.loss, "seconds": self.seconds, "tokens": self.tokens}
        )


def context_windows(text: SentenceTokens, context: int) -> Int[Tensor, "token context"]:
    """The `context` words before each token within its sentence; |V|, the id of `<s>`, in front."""
    start = len(text.words)
    back = torch.arange(context, 0, -1)
    places = torch.arange(len(text.ids))[:, None] - back
    inside = places >= 0
    inside &= text.sentences[places.clamp(min=0)] == text.sentences[:, None]
    return torch.where(inside, text.ids[places.clamp(min=0)], start)


def train_nnlm(text: SentenceTokens, config: NnlmConfig) -> NnlmRun:
    """Train the model on every token of a text; its word vectors are the rows of E.

    Raises:
        ValueError: if the loss is no longer finite.
    """
    began = perf_counter()
    model = Feedforward(config.network(len(text.words)), config.seed).double()
    generator = torch.Generator().manual_seed(config.seed)
    with torch.no_grad():
        model.embedding.weight.uniform_(-0.5, 0.5, generator=generator).div_(config.dimensions)
    windows, targets = context_windows(text, config.context), text.ids
    optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate)
    steps = config.epochs * -(-len(targets) // config.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / steps)
    mean = 0.0
    for _ in range(config.epochs):
        total = 0.0
        order = torch.randperm(len(targets), generator=generator)
        for begin in range(0, len(targets), config.batch):
            rows = order[begin : begin + config.batch]
            loss = F.cross_entropy(next_word_scores(model, windows[rows]), targets[rows])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(rows)
        mean = total / len(targets)
    if not torch.tensor(mean).isfinite():
        raise ValueError(f"the loss must stay finite: lower η; got {mean:g}")
    vectors = WordVectors(text.words, model.embedding.weight.detach()[:-1].clone())
    return NnlmRun(config, vectors, mean, perf_counter() - began, config.epochs * len(targets))


def next_word_scores(
    model: Feedforward, windows: Int[Tensor, "row context"]
) -> Float64[Tensor, "row vocabulary"]:
    """The logits of the word after each window."""
    hidden = model.hidden(model.embedding(windows).flatten(1)).tanh()
    scores: Tensor = model.output(hidden)
    return scores
