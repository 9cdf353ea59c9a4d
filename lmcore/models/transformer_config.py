"""The sizes and the choices of a Transformer: one config for GPT, BERT and the encoder–decoder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from lmcore.checks import check_one_of
from lmcore.models.layers import check_size

Norm = Literal["pre", "post"]
Nonlinearity = Literal["relu", "gelu", "gelu_tanh"]
Positions = Literal["learned", "sinusoidal", "none"]

MOST_TYPES = 300_000
WIDEST = 8192
MOST_LAYERS = 64
MOST_PLACES = 8192


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """The sizes of a model, and the choices in which the papers differ.

    `width` is d, `hidden` is d_ff, `longest` the number of positions. `tied` means that the output
    matrix U is Eᵀ. `causal` is for a decoder: whether later positions are masked.
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
    activation: Nonlinearity = "gelu"
    tied: bool = True
    causal: bool = True
    epsilon: float = 1e-5
    padding: int | None = None
    """The token that pads a short text; an encoder masks it."""

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
        check_one_of("the activation", self.activation, get_args(Nonlinearity))
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
        d, places = self.width, self.longest * (self.positions == "learned")
        attention, mlp = 4 * (d * d + d), 2 * d * self.hidden + self.hidden + d
        tables = self.vocabulary * (1 if self.tied else 2) + places + self.segments
        return tables * d + self.layers * (attention + mlp + 2 * 2 * d) + 2 * d

    @property
    def d_k(self) -> int:
        """The width of one head's queries, keys and values: d / n_h."""
        return self.width // self.heads
