"""Masked language modelling's corruption of a text: some tokens are chosen, to be found again.

Of the chosen, most become [MASK], some another token at random, some stay as they are: the model
cannot know which words it is asked for, and so must know them all. Only the chosen have a loss.

Source: Devlin et al. 2019, section 3.1 and appendix A.1: 15 % chosen; 80, 10 and 10 % of them.
Variant: the random token is drawn uniformly, as in BERT's code.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

NOT_CHOSEN = -100
"""The target where no loss is taken."""


@dataclass(frozen=True, slots=True)
class Rates:
    """The share of tokens chosen, and the shares of those replaced by [MASK] and at random."""

    chosen: float = 0.15
    masked: float = 0.8
    random: float = 0.1

    def __post_init__(self) -> None:
        """Raises ValueError if they are no shares."""
        for name in ("chosen", "masked", "random"):
            share = getattr(self, name)
            if not (math.isfinite(share) and 0 <= share <= 1):
                raise ValueError(f"the share {name} must be from 0 to 1; got {share:g}")
        if self.masked + self.random > 1 + 1e-9:
            raise ValueError(
                f"masked and random must be at most 1 together; got {self.masked + self.random:g}"
            )


@dataclass(frozen=True, slots=True)
class CorruptionTrace:
    """Every quantity, in the order it is computed."""

    chosen: Bool[Tensor, "batch time"]
    masked: Bool[Tensor, "batch time"]
    random: Bool[Tensor, "batch time"]
    targets: Int[Tensor, "batch time"]
    """The token that stood there where it was chosen, else `NOT_CHOSEN`."""
    corrupted: Int[Tensor, "batch time"]


def corrupt(
    tokens: Int[Tensor, "batch time"],
    may: Bool[Tensor, "batch time"],
    rates: Rates,
    generator: torch.Generator,
    *,
    mask: int,
    types: int,
) -> CorruptionTrace:
    """Corrupt the tokens that `may` be chosen; at random means one of the first `types` ids.

    In a row where chance chooses none, the likeliest is chosen, if there is one.
    """
    chance = torch.rand(tokens.shape, generator=generator).masked_fill(~may, 2)
    least = chance == chance.min(dim=-1, keepdim=True).values
    chosen = may & ((chance < rates.chosen) | (least & (rates.chosen > 0)))
    way = torch.rand(tokens.shape, generator=generator)
    masked = chosen & (way < rates.masked)
    random = chosen & ~masked & (way < rates.masked + rates.random)
    drawn = torch.randint(types, tokens.shape, generator=generator)
    corrupted = torch.where(random, drawn, tokens.masked_fill(masked, mask))
    targets = tokens.masked_fill(~chosen, NOT_CHOSEN)
    return CorruptionTrace(chosen, masked, random, targets, corrupted)
