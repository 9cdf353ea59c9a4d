"""The feedforward language model: the embeddings of the last N words through one hidden layer.

    e = [E[x_{t−N+1}]; …; E[x_t]]        the embeddings of N tokens, in reading order
    h = g(W e + b)
    ŷ = softmax(U h + b_2)               the distribution of x_{t+1}

Source: Bengio et al. 2003, section 2, without the direct connections from e to the output; CMU
11-411, "Training a Feedforward LM: Forward Pass". Variant: Bengio et al. write the latest word
first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore.checks import check_one_of
from lmcore.dataframes import Trace
from lmcore.models.layers import (
    Dropout,
    State,
    apply_dropout,
    check_size,
    check_sizes,
    initialise,
    known_texts,
)
from lmcore.token_ids import TextsIds

LONGEST_CONTEXT = 16
HiddenActivation = Literal["tanh", "relu"]


@dataclass(frozen=True, slots=True)
class FeedforwardConfig:
    """The sizes of the model; `context` is N, the number of tokens it reads.

    In front of a text, the context is filled with `start`, the id of `<s>`.
    """

    vocabulary: int
    embedding: int = 64
    hidden: int = 128
    context: int = 3
    activation: HiddenActivation = "tanh"
    start: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_sizes(vocabulary=self.vocabulary, embedding=self.embedding, hidden=self.hidden)
        check_size("the context length", self.context, LONGEST_CONTEXT)
        check_one_of("the activation g", self.activation, get_args(HiddenActivation))
        if not 0 <= self.start < self.vocabulary:
            raise ValueError(
                f"start must be an id from 0 to {self.vocabulary - 1}; got {self.start}"
            )

    @property
    def parameters(self) -> int:
        """Numbers in E, W, b, U and b_2."""
        hidden = self.context * self.embedding * self.hidden + self.hidden
        return self.vocabulary * (self.embedding + self.hidden + 1) + hidden


@dataclass(frozen=True, slots=True)
class FeedforwardTrace(Trace):
    """Every quantity, in the order it is computed."""

    window: Int[Tensor, "batch time context"]
    embedding: Float[Tensor, "batch time context width"]
    concatenated: Float[Tensor, "batch time context*width"]
    """e"""
    pre_activation: Float[Tensor, "batch time hidden"]
    """z = W e + b"""
    hidden: Float[Tensor, "batch time hidden"]
    """h = g(z)"""
    state: Int[Tensor, "batch before"]
    """The last N − 1 tokens: the beginning of the next window."""
    logits: Float[Tensor, "batch time vocabulary"]


class Feedforward(nn.Module):
    """E, W, b, U and b_2."""

    def __init__(self, config: FeedforwardConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        inputs = config.context * config.embedding
        self.embedding = nn.Embedding(config.vocabulary, config.embedding, device="meta")
        self.hidden = nn.Linear(inputs, config.hidden, device="meta")
        self.output = nn.Linear(config.hidden, config.vocabulary, device="meta")
        initialise(self, seed)

    def forward(self, tokens: TextsIds, state: State = None) -> FeedforwardTrace:
        """The equations, one per line; `logits[:, t]` are for the token after `tokens[:, t]`."""
        E, W, b = self.embedding.weight, self.hidden.weight, self.hidden.bias
        U, b_2 = self.output.weight.T, self.output.bias
        text = self.prepend_context(known_texts(tokens, self.config.vocabulary), state)
        window = text.unfold(1, self.config.context, 1)
        embedding = E[window]
        e = embedding.flatten(2)
        z = e @ W.T + b
        h = g(z, self.config.activation)
        logits = h @ U + b_2
        return FeedforwardTrace(window, embedding, e, z, h, self.next_state(text), logits)

    def logits_and_state(
        self,
        tokens: Int[Tensor, "batch time"],
        state: State = None,
        dropout: Dropout | None = None,
    ) -> tuple[Float[Tensor, "batch time vocabulary"], State]:
        """The logits and state of `forward`, without a trace; `dropout` applies to e and h."""
        text = self.prepend_context(tokens, state)
        e = self.embedding(text.unfold(1, self.config.context, 1)).flatten(2)
        h = g(self.hidden(apply_dropout(e, dropout)), self.config.activation)
        return self.output(apply_dropout(h, dropout)), self.next_state(text)

    def prepend_context(
        self, tokens: Int[Tensor, "batch time"], state: State
    ) -> Int[Tensor, "batch before_and_time"]:
        """`tokens` with the N − 1 tokens in front that the first window needs.

        Raises:
            ValueError: if the state is not N − 1 tokens for each row.
        """
        before = (len(tokens), self.config.context - 1)
        if state is None:
            state = tokens.new_full(before, self.config.start)
        if not isinstance(state, Tensor) or tuple(state.shape) != before:
            got = tuple(state.shape) if isinstance(state, Tensor) else f"{len(state)} tensors"
            raise ValueError(
                f"the state must be tokens of shape [batch before] {before}; got {got}"
            )
        return torch.cat([state, tokens], dim=1)

    def next_state(self, text: Int[Tensor, "batch all"]) -> Int[Tensor, "batch before"]:
        """The last N − 1 tokens of `text`."""
        return text[:, text.shape[1] - self.config.context + 1 :]


def g(z: Float[Tensor, "*shape"], activation: HiddenActivation) -> Float[Tensor, "*shape"]:
    """The nonlinearity of the hidden layer."""
    return torch.tanh(z) if activation == "tanh" else torch.relu(z)


def one_hot_times(
    tokens: Int[Tensor, "*shape"], E: Float[Tensor, "vocabulary width"]
) -> Float[Tensor, "*shape width"]:
    """One-hot rows times E: the same numbers as `E[tokens]`, at |V| times the cost."""
    return F.one_hot(tokens, len(E)).to(E.dtype) @ E
