"""Cross-entropy of the next word, −log p of the correct one, as a loss to descend on.

    p = softmax(z)        L = −log p_y        ∂L/∂z = p − y, with y one-hot in the last place

The parameters here are the logits z themselves, the smallest language model there is: one step of
equation 8 can be read number by number.

Source: CMU 11-411, "Training a Feedforward LM: Backward Pass" and "More Detail on the Backward
Pass", equations 6 to 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxtyping import Float64
from torch import Tensor

from lmcore.checks import check_between

if TYPE_CHECKING:
    pass

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
