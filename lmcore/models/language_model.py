"""What every language model answers: how probable is each next token, after each prefix.

One question, `log_probabilities`, serves the sentence scorer, the sampler and the comparison with
the truth; an n-gram table, a network and the grammar itself all answer it.
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
