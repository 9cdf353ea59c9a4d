"""A text read by an LSTM, with a gate held or not: gates, prediction, and the gradient back.

    J = −log ŷ_{T−1}[x_T]        the loss of the text's last token, in nats
    ‖∂J/∂h_k‖₂                    for each k before it: how far back that loss can teach

Source: lecture "LSTMs", the figures of its gates over a text.
"""

from __future__ import annotations

from typing import NamedTuple, cast, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from lmcore.models.layers import check_choice
from lmcore.models.lstm import LSTM, Gate, GateClamp, LSTMLayerTrace
from lmcore.parsing import parse_number

MAX_TOKENS = 160
"""Tokens: more do not fit under a picture."""


class ClampedTrace(NamedTuple):
    """What the last layer did over a text, and what came of it."""

    layer: LSTMLayerTrace
    gradient: Float[Tensor, " before_last"]
    """‖∂J/∂h_k‖₂"""
    loss: float
    """J"""
    next: Float[Tensor, " vocabulary"]
    """The probability of each token after the whole text."""


def parse_clamps(gate: str, value: str) -> tuple[GateClamp, ...]:
    """What someone chose to hold, and typed to hold it at: nothing where the gate is "none".

    Raises:
        ValueError: if there is no such gate, the value is no number, or as `Hold`.
    """
    if gate == "none":
        return ()
    check_choice("a held gate", gate, get_args(Gate))
    return (GateClamp(cast(Gate, gate), parse_number(value, "the held value")),)


def trace_clamped(
    network: LSTM, tokens: Int[Tensor, " time"], holds: tuple[GateClamp, ...] = ()
) -> ClampedTrace:
    """Read `tokens` with gates held as `parse_clamps` say.

    Raises:
        ValueError: if there are fewer than 2 tokens or more than `MAX_TOKENS`, or as `Hold.check`.
    """
    if not 2 <= len(tokens) <= MAX_TOKENS:
        raise ValueError(f"a text must have from 2 to {MAX_TOKENS} tokens; got {len(tokens)}")
    # Adding 0 to h(k) changes nothing, and the gradient with respect to that 0 is ∂J/∂h(k).
    nudge = network.output.weight.new_zeros(len(tokens), network.config.hidden).requires_grad_()
    trace = network(tokens[None], holds=holds, nudge=nudge)
    loss = F.cross_entropy(trace.logits[0, -2:-1], tokens[-1:])
    (gradient,) = torch.autograd.grad(loss, nudge)
    fields = (getattr(trace.layers[-1], name).detach() for name in LSTMLayerTrace.__slots__)
    return ClampedTrace(
        LSTMLayerTrace(*fields),
        torch.linalg.vector_norm(gradient[:-1], dim=-1),
        float(loss.detach()),
        trace.logits[0, -1].detach().softmax(dim=-1),
    )
