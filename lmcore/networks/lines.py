"""What one layer can do at best, and what a stack of layers without a nonlinearity amounts to.

Source: CMU 11-411, "Two-Layer Network with scalar output"; Stony Brook CSE538, "Deep Learning".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import torch
from jaxtyping import Bool, Float64
from torch import Tensor

from lmcore.checks import check_between
from lmcore.dataframes import Trace
from lmcore.networks.network import Labels, NetworkConfig, Parameters, Points, forward, layers

MOST_SEARCHED = 60
"""Points among which the best line is searched for: it takes n³ steps."""
TILT = 1e-4
"""How far a line through two points is turned and moved."""


@dataclass(frozen=True, slots=True)
class BestLine(Trace):
    """A line w·x + b = 0 that puts as many points as possible on the side of their class."""

    weights: Float64[Tensor, " coordinate"]
    bias: Float64[Tensor, ""]
    right: Bool[Tensor, " point"]
    """Which points are on the side of their class."""
    tried: int
    """The lines that were compared."""


def best_line(x: Float64[Tensor, "point coordinate"], labels: Labels) -> BestLine:
    """The line with the fewest wrong points, found exactly, for points in general position.

    If no three points are on a line, each way in which a line can divide the points is also that of
    a line through two of them, turned and moved a little. All of these are compared, so none is
    better. The returned line divides the points in the best way with the widest margin.

    Raises:
        ValueError: if there are fewer than 2 points, or more than `MOST_SEARCHED`.
    """
    check_between("the number of points", len(x), 2, MOST_SEARCHED)
    weights, biases = _lines(x)
    above = weights @ x.T + biases[:, None] > 0
    best = above[int((above == (labels == 1)).sum(dim=-1).argmax())]
    w, b = _widest_line(x, best)
    return BestLine(w, b, (x @ w + b > 0) == (labels == 1), len(weights))


def _widest_line(
    x: Points, above: Bool[Tensor, " point"]
) -> tuple[Float64[Tensor, " coordinate"], Float64[Tensor, ""]]:
    """The line with the widest margin that has exactly these points above it.

    Its normal lies along the line through two points, or at right angles to one.
    """
    if not bool(above.any()) or bool(above.all()):
        sign = 1.0 if bool(above.any()) else -1.0
        return torch.tensor([0.0, 0.0], dtype=x.dtype), torch.tensor(sign, dtype=x.dtype)
    unit, normal, _ = _pairs(x)
    directions = torch.cat([unit, -unit, normal, -normal])
    along = directions @ x.T
    low, high = along[:, ~above].amax(dim=-1), along[:, above].amin(dim=-1)
    i = int((high - low).argmax())
    return directions[i], -(low[i] + high[i]) / 2


def _lines(x: Points) -> tuple[Float64[Tensor, "line coordinate"], Float64[Tensor, " line"]]:
    """Unit normals and offsets of all lines to compare, each in both directions."""
    unit, normal, middle = _pairs(x)
    weights, biases = [], []
    for turn, move in ((TILT, 0.0), (-TILT, 0.0), (0.0, TILT), (0.0, -TILT)):
        w = normal + turn * unit
        b = move - (w * middle).sum(dim=-1)
        weights += [w, -w]
        biases += [b, -b]
    return torch.cat(weights), torch.cat(biases)


def _pairs(x: Points) -> tuple[Tensor, Tensor, Tensor]:
    """For every two points: the direction from one to the other, its normal, their middle."""
    first, second = torch.tensor(list(combinations(range(len(x)), 2))).T
    along = x[second] - x[first]
    unit = along / along.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    return unit, torch.stack([-unit[:, 1], unit[:, 0]], dim=-1), (x[first] + x[second]) / 2


@dataclass(frozen=True, slots=True)
class Collapse(Trace):
    """A stack of layers without a nonlinearity, as the one layer that computes the same z."""

    weights: Float64[Tensor, "output input"]
    """W^[n] … W^[1]"""
    bias: Float64[Tensor, " output"]
    """W^[n] ( … (W^[2] b^[1] + b^[2]) … ) + b^[n]"""
    stacked: Float64[Tensor, "point output"]
    """z^[n] computed layer by layer."""
    single: Float64[Tensor, "point output"]
    """W x + b with the one W and the one b."""

    @property
    def difference(self) -> float:
        """The largest difference between the two."""
        return float((self.stacked - self.single).abs().max())


def collapse(config: NetworkConfig, parameters: Parameters, x: Points) -> Collapse:
    """Multiply the layers of a network out, as if every hidden layer had the identity."""
    linear = replace(config, activations=("identity",) * len(config.hidden))
    first, *rest = layers(linear, parameters)
    W, b = first
    for layer in rest:
        W, b = layer.weights @ W, layer.weights @ b + layer.bias
    stacked = forward(linear, parameters, x).pre_activations[-1]
    return Collapse(W, b, stacked, x @ W.T + b)
