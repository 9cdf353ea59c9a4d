"""BERT's corruption of a text for masked language modelling: some tokens are chosen as targets.

Most chosen tokens become [MASK], some a random token, some stay: the model cannot tell which words
are targets, and so must represent all of them. Only the chosen ones have a loss.

Each position has two uniform numbers, drawn once: the first decides whether it is chosen, the
second what it becomes. A share is a threshold on them, so another share needs no new draw.

Source: Devlin et al. 2019, section 3.1 and appendix A.1: 15 % chosen; 80, 10 and 10 % of them.
Variant: the random token is drawn uniformly, as in BERT's code; or, as Jurafsky and Martin write
(Speech and Language Processing, "Masked Language Modeling"), by how often each type occurs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Bool, Float32, Float64, Int
from torch import Tensor

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

NOT_CHOSEN = -100
"""The target of a position without a loss."""
UNTOUCHED, MASKED, RANDOM, KEPT = range(4)
"""The outcome at a position; the last three are chosen."""
ROUNDING = 1e-9
"""By how much the sum of two shares may exceed 1."""


@dataclass(frozen=True, slots=True)
class Rates:
    """The share of tokens chosen, and the shares of those replaced by [MASK] and at random."""

    chosen: float = 0.15
    masked: float = 0.8
    random: float = 0.1

    def __post_init__(self) -> None:
        """Raises ValueError if a share, or the sum of masked and random, is not from 0 to 1."""
        for name in ("chosen", "masked", "random"):
            share = getattr(self, name)
            if not (math.isfinite(share) and 0 <= share <= 1):
                raise ValueError(f"the share {name} must be from 0 to 1; got {share:g}")
        if self.masked + self.random > 1 + ROUNDING:
            raise ValueError(
                f"masked and random must be at most 1 together; got {self.masked + self.random:g}"
            )

    @property
    def kept(self) -> float:
        """The share of the chosen tokens that stay unchanged."""
        return max(1 - self.masked - self.random, 0.0)


@dataclass(frozen=True, slots=True)
class CorruptionDraws:
    """The random numbers of a corruption, the same for all shares."""

    chance: Float32[Tensor, "batch time"]
    """Below the chosen share: the position is chosen."""
    way: Float32[Tensor, "batch time"]
    """Below the masked share: [MASK]; below masked plus random: a random token; else kept."""
    drawn: Int[Tensor, "batch time"]
    """The token that a random replacement puts there."""

    def repeated(self, rows: int) -> CorruptionDraws:
        """The draws of one text repeated for `rows` rows, to apply as many shares.

        Raises:
            ValueError: if the draws are of several texts.
        """
        if len(self.chance) != 1:
            raise ValueError(f"the draws must be those of 1 text; got {len(self.chance)}")
        return CorruptionDraws(
            *(each.expand(rows, -1) for each in (self.chance, self.way, self.drawn))
        )


@dataclass(frozen=True, slots=True)
class CorruptionTrace:
    """Every quantity, in the order it is computed."""

    chosen: Bool[Tensor, "batch time"]
    masked: Bool[Tensor, "batch time"]
    random: Bool[Tensor, "batch time"]
    targets: Int[Tensor, "batch time"]
    """The original token where it was chosen, else `NOT_CHOSEN`."""
    corrupted: Int[Tensor, "batch time"]

    @property
    def outcomes(self) -> Int[Tensor, "batch time"]:
        """`UNTOUCHED`, `MASKED`, `RANDOM` or `KEPT` at each position."""
        result = torch.where(self.chosen, KEPT, UNTOUCHED)
        return result.masked_fill(self.random, RANDOM).masked_fill(self.masked, MASKED)

    def to_frame(self) -> DataFrame:
        """One row per position: batch, time, chosen, [MASK], random, target, corrupted (ids)."""
        columns = {
            "chosen": self.chosen,
            "[MASK]": self.masked,
            "random": self.random,
            "target": self.targets,
            "corrupted": self.corrupted,
        }
        return dataframes.entries("batch time", columns)


def corrupt(
    tokens: Int[Tensor, "batch time"],
    maskable: Bool[Tensor, "batch time"],
    rates: Rates,
    generator: torch.Generator,
    *,
    mask: int,
    types: int,
) -> CorruptionTrace:
    """Corrupt the `maskable` tokens; at random means one of the first `types` ids.

    In a row where no token would be chosen, the maskable one with the smallest number is chosen.
    """
    return apply_draws(
        tokens, maskable, [rates], draw_corruption(tokens, types, generator), mask=mask
    )


def draw_corruption(
    tokens: Int[Tensor, "batch time"],
    types: int,
    generator: torch.Generator,
    counts: Float64[Tensor, " type"] | None = None,
) -> CorruptionDraws:
    """Two uniform numbers and a random token for every position.

    The token is one of the first `types` ids, uniformly, or in proportion to `counts`.

    Raises:
        ValueError: if there is not a count of 0 or more for each type, or all are 0.
    """
    if counts is not None and (
        counts.shape != (types,) or not bool((counts >= 0).all()) or not bool(counts.sum() > 0)
    ):
        raise ValueError(
            f"the counts must be {types} numbers of 0 or more, not all 0; got {len(counts)}"
        )
    chance = torch.rand(tokens.shape, generator=generator)
    way = torch.rand(tokens.shape, generator=generator)
    if counts is None:
        drawn = torch.randint(types, tokens.shape, generator=generator)
    else:
        flat = torch.multinomial(counts, tokens.numel(), replacement=True, generator=generator)
        drawn = flat.view(tokens.shape)
    return CorruptionDraws(chance, way, drawn)


def apply_draws(
    tokens: Int[Tensor, "batch time"],
    maskable: Bool[Tensor, "batch time"],
    rates: Sequence[Rates],
    draws: CorruptionDraws,
    *,
    mask: int,
    at_least_one: bool = True,
) -> CorruptionTrace:
    """The corruption that the draws give under these shares: one for all rows, or one per row.

    With `at_least_one`, in a row where no token would be chosen, the one with the smallest number
    is chosen.
    """
    shares = [(each.chosen, each.masked, each.masked + each.random) for each in rates]
    share, first, second = torch.tensor(shares).float()[:, :, None].unbind(dim=1)
    chance = draws.chance.masked_fill(~maskable, 2)
    below = chance < share
    if at_least_one:
        least = chance == chance.min(dim=-1, keepdim=True).values
        below = below | (least & (share > 0))
    chosen = maskable & below
    masked = chosen & (draws.way < first)
    random = chosen & ~masked & (draws.way < second)
    return _trace(tokens, masked, random, chosen, draws.drawn, mask)


def apply_outcomes(
    tokens: Int[Tensor, "batch time"],
    outcomes: Int[Tensor, "batch time"],
    replaced: Int[Tensor, "batch time"],
    *,
    mask: int,
) -> CorruptionTrace:
    """A corruption from the outcome at each position, and the tokens where it is `RANDOM`."""
    masked, random = outcomes == MASKED, outcomes == RANDOM
    return _trace(tokens, masked, random, outcomes != UNTOUCHED, replaced, mask)


def _trace(
    tokens: Int[Tensor, "batch time"],
    masked: Bool[Tensor, "batch time"],
    random: Bool[Tensor, "batch time"],
    chosen: Bool[Tensor, "batch time"],
    drawn: Int[Tensor, "batch time"],
    mask: int,
) -> CorruptionTrace:
    corrupted = torch.where(random, drawn, tokens.masked_fill(masked, mask))
    targets = tokens.masked_fill(~chosen, NOT_CHOSEN)
    return CorruptionTrace(chosen, masked, random, targets, corrupted)
