"""Long short-term memory: gates decide what a cell keeps, adds and outputs.

    f_t = σ(W_f [h_{t−1}; e_t] + b_f)        forget gate: the share of the cell that stays
    i_t = σ(W_i [h_{t−1}; e_t] + b_i)        input gate
    c̃_t = tanh(W_c [h_{t−1}; e_t] + b_c)     candidate: what could be written
    c_t = f_t ⊙ c_{t−1} + i_t ⊙ c̃_t          cell
    o_t = σ(W_o [h_{t−1}; e_t] + b_o)        output gate
    h_t = o_t ⊙ tanh(c_t)                    hidden state

[h; e] is h and e end to end. ŷ_t = softmax(U h_t + b_2) is the distribution of x_{t+1}.

Source: Hochreiter & Schmidhuber 1997 with the forget gate of Gers et al. 2000; lecture "LSTMs".
Variant: no peepholes; torch keeps each b as the sum of two biases.
"""

from __future__ import annotations

import math
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

Gate = Literal["forget", "input", "candidate", "output"]


@dataclass(frozen=True, slots=True)
class LSTMConfig:
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
        """Numbers in E, in the layers with torch's two biases a gate, in U and b_2."""
        widths = [self.embedding, *[self.hidden] * (self.layers - 1)]
        layers = sum(layer_parameters(width, self.hidden) for width in widths)
        return self.vocabulary * (self.embedding + self.hidden + 1) + layers


def layer_parameters(width: int, hidden: int, *, biases: int = 2) -> int:
    """4 (d_h (d_h + d_x) + biases · d_h): the equations have a bias per gate, torch two."""
    return 4 * (hidden * (hidden + width) + biases * hidden)


@dataclass(frozen=True, slots=True)
class GateClamp:
    """A gate fixed at `value` in every step, in place of what the network computes.

    `units` and `layer` count from 0; None means all.
    """

    gate: Gate
    value: float
    units: tuple[int, ...] | None = None
    layer: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError if there is no such gate, or it cannot have that value."""
        check_one_of("a held gate", self.gate, get_args(Gate))
        low = -1 if self.gate == "candidate" else 0
        if not (math.isfinite(self.value) and low <= self.value <= 1):
            raise ValueError(f"the {self.gate} gate must be from {low} to 1; got {self.value:g}")

    def check(self, config: LSTMConfig) -> None:
        """Refuse a unit or a layer that the network does not have.

        Raises:
            ValueError: naming it.
        """
        if self.layer is not None and not 0 <= self.layer < config.layers:
            last = config.layers - 1
            raise ValueError(f"a held layer must be from 0 to {last}; got {self.layer}")
        for unit in self.units or ():
            if not 0 <= unit < config.hidden:
                raise ValueError(f"a held unit must be from 0 to {config.hidden - 1}; got {unit}")


@dataclass(frozen=True, slots=True)
class LSTMWeights:
    """One layer's weights, in the letters of the equations; `both` is [h_{t−1}; e_t]."""

    W_f: Float[Tensor, "hidden both"]
    W_i: Float[Tensor, "hidden both"]
    W_c: Float[Tensor, "hidden both"]
    W_o: Float[Tensor, "hidden both"]
    b_f: Float[Tensor, " hidden"]
    b_i: Float[Tensor, " hidden"]
    b_c: Float[Tensor, " hidden"]
    b_o: Float[Tensor, " hidden"]

    @classmethod
    def from_torch(cls, recurrent: nn.LSTM, layer: int, *, reverse: bool = False) -> LSTMWeights:
        """The weights of a layer of torch's LSTM, which stacks i, f, c̃ and o in one matrix."""
        of_e, of_h, b_e, b_h = torch_weights(recurrent, layer, reverse=reverse)
        W_i, W_f, W_c, W_o = torch.cat([of_h, of_e], dim=1).chunk(4)
        b_i, b_f, b_c, b_o = (b_e + b_h).chunk(4)
        return cls(W_f, W_i, W_c, W_o, b_f, b_i, b_c, b_o)


@dataclass(frozen=True, slots=True)
class LSTMLayerTrace:
    """One layer over the whole text, in the order it is computed."""

    forget: Float[Tensor, "batch time hidden"]
    """f_t"""
    input: Float[Tensor, "batch time hidden"]
    """i_t"""
    candidate: Float[Tensor, "batch time hidden"]
    """c̃_t"""
    cell: Float[Tensor, "batch time hidden"]
    """c_t"""
    output: Float[Tensor, "batch time hidden"]
    """o_t"""
    hidden: Float[Tensor, "batch time hidden"]
    """h_t"""

    def to_frame(self) -> DataFrame:
        """One row per unit of a position: batch, time, unit, f, i, c̃, c, o, h."""
        columns = {
            "f": self.forget,
            "i": self.input,
            "c̃": self.candidate,
            "c": self.cell,
            "o": self.output,
            "h": self.hidden,
        }
        return dataframes.entries("batch time unit", columns)


@dataclass(frozen=True, slots=True)
class LSTMTrace(Trace):
    """Every quantity, in the order it is computed."""

    embedding: Float[Tensor, "batch time width"]
    layers: tuple[LSTMLayerTrace, ...]
    state: tuple[Float[Tensor, "layer batch hidden"], Float[Tensor, "layer batch hidden"]]
    """h and c after the last token."""
    logits: Float[Tensor, "batch time vocabulary"]


class LSTM(nn.Module):
    """E, the layers' gates and candidates, and U and b_2."""

    def __init__(self, config: LSTMConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.embedding, device="meta")
        self.recurrent = nn.LSTM(
            config.embedding, config.hidden, config.layers, batch_first=True, device="meta"
        )
        self.output = nn.Linear(config.hidden, config.vocabulary, device="meta")
        # An untrained h is small: the initial loss is near ln |V| without a smaller U, which would
        # slow the learning of running text.
        initialise(self, seed, output_scale=1.0)
        set_forget_bias(self.recurrent)

    def forward(
        self,
        tokens: TextsIds,
        state: State = None,
        *,
        clamps: tuple[GateClamp, ...] = (),
        nudge: Float[Tensor, "*layer time hidden"] | None = None,
    ) -> LSTMTrace:
        """The equations, layer after layer; `logits[:, t]` are for the token after `tokens[:, t]`.

        `clamps` fix gates at a value; `nudge` is added to each h_t before anything uses it.
        """
        for clamp in clamps:
            clamp.check(self.config)
        tokens = known_texts(tokens, self.config.vocabulary)
        embedding = self.embedding(tokens)
        h_0, c_0 = self.start(len(tokens), state)
        added = nudges(nudge, (self.config.layers, embedding.shape[1], self.config.hidden))
        layers: list[LSTMLayerTrace] = []
        for n in range(self.config.layers):
            inputs = layers[-1].hidden if layers else embedding
            weights = LSTMWeights.from_torch(self.recurrent, n)
            here = tuple(clamp for clamp in clamps if clamp.layer in (None, n))
            start = (h_0[n], c_0[n])
            layers.append(lstm_layer(inputs, weights, start, clamps=here, nudge=added[n]))
        h = torch.stack([layer.hidden[:, -1] for layer in layers])
        c = torch.stack([layer.cell[:, -1] for layer in layers])
        return LSTMTrace(embedding, tuple(layers), (h, c), self.output(layers[-1].hidden))

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
        h_0, c_0 = self.start(len(tokens), state)
        hidden, last = self.recurrent(embedding, (h_0, c_0))
        return self.output(apply_dropout(hidden, dropout)), last

    def start(self, batch: int, state: State) -> tuple[Tensor, ...]:
        """h and c before the first token."""
        zeros = self.output.weight.new_zeros(self.config.layers, batch, self.config.hidden)
        return initial_state(state, "hc", zeros)


@torch.no_grad()
def set_forget_bias(recurrent: nn.LSTM) -> None:
    """Set b_f = 1, so that an untrained cell keeps σ(1) = 0.73 of its value per step, not half.

    With b_f = 0 the cell's content and its gradient vanish before the gates have learned anything.

    Source: Jozefowicz, Zaremba & Sutskever 2015.
    """
    for layer in range(recurrent.num_layers):
        _, forget, _, _ = getattr(recurrent, f"bias_ih_l{layer}").chunk(4)
        forget.fill_(1)


def lstm_layer(
    inputs: Float[Tensor, "batch time width"],
    weights: LSTMWeights,
    start: tuple[Float[Tensor, "batch hidden"], Float[Tensor, "batch hidden"]],
    *,
    clamps: tuple[GateClamp, ...] = (),
    nudge: Float[Tensor, "time hidden"] | None = None,
    reverse: bool = False,
) -> LSTMLayerTrace:
    """One layer, token after token from h_0, c_0; `reverse` reads from the last to the first."""
    steps: list[tuple[Tensor, ...]] = []
    h, c = start
    for t in reading_order(inputs.shape[1], reverse=reverse):
        f, i, candidate, c, o, read = lstm_step(inputs[:, t], weights, h, c, clamps=clamps)
        h = read if nudge is None else read + nudge[t]
        steps.append((f, i, candidate, c, o, h))
    return LSTMLayerTrace(*stack_over_time(steps, reverse=reverse))


def lstm_step(
    e: Float[Tensor, "batch width"],
    weights: LSTMWeights,
    h: Float[Tensor, "batch hidden"],
    c: Float[Tensor, "batch hidden"],
    *,
    clamps: tuple[GateClamp, ...] = (),
) -> tuple[Tensor, ...]:
    """One token: f_t, i_t, c̃_t, c_t, o_t and h_t from e_t, h_{t−1} and c_{t−1}."""
    w = weights
    both = torch.cat([h, e], dim=-1)
    f = clamp_gate("forget", torch.sigmoid(both @ w.W_f.T + w.b_f), clamps)
    i = clamp_gate("input", torch.sigmoid(both @ w.W_i.T + w.b_i), clamps)
    c_new = clamp_gate("candidate", torch.tanh(both @ w.W_c.T + w.b_c), clamps)
    c_t = f * c + i * c_new
    o = clamp_gate("output", torch.sigmoid(both @ w.W_o.T + w.b_o), clamps)
    return f, i, c_new, c_t, o, o * torch.tanh(c_t)


def clamp_gate(
    gate: Gate, values: Float[Tensor, "batch hidden"], clamps: tuple[GateClamp, ...]
) -> Float[Tensor, "batch hidden"]:
    """A gate's values under the clamps; if several fix one unit, the last one applies."""
    for clamp in clamps:
        if clamp.gate == gate:
            units = range(values.shape[-1]) if clamp.units is None else clamp.units
            values = values.index_fill(-1, torch.tensor(units, device=values.device), clamp.value)
    return values
