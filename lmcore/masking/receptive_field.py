"""Which words can move what a model says of one word: both ways in a BERT, from the left in a GPT.

    influence(j) = ‖∂ log ŷ[w] / ∂ x_j‖        x_j = the vector that enters at place j

It is 0 exactly where no path leads from place j to the prediction: behind the word, in a model with
a causal mask. Where it is not 0, it says how much a small push at place j moves log ŷ[w].
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
    """How much each place moves log ŷ[word] at `place`: what a GPT says of it one place earlier.

    For a BERT the text has [MASK] at the place; for a GPT whatever stands there is not read.

    Raises:
        ValueError: if there is no such place, or the model has no head to say anything there.
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
        said = trace.logits[0, place - first].double().log_softmax(-1)[word]
        (gradient,) = torch.autograd.grad(said, trace.embedding.output)
    norms: Tensor = gradient[0].double().norm(dim=-1).cpu()
    return norms
