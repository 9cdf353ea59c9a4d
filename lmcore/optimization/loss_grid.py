"""The loss on a grid of two parameters, in one batched call, for a contour picture.

Any loss of two parameters will do: a regression, a surface, a plane through a network's parameters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.optimization.objective import Objective

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_SIDE = 200


@dataclass(frozen=True, slots=True)
class LossGrid:
    """L over a rectangle: `loss[i, j]` is L at `first[j]` and `second[i]`, both rising."""

    first: Float64[Tensor, " column"]
    """Values of the first parameter, along the columns."""
    second: Float64[Tensor, " row"]
    """Values of the second parameter, along the rows."""
    loss: Float64[Tensor, "row column"]
    names: tuple[str, str]

    def to_frame(self) -> DataFrame:
        """One row per entry: both parameters and L."""
        one, two = self.names
        return dataframes.entries(
            "row column", {one: self.first, two: self.second[:, None], "L": self.loss}
        )


def loss_grid(
    objective: Objective, center: tuple[float, float], reach: tuple[float, float], side: int = 60
) -> LossGrid:
    """L at side × side pairs of parameters, up to `reach` from `center` on both axes.

    Raises:
        ValueError: if the loss does not have two parameters, `side` is not 2 to `MOST_SIDE`,
            `center` is not finite, or `reach` is not above 0.
    """
    if len(objective.names) != 2:
        raise ValueError(f"the loss must have 2 parameters; got {len(objective.names)}")
    check_between("the side of the grid", side, 2, MOST_SIDE)
    axes = []
    for name, middle, half in zip(objective.names, center, reach, strict=True):
        if not math.isfinite(middle):
            raise ValueError(f"the centre of {name} must be a finite number; got {middle:g}")
        if not (math.isfinite(half) and half > 0):
            raise ValueError(f"the reach of {name} must be a number above 0; got {half:g}")
        axes.append(torch.linspace(middle - half, middle + half, side, dtype=torch.float64))
    second, first = torch.meshgrid(axes[1], axes[0], indexing="ij")
    loss = objective.losses(torch.stack([first, second], dim=-1))
    one, two = objective.names
    return LossGrid(axes[0], axes[1], loss, (one, two))
