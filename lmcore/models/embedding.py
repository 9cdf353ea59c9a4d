"""The input embedding of a Transformer: token row plus position row plus segment row.

    x_t = E[x_t] + P[t] + S[segment_t]

P is learned, or the sinusoids of `positions.py`, or left out.

Source: Vaswani et al. 2017, section 3.5 (which multiplies E[x_t] by √d: `scale`);
Devlin et al. 2019, figure 2 (segments).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore.dataframes import Trace
from lmcore.models.positions import sinusoids
from lmcore.models.transformer_config import TransformerConfig


@dataclass(frozen=True, slots=True)
class EmbeddingTrace(Trace):
    """Every quantity, in the order it is computed."""

    token: Float[Tensor, "batch time width"]
    position: Float[Tensor, "batch time width"] | None
    segment: Float[Tensor, "batch time width"] | None
    output: Float[Tensor, "batch time width"]
    """Their sum."""


class Embedding(nn.Module):
    """E, and where the model has them P and S."""

    def __init__(self, config: TransformerConfig, *, scale: float = 1.0) -> None:
        super().__init__()
        self.config, self.scale = config, scale
        self.token = empty_embedding(config.vocabulary, config.width)
        if config.positions == "learned":
            self.position = empty_embedding(config.longest, config.width)
        if config.segments:
            self.segment = empty_embedding(config.segments, config.width)

    def forward(
        self,
        tokens: Int[Tensor, "batch time"],
        places: Int[Tensor, "*batch time"] | None = None,
        segments: Int[Tensor, "batch time"] | None = None,
    ) -> EmbeddingTrace:
        """The sum; `places` are 0, 1, 2, … and `segments` 0 unless they are given.

        Raises:
            ValueError: if there is no token, or a token, position or segment is out of range.
        """
        config = self.config
        if not tokens.numel():
            raise ValueError(
                "a text must have at least one token for a network to read; "
                f"got a batch of shape {tuple(tokens.shape)}"
            )
        _known("a token", tokens, config.vocabulary)
        token = self.token(tokens) * self.scale
        position = segment = None
        if config.positions != "none":
            places = (
                torch.arange(tokens.shape[1], device=tokens.device) if places is None else places
            )
            _known("a place", places, config.longest)
            position = self.positions(places).expand_as(token)
        if config.segments:
            segments = torch.zeros_like(tokens) if segments is None else segments
            _known("a segment", segments, config.segments)
            segment = self.segment(segments)
        output = token
        for part in (position, segment):
            output = output if part is None else output + part
        return EmbeddingTrace(token, position, segment, output)

    def positions(self, places: Int[Tensor, "*batch time"]) -> Float[Tensor, "*batch time width"]:
        """P, or PE, of each place."""
        if self.config.positions == "learned":
            learned: Tensor = self.position(places)
            return learned
        return sinusoids(places, self.config.width).to(self.token.weight.dtype)


def empty_embedding(rows: int, width: int) -> nn.Embedding:
    """A table without values, on the device "meta".

    Without `_weight`, torch would initialise it, and import 800 modules to do so there.
    """
    return nn.Embedding(rows, width, _weight=torch.empty(rows, width, device="meta"))


def _known(name: str, ids: Int[Tensor, "*shape"], count: int) -> None:
    wrong = ids[(ids < 0) | (ids >= count)]
    if wrong.numel():
        raise ValueError(f"{name} must be from 0 to {count - 1}; got {int(wrong[0])}")
