"""GPT: a stack of pre-norm blocks in which no position attends to a later one.

    h_0 = E[x] + P        h_l = block(h_{l−1})        logits = LayerNorm(h_N) U,   U = Eᵀ if tied

Row t of the logits is for x_{t+1}.

Source: Radford et al. 2019 (GPT-2); lecture "GPT model", which writes W_e and W_p for E and P.
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
from lmcore.models.blocks import Block, BlockTrace, initialise, norm, run_blocks
from lmcore.models.embedding import Embedding, EmbeddingTrace
from lmcore.models.interventions import Edit
from lmcore.models.layers import Dropout, State, apply_dropout
from lmcore.models.masks import causal
from lmcore.models.transformer_config import TransformerConfig
from lmcore.token_ids import TextsIds, texts_ids


@dataclass(frozen=True, slots=True)
class GPTTrace(Trace):
    """Every quantity, in the order it is computed."""

    embedding: EmbeddingTrace
    blocks: tuple[BlockTrace, ...]
    normed: Float[Tensor, "batch time width"]
    """LayerNorm(h_N); h_N itself in a model without LayerNorm."""
    logits: Float[Tensor, "batch time vocabulary"]


class GPT(nn.Module):
    """E, P, the blocks, the last LayerNorm, and U where it is not Eᵀ."""

    def __init__(self, config: TransformerConfig, seed: int | None = 0) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = norm(config)
        if not config.tied:
            self.output = nn.Linear(config.width, config.vocabulary, bias=False, device="meta")
        initialise(self, seed, config.layers)

    def forward(
        self,
        tokens: TextsIds,
        *,
        places: Int[Tensor, "*batch time"] | None = None,
        mask: Mask | None = None,
        edits: Sequence[Edit] = (),
        dropout: Dropout | None = None,
    ) -> GPTTrace:
        """The equations; without a `mask`, that of `attention_mask`.

        Raises:
            ValueError: as `Embedding.forward`, or if the tokens are not whole numbers in rows.
        """
        tokens = texts_ids(tokens)
        mask = self.attention_mask(tokens) if mask is None else mask
        embedding, start = self.embed(tokens, places)
        start = apply_dropout(start, dropout)
        blocks, last = run_blocks(self.blocks, start, mask, edits=edits, dropout=dropout)
        normed = self.final_hidden(last)
        return GPTTrace(embedding, blocks, normed, self.unembed(normed))

    def attention_mask(self, tokens: Int[Tensor, "batch time"]) -> Mask | None:
        """The causal mask, or None if the config has every position attend to every other."""
        return causal(tokens.shape[1]).to(tokens.device) if self.config.causal else None

    def embed(
        self, tokens: Int[Tensor, "batch time"], places: Int[Tensor, "*batch time"] | None = None
    ) -> tuple[EmbeddingTrace, Float[Tensor, "batch time width"]]:
        """The embedding and h_0, the input of the first block.

        Raises:
            ValueError: as `Embedding.forward`.
        """
        embedding = self.embedding(tokens, places)
        return embedding, embedding.output

    def final_hidden(
        self, residual: Float[Tensor, "*batch width"]
    ) -> Float[Tensor, "*batch width"]:
        """LayerNorm(h_N), from the output of the last block; without LayerNorm that output."""
        normed: Tensor = self.norm(residual)
        return normed

    def unembed(self, hidden: Float[Tensor, "*batch width"]) -> Float[Tensor, "*batch vocabulary"]:
        """The logits of the final hidden vectors."""
        return F.linear(hidden, self.U)

    def logits_and_state(
        self,
        tokens: Int[Tensor, "batch time"],
        state: State = None,
        dropout: Dropout | None = None,
    ) -> tuple[Float[Tensor, "batch time vocabulary"], State]:
        """The logits of `forward`; the state is the tokens so far.

        Of the earlier tokens, the latest that fit in front of `tokens` are read again with them.

        Raises:
            ValueError: if there are more tokens than positions, or the state is not tokens.
        """
        time, longest = tokens.shape[1], self.config.longest
        if time > longest:
            raise ValueError(f"a text must have at most {longest} tokens to be read; got {time}")
        if state is not None:
            if not isinstance(state, Tensor) or state.is_floating_point():
                raise ValueError("the state must be the tokens read so far; got other numbers")
            kept = min(state.shape[1], longest - time)
            tokens = torch.cat([state[:, state.shape[1] - kept :], tokens], dim=1)
        logits = self(tokens, dropout=dropout).logits
        return logits[:, -time:], tokens

    @property
    def U(self) -> Float[Tensor, "vocabulary width"]:
        """The output matrix: one row per type."""
        weight: Tensor = self.embedding.token.weight if self.config.tied else self.output.weight
        return weight
