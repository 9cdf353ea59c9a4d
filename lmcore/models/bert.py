"""BERT: a stack of post-norm blocks in which every position attends to every other.

    h_0 = LayerNorm(E[x] + P + S)        h_l = block(h_{l−1})
    logits = LayerNorm(g(h_N W + b)) U + b_2,   U = Eᵀ
    next   = tanh(h_N[0] W_p + b_p) W_NSP + b_NSP

Row t of the logits is for the token at position t before masking. `next` has two logits, from the
vector of [CLS]: does the second text continue the first or not?

Source: Devlin et al. 2019, sections 3 and 3.1, and the code they released, which has the layer with
tanh that paper and lecture leave out; lecture "BERT Architecture". With `norm` "pre" there is a
LayerNorm after the last block and none before the first, as in small models of today.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore.dataframes import Trace
from lmcore.models.attention import Mask
from lmcore.models.blocks import Block, BlockTrace, g, initialise, norm, run_blocks
from lmcore.models.embedding import Embedding, EmbeddingTrace
from lmcore.models.interventions import Edit
from lmcore.models.layers import Dropout, State, apply_dropout
from lmcore.models.transformer_config import TransformerConfig
from lmcore.token_ids import TextsIds, texts_ids


@dataclass(frozen=True, slots=True)
class BERTTrace(Trace):
    """Every quantity, in the order it is computed."""

    embedding: EmbeddingTrace
    start: Float[Tensor, "batch time width"]
    """h_0"""
    blocks: tuple[BlockTrace, ...]
    hidden: Float[Tensor, "batch time width"]
    """h_N: the contextual vector of each token."""
    transformed: Float[Tensor, "batch time width"] | None
    logits: Float[Tensor, "batch time vocabulary"] | None
    """None in a model without a head for masked tokens."""
    pooled: Float[Tensor, "batch width"] | None = None
    next: Float[Tensor, "batch 2"] | None = None
    """IsNext, NotNext; None in a model without a head for pairs."""


class MLMHead(nn.Module):
    """W, b, a LayerNorm and b_2, and U where it is not Eᵀ."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.activation = config.activation
        self.dense = nn.Linear(config.width, config.width, device="meta")
        self.norm = norm(config)
        self.bias = nn.Parameter(torch.empty(config.vocabulary, device="meta"))
        if not config.tied:
            self.output = nn.Linear(config.width, config.vocabulary, bias=False, device="meta")

    def forward(self, hidden: Float[Tensor, "*batch width"]) -> Float[Tensor, "*batch width"]:
        """LayerNorm(g(h_N W + b)), the vectors that are multiplied with U."""
        transformed: Tensor = self.norm(g(self.dense(hidden), self.activation))
        return transformed


class NSPHead(nn.Module):
    """W_p and b_p, W_NSP and b_NSP."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.pooler = nn.Linear(config.width, config.width, device="meta")
        self.output = nn.Linear(config.width, 2, device="meta")

    def forward(
        self, hidden: Float[Tensor, "batch time width"]
    ) -> tuple[Float[Tensor, "batch width"], Float[Tensor, "batch 2"]]:
        """The vector of the first token after tanh, and the two logits."""
        pooled = self.pooler(hidden[:, 0]).tanh()
        return pooled, self.output(pooled)


class BERT(nn.Module):
    """E, P, S, the first LayerNorm, the blocks, and the heads: for masked tokens, and for pairs."""

    def __init__(
        self,
        config: TransformerConfig,
        seed: int | None = 0,
        *,
        head: bool = True,
        pairs: bool = False,
    ) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config)
        self.norm = norm(config)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.head = MLMHead(config) if head else None
        self.pairs = NSPHead(config) if pairs else None
        initialise(self, seed, config.layers)
        if self.head is not None:
            nn.init.zeros_(self.head.bias)

    def forward(
        self,
        tokens: TextsIds,
        *,
        places: Int[Tensor, "*batch time"] | None = None,
        segments: Int[Tensor, "batch time"] | None = None,
        mask: Mask | None = None,
        edits: Sequence[Edit] = (),
        dropout: Dropout | None = None,
    ) -> BERTTrace:
        """The equations; without a `mask`, that of `attention_mask`.

        Raises:
            ValueError: as `Embedding.forward`, or if the tokens are not whole numbers in rows.
        """
        tokens = texts_ids(tokens)
        mask = self.attention_mask(tokens) if mask is None else mask
        embedding, start = self.embed(tokens, places, segments)
        start = apply_dropout(start, dropout)
        blocks, last = run_blocks(self.blocks, start, mask, edits=edits, dropout=dropout)
        hidden = self.final_hidden(last)
        transformed = None if self.head is None else self.head(hidden)
        logits = None if transformed is None else self._logits(transformed)
        pooled, follows = (None, None) if self.pairs is None else self.pairs(hidden)
        return BERTTrace(embedding, start, blocks, hidden, transformed, logits, pooled, follows)

    def attention_mask(self, tokens: Int[Tensor, "batch time"]) -> Mask | None:
        """The mask that hides padding, or None if the config has no padding token."""
        padding = self.config.padding
        return None if padding is None else (tokens != padding)[:, None]

    def embed(
        self,
        tokens: Int[Tensor, "batch time"],
        places: Int[Tensor, "*batch time"] | None = None,
        segments: Int[Tensor, "batch time"] | None = None,
    ) -> tuple[EmbeddingTrace, Float[Tensor, "batch time width"]]:
        """The embedding and h_0, the input of the first block.

        Raises:
            ValueError: as `Embedding.forward`.
        """
        embedding = self.embedding(tokens, places, segments)
        post = self.config.norm == "post"
        return embedding, self.norm(embedding.output) if post else embedding.output

    def final_hidden(
        self, residual: Float[Tensor, "*batch width"]
    ) -> Float[Tensor, "*batch width"]:
        """The contextual vectors, from the output of the last block: normalised if pre-norm."""
        hidden: Tensor = residual if self.config.norm == "post" else self.norm(residual)
        return hidden

    def unembed(
        self, hidden: Float[Tensor, "*batch width"]
    ) -> Float[Tensor, "*batch vocabulary"] | None:
        """The logits of the final hidden vectors, or None without a head for masked tokens."""
        return None if self.head is None else self._logits(self.head(hidden))

    def _logits(
        self, transformed: Float[Tensor, "*batch width"]
    ) -> Float[Tensor, "*batch vocabulary"]:
        assert self.head is not None
        return F.linear(transformed, self.U, self.head.bias)

    def logits_and_state(
        self,
        tokens: Int[Tensor, "batch time"],
        state: State = None,
        dropout: Dropout | None = None,
    ) -> tuple[Float[Tensor, "batch time vocabulary"], State]:
        """The logits alone, and no state: a text is always read whole.

        Raises:
            ValueError: if the model has no head that fills in masked tokens.
        """
        logits = self(tokens, dropout=dropout).logits
        if logits is None:
            raise ValueError("the model must have a head that fills in masked tokens; it has none")
        return logits, None

    @property
    def U(self) -> Float[Tensor, "vocabulary width"]:
        """The output matrix: one row per type."""
        if self.head is None or self.config.tied:
            return self.embedding.token.weight
        return self.head.output.weight
