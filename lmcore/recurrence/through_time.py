"""Backpropagation through time: the gradient of every loss with respect to every earlier state.

    ∂J(t)/∂h(k) = ∂J(t)/∂h(t) · ∂h(t)/∂h(t−1) · … · ∂h(k+1)/∂h(k)

For the plain network each factor is diag(g′(z)) W_h, so the product shrinks or grows roughly like
the power t − k of W_h.

Source: CMU 11-411, "Disadvantages of RNN LMs"; Pascanu, Mikolov & Bengio 2013, section 2.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from lmcore.models.gru import GRU
from lmcore.models.lstm import LSTM
from lmcore.models.rnn import RNN

RecurrentNetwork = RNN | GRU | LSTM


def gradient_through_time(
    network: RecurrentNetwork, tokens: Int[Tensor, " text"]
) -> Float[Tensor, "loss time"]:
    """‖∂J(t)/∂h(k)‖₂ for each loss t and each time k, 0 where k > t; h is that of the last layer.

    J(t) = −log ŷ_t[x_{t+1}], in nats. In an LSTM this includes paths from h(k) through the cell.

    Raises:
        ValueError: if there are fewer than 2 tokens: the last is only a target.
    """
    if len(tokens) < 2:
        raise ValueError(f"a text must have at least 2 tokens for a loss; got {len(tokens)}")
    size = (len(tokens) - 1, network.config.hidden)
    # Adding 0 to h(k) changes nothing, and the gradient with respect to that 0 is ∂J/∂h(k).
    nudge = network.output.weight.new_zeros(size).requires_grad_()
    logits = network.forward(tokens[None, :-1], nudge=nudge).logits[0]
    losses = F.cross_entropy(logits, tokens[1:], reduction="none")
    each = torch.eye(len(losses), dtype=losses.dtype, device=losses.device)
    (gradients,) = torch.autograd.grad(losses, nudge, each, is_grads_batched=True)
    norms: Tensor = torch.linalg.vector_norm(gradients, dim=-1)
    return norms


def spectral_radius(W_h: Float[Tensor, "hidden hidden"]) -> float:
    """ρ(W_h) = max |λ| over the eigenvalues: the rate of growth of W_hⁿ in the long run."""
    return float(torch.linalg.eigvals(W_h.detach().cpu().double()).abs().max())
