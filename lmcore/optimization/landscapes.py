"""Surfaces of two parameters that are not convex: a saddle, and the plateau of a saturated unit.

    saddle     L(x, y) = x² − y² + y⁴ / 4         minima at (0, ±√2) with L = −1
    plateau    L(w, b) = mean (σ(wx + b) − y)²    flat where σ is near 0 or 1
    the same   L(w, b) = mean −log p(y)           cross-entropy, whose slope does not vanish there

Each has its gradient written out, and can be raced on and drawn like a regression. The surface of
a whole network is in `lmcore.networks.landscape`.

Source: Dauphin et al. 2014 (saddles); Glorot & Bengio 2010 (saturated units).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float64
from torch import Tensor

from lmcore.checks import check_one_of
from lmcore.optimization.objective import Objective

Pairs = Float64[Tensor, "*run 2"]
UNIT_LOSSES = ("squared error", "cross-entropy")


@dataclass(frozen=True, slots=True)
class Saddle:
    """x² − y² + q y⁴: a saddle at 0, and two minima at y = ±√(1 / 2q)."""

    quartic: float = 0.25
    """q, which keeps L from falling without end."""

    def __post_init__(self) -> None:
        """Raises ValueError if the quartic is not above 0."""
        if not 0 < self.quartic < float("inf"):
            raise ValueError(f"the quartic must be a number above 0; got {self.quartic:g}")

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return ("x", "y")

    @property
    def examples(self) -> int:
        """0: the surface is not a mean over points."""
        return 0

    def losses(self, parameters: Pairs) -> Float64[Tensor, "*run"]:
        """The height at each pair."""
        x2, y2 = parameters.square().unbind(dim=-1)
        return x2 - y2 + self.quartic * y2.square()

    def gradients(
        self, parameters: Pairs, weights: Float64[Tensor, "*run point"] | None = None
    ) -> Pairs:
        """(2x, −2y + 4q y³); there are no points for `weights` to weigh."""
        x, y = parameters.unbind(dim=-1)
        return torch.stack([2 * x, 4 * self.quartic * y**3 - 2 * y], dim=-1)


@dataclass(frozen=True, slots=True)
class SigmoidUnit:
    """The loss of one unit σ(wx + b) over some points, as a function of (w, b)."""

    loss: str = "squared error"
    x: tuple[float, ...] = (-1.0, 1.0)
    y: tuple[float, ...] = (0.0, 1.0)
    """The label of each point, 0 or 1."""

    def __post_init__(self) -> None:
        """Raises ValueError naming what is not allowed."""
        check_one_of("the loss", self.loss, UNIT_LOSSES)
        if not self.x or len(self.x) != len(self.y):
            raise ValueError(
                f"x and y must be one number per point; got {len(self.x)} and {len(self.y)}"
            )
        for number, label in enumerate(self.y, start=1):
            if label not in (0, 1):
                raise ValueError(f"the label of point {number} must be 0 or 1; got {label:g}")

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return ("w", "b")

    @property
    def examples(self) -> int:
        """The number of points."""
        return len(self.x)

    def losses(self, parameters: Pairs) -> Float64[Tensor, "*run"]:
        """The mean loss over the points; cross-entropy in nats."""
        z, y = self._pre_activations(parameters)
        if self.loss == "squared error":
            return (z.sigmoid() - y).square().mean(dim=-1)
        return F.softplus(torch.where(y == 1, -z, z)).mean(dim=-1)

    def gradients(
        self, parameters: Pairs, weights: Float64[Tensor, "*run point"] | None = None
    ) -> Pairs:
        """∂L/∂w and ∂L/∂b; `weights` of the points other than 1/n, as for a batch."""
        z, y = self._pre_activations(parameters)
        output = z.sigmoid()
        delta = output - y
        if self.loss == "squared error":
            delta = 2 * delta * output * (-z).sigmoid()
        delta = delta * (1 / self.examples if weights is None else weights)
        x = torch.tensor(self.x, dtype=torch.float64)
        return torch.stack([(delta * x).sum(dim=-1), delta.sum(dim=-1)], dim=-1)

    def _pre_activations(self, parameters: Pairs) -> tuple[Tensor, Tensor]:
        """z = wx + b of every point, and its y."""
        x = torch.tensor(self.x, dtype=torch.float64)
        z = parameters[..., :1] * x + parameters[..., 1:]
        return z, torch.tensor(self.y, dtype=torch.float64)


class Landscape(NamedTuple):
    """A surface, the rectangle to draw of it, and where runs start."""

    objective: Objective
    center: tuple[float, float]
    reach: tuple[float, float]
    start: tuple[float, float]


LANDSCAPES: dict[str, Landscape] = {
    "saddle": Landscape(Saddle(), (0.0, 0.0), (2.5, 2.5), (2.0, 0.001)),
    "plateau": Landscape(SigmoidUnit(), (0.0, 0.0), (10.0, 10.0), (-6.0, 1.0)),
    "plateau, cross-entropy": Landscape(
        SigmoidUnit("cross-entropy"), (0.0, 0.0), (10.0, 10.0), (-6.0, 1.0)
    ),
}


def landscape(name: str) -> Landscape:
    """The surface of that name.

    Raises:
        ValueError: if there is none.
    """
    check_one_of("the surface", name, LANDSCAPES)
    return LANDSCAPES[name]
