"""The next word on a line of length 1: each word has a part as long as its probability.

    p_τ(w) ∝ p(w)^(1/τ)      a draw u selects the word in whose part it falls

The words are in order of falling probability, which no temperature changes.

Source: lecture "How to use an LM for Generation": random walk; Ackley et al. (1985), temperature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float, Float64, Int64
from torch import Tensor

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class WordLine:
    """The parts of the line at each pair of a temperature and a draw."""

    ranked: Int64[Tensor, " rank"]
    """All words, the most probable first."""
    probabilities: Float64[Tensor, "*position rank"]
    chosen: Int64[Tensor, "*position"]
    """The rank, from 0, of the word in whose part u falls."""

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per rank: token, and p at each position; for a line without positions, p.

        Tokens are ids, or words if the vocabulary is given.
        """
        rows = self.probabilities.reshape(-1, len(self.ranked))
        columns = {"p" if len(rows) == 1 else f"p {n}": row for n, row in enumerate(rows)}
        tokens = dataframes.token_names(self.ranked, vocabulary)
        return dataframes.frame({"token": tokens, **columns})


def word_line(
    scores: Float[Tensor, " vocabulary"],
    temperature: Float64[Tensor, "*position"],
    draw: Float64[Tensor, "*position"],
) -> WordLine:
    """The line of the next word with these scores, and the word at which each u falls.

    Raises:
        ValueError: if a temperature is not above 0, or a u not from 0 to 1.
    """
    if not bool((temperature > 0).all()):
        raise ValueError(f"a temperature must be above 0; got {float(temperature.min()):g}")
    if not bool(((draw >= 0) & (draw <= 1)).all()):
        raise ValueError(f"u must be from 0 to 1; got {draw.flatten().tolist()[:3]}")
    ranked = scores.argsort(descending=True, stable=True)
    p = (scores[ranked].double() / temperature[..., None]).softmax(dim=-1)
    ends = p.cumsum(dim=-1)
    # The last end is 1 up to rounding; scaled by it, u never lies behind the last word.
    wanted = (draw * ends[..., -1])[..., None]
    chosen = torch.searchsorted(ends, wanted, right=True).clamp(max=len(ranked) - 1)[..., 0]
    return WordLine(ranked, p, chosen)
