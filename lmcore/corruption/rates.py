"""Many corruptions of one text: the shares chosen, masked, replaced and kept, with standard errors.

    error = s / √n,  s the standard deviation over draws of a draw's share, n the number of draws

Shares are averaged within a draw first, as the positions of one draw are not independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.corruption.corruption import (
    KEPT,
    MASKED,
    RANDOM,
    UNTOUCHED,
    CorruptionDraws,
    Rates,
    apply_draws,
)
from lmcore.corruption.draws import CorruptionConfig, draw_for_text
from lmcore.corruption.text import CorruptText

if TYPE_CHECKING:
    from pandas import DataFrame

DRAWS = 10_000
OF_SPANS = 500
"""Draws with spans: fewer, as they are drawn one text after another."""
NAMES = ("chosen", "[MASK]", "random", "kept")


@dataclass(frozen=True, slots=True)
class RepeatedDrawsTrace:
    """Every quantity, in the order it is computed; the shares are those of `NAMES`."""

    shares: Float64[Tensor, "draw outcome"]
    """Shares of the positions that may be chosen."""
    mean: Float64[Tensor, " outcome"]
    error: Float64[Tensor, " outcome"]
    drawn: Int[Tensor, " type"]
    """How often each type was a random replacement."""

    def to_frame(self) -> DataFrame:
        """One row per outcome: outcome, mean share, its standard error."""
        return dataframes.frame({"outcome": NAMES, "mean": self.mean, "error": self.error})


class PredictedCounts(NamedTuple):
    """How many tokens of a batch have a loss, masked and causal: the cost of bidirectionality."""

    tokens: int
    causal: int
    masked: float


def repeat_draws(
    text: CorruptText, config: CorruptionConfig, draws: int = DRAWS
) -> RepeatedDrawsTrace:
    """Corrupt one text `draws` times with one generator.

    Raises:
        ValueError: if there are fewer than 2 draws, or as `draws.draw_for_text`.
    """
    if draws < 2:
        raise ValueError(f"there must be 2 draws or more, to tell how sure they are; got {draws}")
    generator = torch.Generator().manual_seed(config.seed)
    ids, maskable = (each.expand(draws, -1) for each in (text.ids, text.maskable))
    if config.unit == "span":
        texts = [draw_for_text(text, config, generator).draws for _ in range(draws)]
        parts = (
            [each.chance for each in texts],
            [each.way for each in texts],
            [each.drawn for each in texts],
        )
        drawn = CorruptionDraws(*map(torch.cat, parts))
    else:
        drawn = draw_for_text(text, config, generator, rows=draws).draws
    least = config.at_least_one
    trace = apply_draws(ids, maskable, [config.rates], drawn, mask=text.mask, at_least_one=least)
    outcomes = trace.outcomes[:, text.maskable[0]]
    chosen = (outcomes != UNTOUCHED).double().mean(dim=1)
    ways = [(outcomes == outcome).double().mean(dim=1) for outcome in (MASKED, RANDOM, KEPT)]
    shares = torch.stack([chosen, *ways], dim=1)
    counted = trace.corrupted[trace.random].bincount(minlength=len(text.stock.types))
    return RepeatedDrawsTrace(shares, shares.mean(dim=0), shares.std(dim=0) / draws**0.5, counted)


def expected_shares(
    text: CorruptText, config: CorruptionConfig
) -> Float64[Tensor, " outcome"] | None:
    """The expected shares; for spans there is no short formula.

    chosen = p + [at least one] (1 − p)^w / w,   w words, or tokens
    """
    if config.unit == "span":
        return None
    rates, count = config.rates, len(text.words if config.unit == "word" else text.open_places)
    none = (1 - rates.chosen) ** count if config.at_least_one and rates.chosen > 0 else 0.0
    return shares(rates, rates.chosen + none / count)


def shares(rates: Rates, chosen: float) -> Float64[Tensor, " outcome"]:
    """Chosen, masked, random and kept, of all tokens: 0.15, 0.12, 0.015, 0.015 in BERT."""
    parts = torch.tensor([1.0, rates.masked, rates.random, rates.kept], dtype=torch.float64)
    return chosen * parts


def predicted_counts(rates: Rates, texts: int, length: int) -> PredictedCounts:
    """The tokens of a batch with a loss; in a causal model all but each text's first.

    Raises:
        ValueError: if there is no text, or less than 2 tokens in one.
    """
    if texts < 1 or length < 2:
        raise ValueError(f"a batch must have 1 text of 2 tokens or more; got {texts} of {length}")
    return PredictedCounts(texts * length, texts * (length - 1), texts * length * rates.chosen)
