"""The sizes and the choices of a Transformer: one config for GPT, BERT and the encoder–decoder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from lmcore.checks import check_one_of
from lmcore.models.layers import check_size

Norm = Literal["pre", "post", "none"]
BlockActivation = Literal["relu", "gelu", "gelu_tanh"]
Positions = Literal["learned", "sinusoidal", "none"]

MOST_TYPES = 300_000
WIDEST = 8192
MOST_LAYERS = 64
MOST_PLACES = 8192


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """The sizes of a model, and the choices in which the papers differ.

    `width` is d, `hidden` is d_ff, `longest` the number of positions. `tied` means that the output
    matrix U is Eᵀ. `causal` is for a decoder: whether later positions are masked. With `norm`
    "none" the model has no LayerNorm; without `residual` the stream after a part is the part's
    output alone; without `mlp` a block is its attention.
    """

    vocabulary: int
    width: int = 64
    heads: int = 4
    layers: int = 2
    hidden: int = 256
    longest: int = 512
    positions: Positions = "learned"
    segments: int = 0
    norm: Norm = "pre"
    activation: BlockActivation = "gelu"
    tied: bool = True
    causal: bool = True
    epsilon: float = 1e-5
    padding: int | None = None
    """The token that pads a short text; an encoder masks it."""
    residual: bool = True
    mlp: bool = True

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_size("the vocabulary", self.vocabulary, MOST_TYPES)
        check_size("the width d", self.width, WIDEST)
        check_size("the number of heads", self.heads, self.width)
        check_size("the number of layers", self.layers, MOST_LAYERS)
        check_size("the MLP's width d_ff", self.hidden, 4 * WIDEST)
        check_size("the longest text", self.longest, MOST_PLACES)
        check_one_of("positions", self.positions, get_args(Positions))
        check_one_of("the place of LayerNorm", self.norm, get_args(Norm))
        check_one_of("the activation", self.activation, get_args(BlockActivation))
        if self.width % self.heads:
            raise ValueError(
                f"the width d must be a multiple of the number of heads, {self.heads}; "
                f"got {self.width}"
            )
        if self.positions == "sinusoidal" and self.width % 2:
            raise ValueError(f"the width d must be even for sinusoids; got {self.width}")
        if not 0 <= self.segments <= 16:
            raise ValueError(f"the number of segments must be from 0 to 16; got {self.segments}")
        if not (math.isfinite(self.epsilon) and 0 < self.epsilon < 1):
            raise ValueError(f"LayerNorm's ε must be between 0 and 1; got {self.epsilon:g}")

    @property
    def parameters(self) -> int:
        """Numbers in a GPT: E, P, the blocks, the last LayerNorm, and U where it is not Eᵀ."""
        block = self.block_parameters(1)
        return self.table_parameters + self.layers * block + self.norm_parameters

    @property
    def table_parameters(self) -> int:
        """Numbers in E, P, S, and U where it is not Eᵀ."""
        places = self.longest * (self.positions == "learned")
        rows = self.vocabulary * (1 if self.tied else 2) + places + self.segments
        return rows * self.width

    @property
    def norm_parameters(self) -> int:
        """Numbers in one LayerNorm, γ and β; 0 without LayerNorm."""
        return 0 if self.norm == "none" else 2 * self.width

    def block_parameters(self, attentions: int) -> int:
        """Numbers in a block: `attentions` attentions, one MLP, and the LayerNorm of each part."""
        d = self.width
        mlp = (2 * d * self.hidden + self.hidden + d) * self.mlp
        norms = (attentions + self.mlp) * self.norm_parameters
        return attentions * 4 * (d * d + d) + mlp + norms

    @property
    def has_all_parts(self) -> bool:
        """Whether no part of a block is left out: LayerNorm, residuals, MLP."""
        return self.norm != "none" and self.residual and self.mlp

    @property
    def d_k(self) -> int:
        """The width of one head's queries, keys and values: d / n_h."""
        return self.width // self.heads
