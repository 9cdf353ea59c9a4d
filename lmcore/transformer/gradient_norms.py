"""How large the gradient is in each layer of a Transformer.

    ‖∂L/∂θ_l‖     all weights θ_l of block l = 1 … N
    ‖∂L/∂h^(l)‖   the stream h^(l) after block l; h^(0) is the input of the first

L is the mean loss of a batch, nats per token; a norm is the root of the sum of squares over all
weights, or over all numbers of the stream at every position of the batch.

Source: Hochreiter 1991, Glorot & Bengio 2010 (gradients by layer); Xiong et al. 2020, section 3
(pre-norm and post-norm before the first step); lecture "The Residuals".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64, Int
from torch import Tensor, nn

from lmcore import dataframes
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.training.batches import Batch
from lmcore.training.loop import Training
from lmcore.training.loss import cross_entropy
from lmcore.training.spec import RunSpec

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class GradientNorms:
    """The loss of a batch, nats per token, and the norms of its gradient."""

    loss: float
    blocks: Float64[Tensor, " block"]
    stream: Float64[Tensor, " depth"]
    """One more than there are blocks: h^(0) first."""

    def to_frame(self) -> DataFrame:
        """One row per depth l from 0: norm of the stream's gradient, and of the block's weights."""
        none = torch.full((1,), math.nan, dtype=torch.float64)
        return dataframes.entries(
            "l", {"∂L/∂h": self.stream, "∂L/∂θ": torch.cat([none, self.blocks])}
        )


def gradient_norms(
    network: GPT | BERT, inputs: Int[Tensor, "batch time"], targets: Int[Tensor, "batch time"]
) -> GradientNorms:
    """The gradient's norms on a batch; a target of `UNKNOWN_TARGET` has no loss.

    Raises:
        ValueError: as the network's `forward`, or if it has no head that predicts words.
    """
    trace = network(inputs)
    if trace.logits is None:
        raise ValueError("the network must have a head that predicts words; it has none")
    value = cross_entropy(trace.logits, targets)
    stream = [trace.blocks[0].residual, *(block.output for block in trace.blocks)]
    weights = [list(block.parameters()) for block in network.blocks]
    slopes = torch.autograd.grad(value, [*stream, *(each for part in weights for each in part)])
    found, rest = slopes[: len(stream)], list(slopes[len(stream) :])
    blocks = []
    for part in weights:
        blocks.append(_norm(rest[: len(part)]))
        del rest[: len(part)]
    return GradientNorms(
        float(value.detach()), torch.stack(blocks), torch.stack([_norm([each]) for each in found])
    )


def _norm(parts: list[Tensor]) -> Float64[Tensor, ""]:
    """The norm, in float64: in float32 the square of a small number would be 0."""
    return torch.stack([part.double().square().sum() for part in parts]).sum().sqrt().cpu()


def norms_before_training(spec: RunSpec) -> GradientNorms:
    """The gradient of a run's first batch, before its first step.

    Raises:
        ValueError: as `Training`, or if the run is not of a GPT or BERT.
    """
    run = Training(spec)
    return norms_of_batch(run.network, run.feed.batch(0))


def norms_of_batch(network: nn.Module, batch: Batch) -> GradientNorms:
    """The gradient of a batch of the training engine.

    Raises:
        ValueError: if the network is not a GPT or BERT.
    """
    if not isinstance(network, GPT | BERT):
        raise ValueError(f"the network must be a GPT or BERT; got a {type(network).__name__}")
    return gradient_norms(network, batch.inputs, batch.targets)
