"""What a loss must offer so that it can be descended on and drawn: values and gradients, by rows.

Regressions, surfaces, the loss of one next word and planes through a network's parameters do.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from jaxtyping import Float64
from torch import Tensor


@runtime_checkable
class Objective(Protocol):
    """A loss of some parameters, and its gradient, for many rows of parameters at once."""

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each parameter."""

    @property
    def examples(self) -> int:
        """The number of points that the loss is a mean over; 0 where it is not a mean."""

    def losses(self, parameters: Float64[Tensor, "*run parameter"]) -> Float64[Tensor, "*run"]:
        """L of each row."""

    def gradients(
        self,
        parameters: Float64[Tensor, "*run parameter"],
        weights: Float64[Tensor, "*run point"] | None = None,
    ) -> Float64[Tensor, "*run parameter"]:
        """∂L/∂θ of each row; `weights` of the points, None for the mean over all."""
