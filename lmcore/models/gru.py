"""The gated recurrent unit: an update gate interpolates between the old state and a candidate.

    r_t = σ(W_r [h_{t−1}; e_t] + b_r)                           reset gate
    z_t = σ(W_z [h_{t−1}; e_t] + b_z)                           update gate
    n_t = tanh(W_n e_t + b_n + r_t ⊙ (U_n h_{t−1} + d_n))       candidate
    h_t = (1 − z_t) ⊙ n_t + z_t ⊙ h_{t−1}

Here z is the gate and not a pre-activation; ŷ_t = softmax(U h_t + b_2) as in the plain network.

Source: Cho et al. 2014, section 2.3. Variant: torch's (and cuDNN's), where the reset gate
multiplies U_n h_{t−1}; in the paper it multiplies h_{t−1} itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore import dataframes
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


@dataclass(frozen=True, slots=True)
class GRUConfig:
    """The sizes of the model."""

    vocabulary: int
    embedding: int = 64
    hidden: int = 128
    layers: int = 1

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_sizes(
            vocabulary=self.vocabulary,
            embedding=self.embedding,
            hidden=self.hidden,
            layers=self.layers,
        )

    @property
    def parameters(self) -> int:
        """Numbers in E, in the gates and candidates with torch's two biases each, in U and b_2."""
        inputs = self.embedding + (self.layers - 1) * self.hidden
        layers = 3 * self.hidden * (inputs + self.layers * (self.hidden + 2))
        return self.vocabulary * (self.embedding + self.hidden + 1) + layers


@dataclass(frozen=True, slots=True)
class GRUWeights:
    """One layer's weights, in the letters of the equations; `both` is [h_{t−1}; e_t]."""

    W_r: Float[Tensor, "hidden both"]
    W_z: Float[Tensor, "hidden both"]
    W_n: Float[Tensor, "hidden width"]
    U_n: Float[Tensor, "hidden hidden"]
    b_r: Float[Tensor, " hidden"]
    b_z: Float[Tensor, " hidden"]
    b_n: Float[Tensor, " hidden"]
    d_n: Float[Tensor, " hidden"]

    @classmethod
    def from_torch(cls, recurrent: nn.GRU, layer: int, *, reverse: bool = False) -> GRUWeights:
        """The weights of a layer of torch's GRU, which stacks r, z and n in one matrix."""
        of_e, of_h, b_e, b_h = (
            weight.chunk(3) for weight in torch_weights(recurrent, layer, reverse=reverse)
        )
        W_r, W_z = (torch.cat([of_h[gate], of_e[gate]], dim=1) for gate in (0, 1))
        return cls(W_r, W_z, of_e[2], of_h[2], b_e[0] + b_h[0], b_e[1] + b_h[1], b_e[2], b_h[2])


@dataclass(frozen=True, slots=True)
class GRULayerTrace:
    """One layer over the whole text, in the order it is computed."""

    reset: Float[Tensor, "batch time hidden"]
    """r_t"""
    update: Float[Tensor, "batch time hidden"]
    """z_t: the share of the old state that stays."""
    candidate: Float[Tensor, "batch time hidden"]
    """n_t"""
    hidden: Float[Tensor, "batch time hidden"]
    """h_t"""

    def to_frame(self) -> DataFrame:
        """One row per unit of a position: batch, time, unit, r, z, n, h."""
        columns = {"r": self.reset, "z": self.update, "n": self.candidate, "h": self.hidden}
        return dataframes.entries("batch time unit", columns)


@dataclass(frozen=True, slots=True)
class GRUTrace(Trace):
    """Every quantity, in the order it is computed."""

    embedding: Float[Tensor, "batch time width"]
    layers: tuple[GRULayerTrace, ...]
    state: Float[Tensor, "layer batch hidden"]
    """h after the last token."""
    logits: Float[Tensor, "batch time vocabulary"]


class GRU(nn.Module):
    """E, the layers' gates and candidates, and U and b_2."""

    def __init__(self, config: GRUConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.embedding, device="meta")
        self.recurrent = nn.GRU(
            config.embedding, config.hidden, config.layers, batch_first=True, device="meta"
        )
        self.output = nn.Linear(config.hidden, config.vocabulary, device="meta")
        initialise(self, seed)

    def forward(
        self,
        tokens: TextsIds,
        state: State = None,
        *,
        nudge: Float[Tensor, "*layer time hidden"] | None = None,
    ) -> GRUTrace:
        """The equations, layer after layer; `logits[:, t]` are for the token after `tokens[:, t]`.

        `nudge` is added to each h_t before anything uses it.
        """
        tokens = known_texts(tokens, self.config.vocabulary)
        embedding = self.embedding(tokens)
        (h_0,) = self.start(len(tokens), state)
        added = nudges(nudge, (self.config.layers, embedding.shape[1], self.config.hidden))
        layers: list[GRULayerTrace] = []
        for n in range(self.config.layers):
            inputs = layers[-1].hidden if layers else embedding
            layers.append(
                gru_layer(inputs, GRUWeights.from_torch(self.recurrent, n), h_0[n], nudge=added[n])
            )
        last = torch.stack([layer.hidden[:, -1] for layer in layers])
        return GRUTrace(embedding, tuple(layers), last, self.output(layers[-1].hidden))

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


def gru_layer(
    inputs: Float[Tensor, "batch time width"],
    weights: GRUWeights,
    h_0: Float[Tensor, "batch hidden"],
    *,
    nudge: Float[Tensor, "time hidden"] | None = None,
    reverse: bool = False,
) -> GRULayerTrace:
    """One layer, token after token from h_0; `reverse` reads from the last token to the first."""
    steps: list[tuple[Tensor, ...]] = []
    h = h_0
    for t in reading_order(inputs.shape[1], reverse=reverse):
        r, z, n, mixed = gru_step(inputs[:, t], weights, h)
        h = mixed if nudge is None else mixed + nudge[t]
        steps.append((r, z, n, h))
    return GRULayerTrace(*stack_over_time(steps, reverse=reverse))


def gru_step(
    e: Float[Tensor, "batch width"], weights: GRUWeights, h: Float[Tensor, "batch hidden"]
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """One token: r_t, z_t, n_t and h_t from e_t and h_{t−1}."""
    w = weights
    both = torch.cat([h, e], dim=-1)
    r = torch.sigmoid(both @ w.W_r.T + w.b_r)
    z = torch.sigmoid(both @ w.W_z.T + w.b_z)
    n = torch.tanh(e @ w.W_n.T + w.b_n + r * (h @ w.U_n.T + w.d_n))
    return r, z, n, (1 - z) * n + z * h
