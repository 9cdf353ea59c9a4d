"""Who sees what: which words a word's vector depends on, in ELMo's biLM, a GPT and a BERT.

    reach(k, i) = ‖∂ (r · h_k) / ∂ x_i‖        x_i = the input embedding at place i, r fixed, random

It is exactly 0 where no path leads from word i to the vector of word k; where one does, it is above
0 for almost every r.
"""

from __future__ import annotations

import copy

import torch
from jaxtyping import Float, Float64, Int
from torch import Tensor

from lmcore.contextual.bilm import BiLM
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT


def bilm_reach(
    network: BiLM, tokens: Int[Tensor, " time"]
) -> tuple[Float64[Tensor, "word seen"], Float64[Tensor, "word seen"]]:
    """The reach of →h_{k,L} and of ←h_{k,L}: row k, column i; ELMo puts both end to end."""
    with torch.enable_grad():
        embedding = network.embedding(tokens)[None].detach().requires_grad_(True)
        trace = network.read(embedding, torch.tensor([len(tokens)]))
        left, right = trace.left_to_right[-1], trace.right_to_left[-1]
        return _gradients(left[0], embedding), _gradients(right[0], embedding)


def transformer_reach(
    network: BERT | GPT, tokens: Int[Tensor, " time"]
) -> Float64[Tensor, "word seen"]:
    """The reach of h^(N), the output of the last block: row k, column i."""
    own = copy.deepcopy(network).requires_grad_(True)
    with torch.enable_grad():
        trace = own(tokens[None])
        return _gradients(trace.blocks[-1].output[0], trace.embedding.output)


def _gradients(
    vectors: Float[Tensor, "word width"], inputs: Float[Tensor, "1 word width"]
) -> Float64[Tensor, "word seen"]:
    r = torch.randn(vectors.shape[-1], generator=torch.Generator().manual_seed(0))
    rows = []
    for scored in vectors @ r:
        (gradient,) = torch.autograd.grad(scored, inputs, retain_graph=True)
        rows.append(gradient[0].double().norm(dim=-1))
    return torch.stack(rows)
