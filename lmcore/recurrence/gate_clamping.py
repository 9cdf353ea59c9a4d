"""An LSTM reads a text, with gates clamped or not: its gates, prediction and gradient.

    J = −log ŷ_{T−1}[x_T]        the loss of the text's last token, in nats
    ‖∂J/∂h_k‖₂                    for each earlier k: how strongly the loss depends on h_k

Source: lecture "LSTMs", the figures of its gates over a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_one_of
from lmcore.models.lstm import LSTM, Gate, GateClamp, LSTMLayerTrace
from lmcore.parsing import parse_number

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_TOKENS = 160
"""The most tokens that fit under the picture."""


class ClampedTrace(NamedTuple):
    """The last layer over a text, the loss, its gradient, and the next-token distribution."""

    layer: LSTMLayerTrace
    gradient: Float[Tensor, " before_last"]
    """‖∂J/∂h_k‖₂"""
    loss: float
    """J"""
    next: Float[Tensor, " vocabulary"]
    """The probability of each token after the whole text."""

    def to_frame(self) -> DataFrame:
        """One row per number: quantity, those of the axes that it has, value."""
        return dataframes.numbers(self)


def parse_clamps(gate: str, value: str) -> tuple[GateClamp, ...]:
    """The clamp that the user chose, with its typed value; none for the gate "none".

    Raises:
        ValueError: if there is no such gate, the value is not a number, or as `GateClamp`.
    """
    if gate == "none":
        return ()
    check_one_of("a held gate", gate, get_args(Gate))
    return (GateClamp(cast(Gate, gate), parse_number(value, "the held value")),)


def trace_clamped(
    network: LSTM, tokens: Int[Tensor, " time"], clamps: tuple[GateClamp, ...] = ()
) -> ClampedTrace:
    """Read `tokens` with these gates clamped.

    Raises:
        ValueError: if there are not from 2 to `MAX_TOKENS` tokens, or as `GateClamp.check`.
    """
    if not 2 <= len(tokens) <= MAX_TOKENS:
        raise ValueError(f"a text must have from 2 to {MAX_TOKENS} tokens; got {len(tokens)}")
    # Adding 0 to h(k) changes nothing, and the gradient with respect to that 0 is ∂J/∂h(k).
    nudge = network.output.weight.new_zeros(len(tokens), network.config.hidden).requires_grad_()
    trace = network(tokens[None], clamps=clamps, nudge=nudge)
    loss = F.cross_entropy(trace.logits[0, -2:-1], tokens[-1:])
    (gradient,) = torch.autograd.grad(loss, nudge)
    fields = (getattr(trace.layers[-1], name).detach() for name in LSTMLayerTrace.__slots__)
    return ClampedTrace(
        LSTMLayerTrace(*fields),
        torch.linalg.vector_norm(gradient[:-1], dim=-1),
        float(loss.detach()),
        trace.logits[0, -1].detach().softmax(dim=-1),
    )
