"""Cross-entropy of the next word, −log p of the correct one, as a loss to descend on.

    p = softmax(z)        L = −log p_y        ∂L/∂z = p − y, with y one-hot in the last place

The parameters here are the logits z themselves, the smallest language model there is: one step of
equation 8 can be read number by number.

Source: CMU 11-411, "Training a Feedforward LM: Backward Pass" and "More Detail on the Backward
Pass", equations 6 to 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import frames
from lmcore.checks import check_between

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_WORDS = 12


@dataclass(frozen=True, slots=True)
class NextWordLoss:
    """−log p of the correct next word as a function of the logits, one per word."""

    words: tuple[str, ...]
    correct: int
    """The index of the correct word."""

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_between("the number of words", len(self.words), 2, MOST_WORDS)
        check_between("the index of the correct word", self.correct, 0, len(self.words) - 1)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters: the logit of each word."""
        return tuple(f"z({word})" for word in self.words)

    @property
    def examples(self) -> int:
        """0: there is one word, and so no batch."""
        return 0

    def losses(self, parameters: Float64[Tensor, "*run parameter"]) -> Float64[Tensor, "*run"]:
        """−log p(correct), in nats."""
        return -parameters.log_softmax(dim=-1)[..., self.correct]

    def gradients(
        self,
        parameters: Float64[Tensor, "*run parameter"],
        weights: Float64[Tensor, "*run point"] | None = None,
    ) -> Float64[Tensor, "*run parameter"]:
        """p − y; there are no points for `weights` to weigh."""
        gradient = parameters.softmax(dim=-1)
        gradient[..., self.correct] -= 1
        return gradient


@dataclass(frozen=True, slots=True)
class CrossEntropyTrace:
    """The loss of one prediction, and its gradient."""

    words: tuple[str, ...]
    logits: Float64[Tensor, " word"]
    probabilities: Float64[Tensor, " word"]
    one_hot: Float64[Tensor, " word"]
    """y: 1 for the correct word."""
    gradient: Float64[Tensor, " word"]
    """∂L/∂z = p − y"""
    loss: Float64[Tensor, ""]
    """−log p(correct), in nats."""

    def to_frame(self) -> DataFrame:
        """One row per word: z, p, y, ∂L/∂z."""
        return frames.frame(
            {
                "word": self.words,
                "z": self.logits,
                "p": self.probabilities,
                "y": self.one_hot,
                "∂L/∂z": self.gradient,
            }
        )


def trace_cross_entropy(objective: NextWordLoss, logits: Sequence[float]) -> CrossEntropyTrace:
    """Probabilities, loss and gradient at given logits.

    Raises:
        ValueError: if there is not one finite logit per word.
    """
    z = torch.tensor(list(logits), dtype=torch.float64)
    if len(z) != len(objective.words) or not bool(z.isfinite().all()):
        raise ValueError(
            f"logits must be {len(objective.words)} finite numbers; got {list(logits)}"
        )
    one_hot = torch.zeros_like(z)
    one_hot[objective.correct] = 1
    return CrossEntropyTrace(
        objective.words, z, z.softmax(dim=-1), one_hot, objective.gradients(z), objective.losses(z)
    )
