"""The receptive field of a prediction: both sides of a word in a BERT, its left in a GPT.

    influence(j) = ‖∂ log ŷ[w] / ∂ x_j‖        x_j = the input embedding at position j

It is exactly 0 where no path leads from position j to the prediction: after the word, in a model
with a causal mask. Elsewhere it is the sensitivity of log ŷ[w] to a small change at position j.
"""

from __future__ import annotations

import copy

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT


def influence(
    network: BERT | GPT, tokens: Int[Tensor, " time"], place: int, word: int
) -> Float64[Tensor, " time"]:
    """The influence of each position on log ŷ[word] at `place`, which a GPT predicts one earlier.

    For a BERT the text has [MASK] at `place`; a GPT does not read the token there.

    Raises:
        ValueError: if there is no such position, or the model has no head for masked tokens.
    """
    first = 1 if isinstance(network, GPT) else 0
    if not first <= place < len(tokens):
        raise ValueError(f"the place must be from {first} to {len(tokens) - 1}; got {place}")
    own = network
    if not all(weight.requires_grad for weight in network.parameters()):
        own = copy.deepcopy(network).requires_grad_(True)
    with torch.enable_grad():
        trace = own(tokens[None].to(own.embedding.token.weight.device))
        if trace.logits is None:
            raise ValueError("the model must have a head that fills in masked tokens; it has none")
        log_p = trace.logits[0, place - first].double().log_softmax(-1)[word]
        (gradient,) = torch.autograd.grad(log_p, trace.embedding.output)
    norms: Tensor = gradient[0].double().norm(dim=-1).cpu()
    return norms
