"""The interface of every language model: the next-token distribution after each prefix.

The scorer, the sampler and the comparison with the grammar use `log_probabilities` alone; n-gram
tables, networks and the grammar itself implement it.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from jaxtyping import Float, Int
from torch import Tensor

from lmcore.vocabulary import Vocabulary


@runtime_checkable
class LanguageModel(Protocol):
    """p(next token | the tokens so far)."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The types it gives probabilities to."""

    def log_probabilities(self, tokens: Int[Tensor, " time"]) -> Float[Tensor, "time vocabulary"]:
        """Row t holds log p(x_{t+1} = · | x_1 … x_t), in nats; `-inf` where it is impossible.

        `tokens` begins with `<s>` where the vocabulary has it, so that row 1 is the distribution
        of the first word. The last row is the next-token distribution after the whole prefix.
        """
