"""A Transformer block: attention, then an MLP at each position; each adds to the residual stream.

    post-norm:  x ← LayerNorm(x + f(x))        Vaswani et al. 2017, BERT
    pre-norm:   x ← x + f(LayerNorm(x))        GPT-2
    none:       x ← x + f(x)

f is self-attention, then in a decoder cross-attention to the source, then the MLP,
g(x W_1 + b_1) W_2 + b_2. The residual stream is the sequence of the x. A model without residuals
has no “x +”, a model without the MLP no such f.

Source: Vaswani et al. 2017, sections 3.1 and 3.3; Radford et al. 2019, section 2.3 (pre-norm);
Hendrycks & Gimpel 2016 (GELU: "gelu" is exact, "gelu_tanh" its approximation, which GPT-2 has).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from lmcore.dataframes import Trace
from lmcore.models.attention import AnyMask
from lmcore.models.interventions import Edit, apply_residual_edits, check_edits, head_edits
from lmcore.models.layers import Dropout, apply_dropout
from lmcore.models.multihead import MultiHead, MultiHeadTrace
from lmcore.models.transformer_config import BlockActivation, TransformerConfig

SMALL = 0.02
"""The standard deviation of an initial embedding."""


@dataclass(frozen=True, slots=True)
class MLPTrace(Trace):
    """Every quantity, in the order it is computed."""

    pre_activation: Float[Tensor, "batch time d_ff"]
    hidden: Float[Tensor, "batch time d_ff"]
    output: Float[Tensor, "batch time width"]


@dataclass(frozen=True, slots=True)
class BlockTrace(Trace):
    """The residual stream through a block, and the inputs and outputs of each part of the block.

    `…_inputs` is LayerNorm of the stream in a pre-norm block, else the stream itself; `…_sum` is
    the stream plus the part's output, or without residuals that output alone. The fields of a part
    that the block does not have are None.
    """

    residual: Float[Tensor, "batch time width"]
    attention_inputs: Float[Tensor, "batch time width"]
    attention: MultiHeadTrace
    attention_sum: Float[Tensor, "batch time width"]
    cross_inputs: Float[Tensor, "batch time width"] | None
    cross: MultiHeadTrace | None
    cross_sum: Float[Tensor, "batch time width"] | None
    mlp_inputs: Float[Tensor, "batch time width"] | None
    mlp: MLPTrace | None
    mlp_sum: Float[Tensor, "batch time width"] | None
    output: Float[Tensor, "batch time width"]
    """The input of the next block."""


class MLP(nn.Module):
    """W_1, b_1, W_2 and b_2, shared by all positions."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.activation = config.activation
        self.up = nn.Linear(config.width, config.hidden, device="meta")
        self.down = nn.Linear(config.hidden, config.width, device="meta")

    def forward(self, inputs: Float[Tensor, "batch time width"]) -> MLPTrace:
        """g(x W_1 + b_1) W_2 + b_2."""
        z = self.up(inputs)
        hidden = g(z, self.activation)
        return MLPTrace(z, hidden, self.down(hidden))


class Block(nn.Module):
    """One layer; with `cross`, a decoder layer with cross-attention to a source."""

    def __init__(self, config: TransformerConfig, *, cross: bool = False) -> None:
        super().__init__()
        self.pre, self.post = config.norm == "pre", config.norm == "post"
        self.residual = config.residual
        self.attention = MultiHead(config.width, config.heads)
        self.attention_norm = norm(config)
        self.cross = MultiHead(config.width, config.heads) if cross else None
        self.cross_norm = norm(config) if cross else None
        self.mlp = MLP(config) if config.mlp else None
        self.mlp_norm = norm(config) if config.mlp else None

    def forward(
        self,
        residual: Float[Tensor, "batch time width"],
        mask: AnyMask | None = None,
        source: Float[Tensor, "batch source width"] | None = None,
        source_mask: AnyMask | None = None,
        *,
        edits: Sequence[Edit] = (),
        dropout: Dropout | None = None,
    ) -> BlockTrace:
        """Self-attention, cross-attention if there is a source, MLP; all `edits` are of this layer.

        `dropout` applies to the output of each part.
        """
        attention_inputs = self.normalise_before(residual, self.attention_norm)
        attention = self.attention(attention_inputs, None, mask, head_edits(edits, "self"))
        attention_sum = self.add(residual, apply_dropout(attention.output, dropout))
        stream = self.normalise_after(attention_sum, self.attention_norm)
        cross_inputs = cross = cross_sum = None
        if self.cross is not None and self.cross_norm is not None:
            cross_inputs = self.normalise_before(stream, self.cross_norm)
            cross = self.cross(cross_inputs, source, source_mask, head_edits(edits, "cross"))
            cross_sum = self.add(stream, apply_dropout(cross.output, dropout))
            stream = self.normalise_after(cross_sum, self.cross_norm)
        mlp_inputs = mlp = mlp_sum = None
        if self.mlp is not None and self.mlp_norm is not None:
            mlp_inputs = self.normalise_before(stream, self.mlp_norm)
            mlp = self.mlp(mlp_inputs)
            mlp_sum = self.add(stream, apply_dropout(mlp.output, dropout))
            stream = self.normalise_after(mlp_sum, self.mlp_norm)
        return BlockTrace(
            residual,
            attention_inputs,
            attention,
            attention_sum,
            cross_inputs,
            cross,
            cross_sum,
            mlp_inputs,
            mlp,
            mlp_sum,
            output=stream,
        )

    def add(self, stream: Float[Tensor, "*shape"], output: Float[Tensor, "*shape"]) -> Tensor:
        """The stream after a part, before any LayerNorm: the sum, or the part's output alone."""
        return stream + output if self.residual else output

    def normalise_before(self, stream: Float[Tensor, "*shape"], norm: nn.Module) -> Tensor:
        """The input of a part: the stream, normalised in a pre-norm block."""
        normed: Tensor = norm(stream) if self.pre else stream
        return normed

    def normalise_after(self, total: Float[Tensor, "*shape"], norm: nn.Module) -> Tensor:
        """The stream after a part was added, normalised in a post-norm block."""
        stream: Tensor = norm(total) if self.post else total
        return stream


def run_blocks(
    blocks: nn.ModuleList,
    residual: Float[Tensor, "batch time width"],
    mask: AnyMask | None = None,
    source: Float[Tensor, "batch source width"] | None = None,
    source_mask: AnyMask | None = None,
    *,
    edits: Sequence[Edit] = (),
    dropout: Dropout | None = None,
) -> tuple[tuple[BlockTrace, ...], Float[Tensor, "batch time width"]]:
    """Run the blocks in order: their traces, and the stream after the last.

    Raises:
        ValueError: if an edit names a layer or a head that does not exist, or does not fit.
    """
    layers = [block for block in blocks if isinstance(block, Block)]
    first = layers[0]
    check_edits(
        edits, layers=len(layers), heads=first.attention.heads, cross=first.cross is not None
    )
    traces: list[BlockTrace] = []
    for n, block in enumerate(layers):
        here = tuple(edit for edit in edits if edit.layer == n)
        residual = apply_residual_edits(residual, here)
        traces.append(block(residual, mask, source, source_mask, edits=here, dropout=dropout))
        residual = traces[-1].output
    after = tuple(edit for edit in edits if edit.layer == len(layers))
    return tuple(traces), apply_residual_edits(residual, after)


def norm(config: TransformerConfig) -> nn.LayerNorm | nn.Identity:
    """(x − mean) / √(variance + ε) · γ + β, over the width at each position; x if there is none."""
    if config.norm == "none":
        return nn.Identity()
    return nn.LayerNorm(config.width, eps=config.epsilon, device="meta")


def g(z: Float[Tensor, "*shape"], activation: BlockActivation) -> Float[Tensor, "*shape"]:
    """The MLP's nonlinearity."""
    if activation == "relu":
        return F.relu(z)
    return F.gelu(z, approximate="tanh" if activation == "gelu_tanh" else "none")


@torch.no_grad()
def initialise(network: nn.Module, seed: int | None, layers: int) -> None:
    """Draw a Transformer's initial weights: a pure function of `seed`.

    With None the weights stay empty, on the device "meta", until others are assigned.

    E, P, S and an untied U are drawn from N(0, 0.02²), so that every type is about equally
    probable; a matrix with n inputs from N(0, 1/(4n)), √(2N) times smaller in the two matrices per
    layer that write to the residual stream. LayerNorm begins as γ = 1, β = 0.
    """
    if seed is None:
        return
    network.to_empty(device="cpu")
    generator = torch.Generator().manual_seed(seed)
    for module in network.modules():
        if isinstance(module, nn.LayerNorm):
            module.reset_parameters()
        elif isinstance(module, nn.Embedding):
            module.weight.normal_(0, SMALL, generator=generator)
        elif isinstance(module, nn.Linear):
            module.weight.normal_(0, 0.5 * module.in_features**-0.5, generator=generator)
            if module.bias is not None:
                module.bias.zero_()
    for name, weight in network.named_parameters():
        if name in ("output.weight", "head.output.weight"):
            weight.normal_(0, SMALL, generator=generator)
        if name.endswith(("attention.output.weight", "cross.output.weight", "mlp.down.weight")):
            weight.div_((2 * layers) ** 0.5)
