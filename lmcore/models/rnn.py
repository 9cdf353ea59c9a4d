"""The recurrent language model: a hidden state updated token by token.

    e_t = E[x_t]
    h_t = g(W_x e_t + W_h h_{t−1} + b)        h_0 = 0
    ŷ_t = softmax(U h_t + b_2)                the distribution of x_{t+1}

With several layers, h_t of one is e_t of the next.

Source: Elman 1990; CMU 11-411, "An RNN Language Model". Variant: g is tanh or ReLU; torch keeps b
as the sum of two biases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore import dataframes
from lmcore.checks import check_one_of
from lmcore.dataframes import Trace
from lmcore.models.layers import (
    Dropout,
    State,
    apply_dropout,
    check_sizes,
    initial_state,
    initialise,
    known_texts,
    nudges,
    reading_order,
    stack_over_time,
    torch_weights,
)
from lmcore.token_ids import TextsIds

if TYPE_CHECKING:
    from pandas import DataFrame

StateActivation = Literal["tanh", "relu"]


@dataclass(frozen=True, slots=True)
class RNNConfig:
    """The sizes of the model and its g."""

    vocabulary: int
    embedding: int = 64
    hidden: int = 128
    layers: int = 1
    nonlinearity: StateActivation = "tanh"

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_sizes(
            vocabulary=self.vocabulary,
            embedding=self.embedding,
            hidden=self.hidden,
            layers=self.layers,
        )
        check_one_of("the nonlinearity g", self.nonlinearity, get_args(StateActivation))

    @property
    def parameters(self) -> int:
        """Numbers in E, in each layer's W_x, W_h and two biases, in U and b_2."""
        inputs = self.embedding + (self.layers - 1) * self.hidden
        layers = self.hidden * (inputs + self.layers * (self.hidden + 2))
        return self.vocabulary * (self.embedding + self.hidden + 1) + layers


@dataclass(frozen=True, slots=True)
class RNNWeights:
    """One layer's weights, in the letters of the equation."""

    W_x: Float[Tensor, "hidden width"]
    W_h: Float[Tensor, "hidden hidden"]
    b: Float[Tensor, " hidden"]

    @classmethod
    def from_torch(cls, recurrent: nn.RNN, layer: int, *, reverse: bool = False) -> RNNWeights:
        """The weights of a layer of torch's RNN."""
        W_x, W_h, b_x, b_h = torch_weights(recurrent, layer, reverse=reverse)
        return cls(W_x, W_h, b_x + b_h)


@dataclass(frozen=True, slots=True)
class RNNLayerTrace:
    """One layer over the whole text, in the order it is computed."""

    pre_activation: Float[Tensor, "batch time hidden"]
    """z_t = W_x e_t + W_h h_{t−1} + b"""
    hidden: Float[Tensor, "batch time hidden"]
    """h_t = g(z_t)"""

    def to_frame(self) -> DataFrame:
        """One row per unit of a position: batch, time, unit, z, h."""
        columns = {"z": self.pre_activation, "h": self.hidden}
        return dataframes.entries("batch time unit", columns)


@dataclass(frozen=True, slots=True)
class RNNTrace(Trace):
    """Every quantity, in the order it is computed."""

    embedding: Float[Tensor, "batch time width"]
    layers: tuple[RNNLayerTrace, ...]
    state: Float[Tensor, "layer batch hidden"]
    """h after the last token."""
    logits: Float[Tensor, "batch time vocabulary"]


class RNN(nn.Module):
    """E, the layers' W_x, W_h and b, and U and b_2."""

    def __init__(self, config: RNNConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.embedding, device="meta")
        self.recurrent = nn.RNN(
            config.embedding,
            config.hidden,
            config.layers,
            nonlinearity=config.nonlinearity,
            batch_first=True,
            device="meta",
        )
        self.output = nn.Linear(config.hidden, config.vocabulary, device="meta")
        initialise(self, seed)

    def forward(
        self,
        tokens: TextsIds,
        state: State = None,
        *,
        nudge: Float[Tensor, "*layer time hidden"] | None = None,
    ) -> RNNTrace:
        """The equations, layer after layer; `logits[:, t]` are for the token after `tokens[:, t]`.

        `nudge` is added to each h_t before anything uses it.
        """
        tokens = known_texts(tokens, self.config.vocabulary)
        embedding = self.embedding(tokens)
        (h_0,) = self.start(len(tokens), state)
        added = nudges(nudge, (self.config.layers, embedding.shape[1], self.config.hidden))
        g, layers = self.config.nonlinearity, list[RNNLayerTrace]()
        for n in range(self.config.layers):
            inputs = layers[-1].hidden if layers else embedding
            weights = RNNWeights.from_torch(self.recurrent, n)
            layers.append(rnn_layer(inputs, weights, h_0[n], g=g, nudge=added[n]))
        last = torch.stack([layer.hidden[:, -1] for layer in layers])
        return RNNTrace(embedding, tuple(layers), last, self.output(layers[-1].hidden))

    def logits_and_state(
        self,
        tokens: Int[Tensor, "batch time"],
        state: State = None,
        dropout: Dropout | None = None,
    ) -> tuple[Float[Tensor, "batch time vocabulary"], State]:
        """The logits and state of `forward`, by torch's fused kernel.

        `dropout` applies to e and to the last layer's h.
        """
        embedding = apply_dropout(self.embedding(tokens), dropout)
        (h_0,) = self.start(len(tokens), state)
        hidden, last = self.recurrent(embedding, h_0)
        return self.output(apply_dropout(hidden, dropout)), last

    def start(self, batch: int, state: State) -> tuple[Tensor, ...]:
        """h before the first token."""
        zeros = self.output.weight.new_zeros(self.config.layers, batch, self.config.hidden)
        return initial_state(state, "h", zeros)


def rnn_layer(
    inputs: Float[Tensor, "batch time width"],
    weights: RNNWeights,
    h_0: Float[Tensor, "batch hidden"],
    *,
    g: StateActivation = "tanh",
    nudge: Float[Tensor, "time hidden"] | None = None,
    reverse: bool = False,
) -> RNNLayerTrace:
    """One layer, token after token from h_0; `reverse` reads from the last token to the first."""
    bend = torch.tanh if g == "tanh" else torch.relu
    steps: list[tuple[Tensor, Tensor]] = []
    h = h_0
    for t in reading_order(inputs.shape[1], reverse=reverse):
        z = inputs[:, t] @ weights.W_x.T + h @ weights.W_h.T + weights.b
        h = bend(z) if nudge is None else bend(z) + nudge[t]
        steps.append((z, h))
    return RNNLayerTrace(*stack_over_time(steps, reverse=reverse))
