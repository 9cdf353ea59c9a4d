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
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from lmcore.dataframes import Trace
from lmcore.models.attention import AnyMask
from lmcore.models.blocks import Block, BlockTrace, initialise, norm, run_blocks
from lmcore.models.embedding import Embedding, EmbeddingTrace
from lmcore.models.interventions import Edit
from lmcore.models.layers import Dropout, apply_dropout, known_sources
from lmcore.models.masks import causal
from lmcore.models.soft_attention import Order
from lmcore.models.transformer_config import TransformerConfig
from lmcore.token_ids import TextsIds


class EncoderDecoderConfig(TransformerConfig):
    """A config of both stacks, each with `layers` layers; `padding` fills up short sources."""

    __slots__ = ()

    @property
    def parameters(self) -> int:
        """Numbers in E, P, both stacks, their last LayerNorms, and U where it is not Eᵀ."""
        blocks = self.layers * (self.block_parameters(1) + self.block_parameters(2))
        return self.table_parameters + blocks + 2 * self.norm_parameters * (self.norm == "pre")


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


@dataclass(frozen=True, slots=True)
class TranslationState(Trace):
    """What a decoder needs to continue: the encoder's output, and the words so far."""

    source: Float[Tensor, "batch source width"]
    """m"""
    mask: Bool[Tensor, "batch 1 source"] | None
    target: Int[Tensor, "batch time"]
    """From `<s>` on."""

    def select(self, rows: Int[Tensor, " kept"]) -> TranslationState:
        """These rows of the batch, in this order; one may occur twice."""
        mask = None if self.mask is None else self.mask[rows]
        return TranslationState(self.source[rows], mask, self.target[rows])


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
        """The equations; `source_mask` hides the source's padding from encoder and decoder both.

        Without it, that of `attention_mask`.
        """
        source_mask = self.attention_mask(source) if source_mask is None else source_mask
        source_embedding, encoder, m = self._encode(source, source_mask, source_edits, dropout)
        embedding, decoder, h = self._decode(target, m, source_mask, mask, edits, dropout)
        logits = self.unembed(h)
        return TransformerTrace(source_embedding, encoder, m, embedding, decoder, h, logits)

    def attention_mask(
        self, source: Int[Tensor, "batch source"]
    ) -> Bool[Tensor, "batch 1 source"] | None:
        """The mask that hides the source's padding, or None if the config has no padding token."""
        padding = self.config.padding
        return None if padding is None else (source != padding)[:, None]

    def read_source(self, source: TextsIds) -> Int[Tensor, "batch source"]:
        """Sources as a tensor.

        Raises:
            ValueError: if a token is not an id, or a source has no word or padding before its last.
        """
        return known_sources(source, self.config.vocabulary, self.config.padding)

    def logits(
        self,
        source: Int[Tensor, "batch source"],
        target: Int[Tensor, "batch time"],
        dropout: Dropout | None = None,
    ) -> Float[Tensor, "batch time vocabulary"]:
        """The logits of `forward`."""
        logits: Tensor = self(source, target, dropout=dropout).logits
        return logits

    def encode(self, source: Int[Tensor, "batch source"]) -> TranslationState:
        """Read the sources: what the decoder starts from."""
        mask = self.attention_mask(source)
        _, _, m = self._encode(source, mask, (), None)
        return TranslationState(m, mask, source[:, :0])

    def step(
        self, tokens: Int[Tensor, " batch"], state: TranslationState, *, order: Order | None = None
    ) -> tuple[Float[Tensor, "batch vocabulary"], None, TranslationState]:
        """Read one more word: the logits of the next, and the state after it.

        The words so far are read again with it.

        Raises:
            ValueError: if `order` is given: only seq2seq, with one α per word, can permute it.
        """
        if order is not None:
            raise ValueError("weights α can be permuted only in seq2seq; this one has many heads")
        target = torch.cat([state.target, tokens[:, None]], dim=1)
        _, _, h = self._decode(target, state.source, state.mask, None, (), None)
        return self.unembed(h[:, -1]), None, replace(state, target=target)

    def _encode(
        self,
        source: Int[Tensor, "batch source"],
        mask: AnyMask | None,
        edits: Sequence[Edit],
        dropout: Dropout | None,
    ) -> tuple[EmbeddingTrace, tuple[BlockTrace, ...], Float[Tensor, "batch source width"]]:
        embedding = self.embedding(source)
        start = apply_dropout(embedding.output, dropout)
        blocks, last = run_blocks(self.encoder, start, mask, edits=edits, dropout=dropout)
        return embedding, blocks, self.encoder_norm(last)

    def _decode(
        self,
        target: Int[Tensor, "batch time"],
        source: Float[Tensor, "batch source width"],
        source_mask: AnyMask | None,
        mask: AnyMask | None,
        edits: Sequence[Edit],
        dropout: Dropout | None,
    ) -> tuple[EmbeddingTrace, tuple[BlockTrace, ...], Float[Tensor, "batch time width"]]:
        mask = causal(target.shape[1]).to(target.device) if mask is None else mask
        embedding = self.embedding(target)
        start = apply_dropout(embedding.output, dropout)
        blocks, last = run_blocks(
            self.decoder, start, mask, source, source_mask, edits=edits, dropout=dropout
        )
        return embedding, blocks, self.decoder_norm(last)

    def unembed(self, hidden: Float[Tensor, "*batch width"]) -> Float[Tensor, "*batch vocabulary"]:
        """The logits of the decoder's final hidden vectors."""
        return F.linear(hidden, self.U)

    @property
    def U(self) -> Float[Tensor, "vocabulary width"]:
        """The output matrix: one row per type."""
        weight: Tensor = self.embedding.token.weight if self.config.tied else self.output.weight
        return weight
