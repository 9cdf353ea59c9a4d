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

from lmcore.models.layers import among
from lmcore.models.lstm import LSTM, Gate, Hold, LSTMLayerTrace
from lmcore.parsing import number

LONGEST = 160
"""Tokens: more do not fit under a picture."""


class Reading(NamedTuple):
    """What the last layer did over a text, and what came of it."""

    layer: LSTMLayerTrace
    gradient: Float[Tensor, " before_last"]
    """‖∂J/∂h_k‖₂"""
    loss: float
    """J"""
    next: Float[Tensor, " vocabulary"]
    """The probability of each token after the whole text."""


def holds(gate: str, value: str) -> tuple[Hold, ...]:
    """What someone chose to hold, and typed to hold it at: nothing where the gate is "none".

    Raises:
        ValueError: if there is no such gate, the value is no number, or as `Hold`.
    """
    if gate == "none":
        return ()
    among("a held gate", gate, get_args(Gate))
    return (Hold(cast(Gate, gate), number(value, "the held value")),)


def reading(network: LSTM, tokens: Int[Tensor, " time"], holds: tuple[Hold, ...] = ()) -> Reading:
    """Read `tokens` with gates held as `holds` say.

    Raises:
        ValueError: if there are fewer than 2 tokens or more than `LONGEST`, or as `Hold.check`.
    """
    if not 2 <= len(tokens) <= LONGEST:
        raise ValueError(f"a text must have from 2 to {LONGEST} tokens; got {len(tokens)}")
    # Adding 0 to h(k) changes nothing, and the gradient with respect to that 0 is ∂J/∂h(k).
    nudge = network.output.weight.new_zeros(len(tokens), network.config.hidden).requires_grad_()
    trace = network(tokens[None], holds=holds, nudge=nudge)
    loss = F.cross_entropy(trace.logits[0, -2:-1], tokens[-1:])
    (gradient,) = torch.autograd.grad(loss, nudge)
    fields = (getattr(trace.layers[-1], name).detach() for name in LSTMLayerTrace.__slots__)
    return Reading(
        LSTMLayerTrace(*fields),
        torch.linalg.vector_norm(gradient[:-1], dim=-1),
        float(loss.detach()),
        trace.logits[0, -1].detach().softmax(dim=-1),
    )
