"""The encoder–decoder Transformer: a decoder predicts the target while attending to the source.

    m   = encoder(√d E[source] + PE)
    h_0 = √d E[target] + PE         h_l = block(h_{l−1}, m)         logits = h_N U,   U = Eᵀ

The decoder's self-attention is causal, its cross-attention has queries from h and keys and values
from m. Row t of the logits is for the target's token t + 1.

Source: Vaswani et al. 2017, figure 1 and section 3; one vocabulary for both languages (5.1).
With `norm` "pre" each stack ends in a LayerNorm of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore.frames import Trace
from lmcore.models.attention import AnyMask
from lmcore.models.blocks import Block, BlockTrace, initialise, norm, run_blocks
from lmcore.models.embedding import Embedding, EmbeddingTrace
from lmcore.models.interventions import Edit
from lmcore.models.layers import Dropout, apply_dropout
from lmcore.models.masks import causal
from lmcore.models.transformer_config import TransformerConfig


@dataclass(frozen=True, slots=True)
class TransformerTrace(Trace):
    """Every quantity, in the order it is computed."""

    source_embedding: EmbeddingTrace
    encoder: tuple[BlockTrace, ...]
    source: Float[Tensor, "batch source width"]
    """m: the encoder's output."""
    embedding: EmbeddingTrace
    decoder: tuple[BlockTrace, ...]
    hidden: Float[Tensor, "batch time width"]
    logits: Float[Tensor, "batch time vocabulary"]


class Transformer(nn.Module):
    """E, an encoder's blocks, a decoder's, and U where it is not Eᵀ."""

    def __init__(self, config: TransformerConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config, scale=math.sqrt(config.width))
        self.encoder = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.decoder = nn.ModuleList(Block(config, cross=True) for _ in range(config.layers))
        pre = config.norm == "pre"
        self.encoder_norm = norm(config) if pre else nn.Identity()
        self.decoder_norm = norm(config) if pre else nn.Identity()
        if not config.tied:
            self.output = nn.Linear(config.width, config.vocabulary, bias=False, device="meta")
        initialise(self, seed, config.layers)

    def forward(
        self,
        source: Int[Tensor, "batch source"],
        target: Int[Tensor, "batch time"],
        *,
        source_mask: AnyMask | None = None,
        mask: AnyMask | None = None,
        edits: Sequence[Edit] = (),
        source_edits: Sequence[Edit] = (),
        dropout: Dropout | None = None,
    ) -> TransformerTrace:
        """The equations; `source_mask` hides the source's padding from encoder and decoder both."""
        if mask is None:
            mask = causal(target.shape[1]).to(target.device)
        source_embedding = self.embedding(source)
        start = apply_dropout(source_embedding.output, dropout)
        encoder, m = run_blocks(
            self.encoder, start, source_mask, edits=source_edits, dropout=dropout
        )
        m = self.encoder_norm(m)
        embedding = self.embedding(target)
        start = apply_dropout(embedding.output, dropout)
        decoder, h = run_blocks(
            self.decoder, start, mask, m, source_mask, edits=edits, dropout=dropout
        )
        h = self.decoder_norm(h)
        logits = self.unembed(h)
        return TransformerTrace(source_embedding, encoder, m, embedding, decoder, h, logits)

    def unembed(self, hidden: Float[Tensor, "*batch width"]) -> Float[Tensor, "*batch vocabulary"]:
        """The logits of the decoder's final hidden vectors."""
        return F.linear(hidden, self.U)

    @property
    def U(self) -> Float[Tensor, "vocabulary width"]:
        """The output matrix: one row per type."""
        weight: Tensor = self.embedding.token.weight if self.config.tied else self.output.weight
        return weight
