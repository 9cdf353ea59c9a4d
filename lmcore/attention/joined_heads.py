"""The heads of a block, joined: what each one reads, and its part in each number of the output.

    z_h    = α_h V_h                          head h's answer for one token, d_k numbers
    output = [z_1; …; z_H] W^O + b = Σ_h z_h W^O_h + b

W^O_h is the band of rows of W^O that belongs to head h, so each number of the output is a sum of
one part a head, and the bias.

Source: Vaswani et al. 2017, section 3.2.2.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.attention.heads import HeadsTrace, Network, transformer_blocks

if TYPE_CHECKING:
    from pandas import DataFrame


class JoinedHeads(NamedTuple):
    """One token in all heads of a block, and what W^O makes of their answers."""

    weights: Float64[Tensor, "head key"]
    """α of the token"""
    answers: Float64[Tensor, "head d_k"]
    """z"""
    matrix: Float64[Tensor, "width out"]
    """W^O: a row for each number of the joined answers"""
    bias: Float64[Tensor, " out"]
    parts: Float64[Tensor, "head out"]
    """z_h W^O_h"""

    @property
    def output(self) -> Float64[Tensor, " out"]:
        """The sum of the parts, and the bias."""
        return self.parts.sum(dim=0) + self.bias

    def without(self, cut: Collection[int]) -> JoinedHeads:
        """The same with 0 as the answer of some heads, from 0."""
        stays = torch.tensor([head not in cut for head in range(len(self.answers))])[:, None]
        return self._replace(answers=self.answers * stays, parts=self.parts * stays)

    def to_frame(self) -> DataFrame:
        """One row per number of the output: what each head adds, the bias and the sum."""
        found = {f"head {head}": part for head, part in enumerate(self.parts)}
        return dataframes.entries("number", {**found, "bias": self.bias, "output": self.output})


@torch.no_grad()
def join_heads(network: Network, trace: HeadsTrace, layer: int, place: int) -> JoinedHeads:
    """The heads of a layer for the token at `place`, both from 0."""
    projection = transformer_blocks(network)[layer].attention.output
    matrix, bias = (each.detach().cpu().double() for each in (projection.weight.T, projection.bias))
    answers = trace.context[layer, :, place].double()
    bands = matrix.reshape(*answers.shape, -1)
    parts = (answers[:, :, None] * bands).sum(dim=1)
    return JoinedHeads(trace.weights[layer, :, place].double(), answers, matrix, bias, parts)
