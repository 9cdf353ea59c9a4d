"""Linear regression of up to 60 points: loss, gradient, closed form, and what η its Hessian allows.

    ŷ = Xβ = β₀ + β₁ x            L(β) = (1/n) ‖y − Xβ‖²
    ∂L/∂β = (2/n) Xᵀ(Xβ − y)      β* = (XᵀX)⁻¹ Xᵀy        H = (2/n) XᵀX

X has a column of ones and a column of x. Gradient descent with a fixed η multiplies the distance
from β* along an eigenvector of H by 1 − ηλ. It converges where that is within ±1 for every λ.

Source: Stony Brook CSE538, "Linear Regression" and "Numerical Gradient Approach". Variant: the mean
of the squares, so that η does not depend on n; Xβ where the slide writes βX.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_kind, check_row
from lmcore.dataframes import Trace

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_POINTS = 60
FARTHEST = 1e6
"""How far a coordinate of a point may lie from 0."""

Coefficients = Float64[Tensor, "*run 2"]
"""(β₀, β₁)"""


@dataclass(frozen=True, slots=True)
class LinearRegression:
    """The points of a regression; a loss over (β₀, β₁) that a run can descend on."""

    x: Float64[Tensor, " point"]
    y: Float64[Tensor, " point"]

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return ("β₀", "β₁")

    @property
    def examples(self) -> int:
        """The number of points n."""
        return len(self.x)

    @property
    def design(self) -> Float64[Tensor, "point 2"]:
        """X: a column of ones and a column of x."""
        return torch.stack([torch.ones_like(self.x), self.x], dim=-1)

    def predictions(self, parameters: Coefficients) -> Float64[Tensor, "*run point"]:
        """ŷ of every point."""
        return parameters[..., :1] + parameters[..., 1:] * self.x

    def losses(self, parameters: Coefficients) -> Float64[Tensor, "*run"]:
        """The mean squared error of each row of parameters."""
        return (self.predictions(parameters) - self.y).square().mean(dim=-1)

    def gradients(
        self, parameters: Coefficients, weights: Float64[Tensor, "*run point"] | None = None
    ) -> Coefficients:
        """∂L/∂β; `weights` of the points other than 1/n, as for a batch.

        Products and sums in place of a matrix product, which would start threads for so few points.
        """
        share = 1 / self.examples if weights is None else weights
        terms = 2 * share * (self.predictions(parameters) - self.y)
        return torch.stack([terms.sum(dim=-1), (terms * self.x).sum(dim=-1)], dim=-1)

    def to_frame(self) -> DataFrame:
        """One row per point."""
        return dataframes.entries("point", {"x": self.x, "y": self.y})


def regression_from_points(points: Sequence[tuple[float, float]]) -> LinearRegression:
    """The regression of points (x, y): pairs, or the rows of an array or of a data frame.

    Raises:
        ValueError: if these are not 1 to `MOST_POINTS` rows of two numbers, or one is not within
            ±`FARTHEST`.
    """
    check_row("points", points, "[(0, 1), (1, 2)]")
    check_between("the number of points", len(points), 1, MOST_POINTS)
    try:
        rows = torch.tensor(np.asarray(points, dtype=np.float64))
    except (TypeError, ValueError):
        raise ValueError(f"points must be rows (x, y) of numbers; got {points!r:.60}") from None
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise ValueError(f"points must be rows (x, y); got the shape {tuple(rows.shape)}")
    for number, (x, y) in enumerate(rows.tolist(), start=1):
        if not all(math.isfinite(v) and abs(v) <= FARTHEST for v in (x, y)):
            raise ValueError(f"point {number} must lie within ±{FARTHEST:,.0f}; got ({x:g}, {y:g})")
    return LinearRegression(rows[:, 0], rows[:, 1])


def draw_regression(
    count: int = 20, line: tuple[float, float] = (2.0, -1.0), noise: float = 0.3, seed: int = 0
) -> LinearRegression:
    """Points with x uniform in ±2 and y on a line (β₀, β₁), plus N(0, `noise`²).

    Raises:
        ValueError: if `count` is not 1 to `MOST_POINTS`, or `noise` is not a number from 0 on.
    """
    check_between("the number of points", count, 1, MOST_POINTS)
    if not (math.isfinite(noise) and noise >= 0):
        raise ValueError(f"noise must be a number from 0 on; got {noise:g}")
    generator = torch.Generator().manual_seed(seed)
    x = 4 * torch.rand(count, generator=generator, dtype=torch.float64) - 2
    drawn = torch.randn(count, generator=generator, dtype=torch.float64)
    return LinearRegression(x, line[0] + line[1] * x + noise * drawn)


@dataclass(frozen=True, slots=True)
class ClosedForm(Trace):
    """The normal equations XᵀX β = Xᵀy, and their solution."""

    gram: Float64[Tensor, "row column"]
    """XᵀX"""
    moments: Float64[Tensor, " row"]
    """Xᵀy"""
    inverse: Float64[Tensor, "row column"]
    """(XᵀX)⁻¹"""
    solution: Float64[Tensor, " row"]
    """β* = (β₀, β₁)"""
    loss: Float64[Tensor, ""]
    """L(β*), the minimum."""


def solve_regression(regression: LinearRegression) -> ClosedForm:
    """β* by the normal equations; the solution itself is computed from centred x and y.

    Centring is the same algebra, β₁ = Σ(x − x̄)(y − ȳ) / Σ(x − x̄)² and β₀ = ȳ − β₁ x̄, but loses
    fewer digits where x is far from 0.

    Raises:
        ValueError: if all x are equal.
    """
    check_kind("a regression", regression, LinearRegression, "such as regression_from_points gives")
    x, y, X = regression.x, regression.y, regression.design
    if bool((x == x[0]).all()):
        raise ValueError(
            "x must have at least two different values, else XᵀX has no inverse and no line is "
            f"the best; got x = {float(x[0]):g} for all of {len(x)} points"
        )
    away = x - x.mean()
    spread = away.square().sum()
    slope = (away * (y - y.mean())).sum() / spread
    solution = torch.stack([y.mean() - slope * x.mean(), slope])
    gram = X.T @ X
    diagonal = gram.diag()
    # A 2 × 2 inverse: the diagonal swapped, the other two negated, over the determinant.
    inverse = (diagonal.flip(0).diag() + diagonal.diag() - gram) / (len(x) * spread)
    return ClosedForm(gram, X.T @ y, inverse, solution, regression.losses(solution))


@dataclass(frozen=True, slots=True)
class Curvature(Trace):
    """The Hessian of L, which is the same at every β, and the learning rates it allows.

    Where all x are equal λ_min is 0 and κ is infinite: L does not change along one direction.
    """

    hessian: Float64[Tensor, "row column"]
    """(2/n) XᵀX"""
    eigenvalues: Float64[Tensor, " direction"]
    """λ_min, λ_max"""
    eigenvectors: Float64[Tensor, "direction row"]
    """The unit vector of each."""
    condition: Float64[Tensor, ""]
    """κ = λ_max / λ_min"""
    largest_rate: Float64[Tensor, ""]
    """η_max = 2 / λ_max: gradient descent converges below it and diverges above it."""
    best_rate: Float64[Tensor, ""]
    """2 / (λ_min + λ_max), the fixed η whose slowest direction is fastest; 1 / λ_max where λ_min is
    0, since then only one direction is curved."""

    def factors(self, rate: float) -> Float64[Tensor, " direction"]:
        """1 − ηλ: what one step multiplies the distance from β* by, along each eigenvector."""
        return 1 - rate * self.eigenvalues

    def contraction(self, rate: float) -> float:
        """max |1 − ηλ|: the largest factor by which a step changes the distance from β*."""
        return float(self.factors(rate).abs().max())


def trace_curvature(regression: LinearRegression) -> Curvature:
    """Hessian, eigenvalues, κ, and the largest and the best fixed η.

    λ_min is computed as det H / λ_max with det H = 4 Var(x), which is exact where it is small.
    """
    x, X = regression.x, regression.design
    hessian = 2 / len(x) * X.T @ X
    first, cross, second = hessian[0, 0], hessian[0, 1], hessian[1, 1]
    largest = (first + second + torch.hypot(first - second, 2 * cross)) / 2
    variance = torch.zeros_like(largest)
    if not bool((x == x[0]).all()):
        variance = (x - x.mean()).square().mean()
    smallest = 4 * variance / largest
    flat = bool(smallest == 0)
    return Curvature(
        hessian,
        torch.stack([smallest, largest]),
        torch.linalg.eigh(hessian).eigenvectors.T.contiguous(),
        largest / smallest,
        2 / largest,
        1 / largest if flat else 2 / (smallest + largest),
    )
