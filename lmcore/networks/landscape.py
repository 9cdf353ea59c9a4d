"""The loss of a network on a plane through its parameters, to draw and to descend on.

    θ(a, b) = θ_center + a d₁ + b d₂        d₁, d₂ orthonormal

The directions are random, or the two along which a training run varied most: the leading principal
components of its states.

Source: Goodfellow et al. 2015; Li et al. 2018, "Visualizing the Loss Landscape of Neural Nets".
Variant: no filter normalisation, and components about the mean of the states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.dataframes import Trace
from lmcore.networks.network import NetworkConfig, forward, gradients, losses
from lmcore.networks.points import LabelledPoints, PointSet, draw_points

if TYPE_CHECKING:
    from pandas import DataFrame

ORTHONORMAL_TO = 1e-9
"""How far products of the directions may be from those of orthonormal ones."""


@dataclass(frozen=True, slots=True)
class LossPlane(Trace):
    """The training loss of a network, as a function of the coordinates (a, b) of a plane."""

    config: NetworkConfig
    data: LabelledPoints
    center: Float64[Tensor, " parameter"]
    """θ at a = b = 0."""
    directions: Float64[Tensor, "direction parameter"]
    """d₁ and d₂."""

    def __post_init__(self) -> None:
        """Raises ValueError naming what does not fit the network."""
        if len(self.center) != self.config.parameters:
            raise ValueError(
                f"the centre must be {self.config.parameters} numbers; got {len(self.center)}"
            )
        if self.directions.shape != (2, len(self.center)):
            raise ValueError(
                f"directions must be 2 rows of {len(self.center)} numbers; "
                f"got {tuple(self.directions.shape)}"
            )
        products = self.directions @ self.directions.T
        off = float((products - torch.eye(2, dtype=torch.float64)).abs().max())
        if not off <= ORTHONORMAL_TO:
            raise ValueError(
                f"directions must be orthonormal; got products that are off by {off:g}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates."""
        return ("a", "b")

    @property
    def examples(self) -> int:
        """0: every step on the plane reads all points."""
        return 0

    def parameters_at(self, coordinates: Float64[Tensor, "*run 2"]) -> Float64[Tensor, "*run p"]:
        """θ(a, b)."""
        return self.center + coordinates @ self.directions

    def losses(self, parameters: Float64[Tensor, "*run 2"]) -> Float64[Tensor, "*run"]:
        """L at each pair (a, b), in nats: the mean over the points that are not held out."""
        x, labels = self._training_points()
        trace = forward(self.config, self.parameters_at(parameters), x)
        return losses(self.config, trace, labels).mean(dim=-1)

    def gradients(
        self,
        parameters: Float64[Tensor, "*run 2"],
        weights: Float64[Tensor, "*run point"] | None = None,
    ) -> Float64[Tensor, "*run 2"]:
        """∂L/∂a and ∂L/∂b: the gradient at θ(a, b) along each direction; `weights` are not used."""
        x, labels = self._training_points()
        theta = self.parameters_at(parameters)
        trace = forward(self.config, theta, x)
        return gradients(self.config, theta, trace, labels) @ self.directions.T

    def project(self, rows: Float64[Tensor, "state parameter"]) -> Projection:
        """Parameters as coordinates of the nearest points of the plane, with their distances.

        Raises:
            ValueError: if the rows are not as long as the parameters of the network.
        """
        if rows.shape[-1] != len(self.center):
            raise ValueError(f"parameters must be {len(self.center)} numbers; got {rows.shape[-1]}")
        coordinates = (rows - self.center) @ self.directions.T
        return Projection(coordinates, (rows - self.parameters_at(coordinates)).norm(dim=-1))

    def _training_points(self) -> tuple[Tensor, Tensor]:
        kept = ~self.data.held_out
        return self.data.x[kept], self.data.labels[kept]


@dataclass(frozen=True, slots=True)
class Projection:
    """States of a run on a plane."""

    coordinates: Float64[Tensor, "state 2"]
    """(a, b)"""
    distance: Float64[Tensor, " state"]
    """The distance from the state to the plane."""

    def to_frame(self) -> DataFrame:
        """One row per state: a, b, distance."""
        a, b = self.coordinates.unbind(dim=-1)
        return dataframes.entries("step", {"a": a, "b": b, "distance": self.distance})


@dataclass(frozen=True, slots=True)
class PrincipalDirections(Trace):
    """The two orthonormal directions along which states vary most."""

    center: Float64[Tensor, " parameter"]
    """The mean of the states."""
    directions: Float64[Tensor, "direction parameter"]
    """The largest number of each is positive."""
    shares: Float64[Tensor, " direction"]
    """The share of the variance along each."""


def random_directions(parameters: int, seed: int) -> Float64[Tensor, "2 parameter"]:
    """Two random orthonormal directions.

    Raises:
        ValueError: if there are fewer than 2 parameters.
    """
    if parameters < 2:
        raise ValueError(f"the number of parameters must be at least 2; got {parameters}")
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(parameters, 2, generator=generator, dtype=torch.float64)
    basis: Tensor = torch.linalg.qr(drawn).Q
    return basis.T.contiguous()


def principal_directions(rows: Float64[Tensor, "state parameter"]) -> PrincipalDirections:
    """The two leading principal components of the states of a run, by singular values.

    Raises:
        ValueError: if there are fewer than 3 states, one is not finite, or all are equal.
    """
    if len(rows) < 3:
        raise ValueError(f"the states must be at least 3; got {len(rows)}")
    if not bool(rows.isfinite().all()):
        raise ValueError("the states must be finite; got one that is not")
    center = rows.mean(dim=0)
    _, values, vectors = torch.linalg.svd(rows - center, full_matrices=False)
    variance = values.square()
    if bool((rows == rows[0]).all()):
        raise ValueError(f"the states must differ; got {len(rows)} times the same")
    two = vectors[:2]
    signs = two.gather(-1, two.abs().argmax(dim=-1, keepdim=True)).sign()
    return PrincipalDirections(center, two * signs, variance[:2] / variance.sum())


def trajectory_plane(
    config: NetworkConfig, data: LabelledPoints, rows: Float64[Tensor, "state parameter"]
) -> LossPlane:
    """The plane that is nearest to the states of a training run, through their mean.

    Raises:
        ValueError: as `principal_directions`.
    """
    found = principal_directions(rows)
    return LossPlane(config, data, found.center, found.directions)


def xor_network() -> tuple[NetworkConfig, LabelledPoints]:
    """Two hidden tanh units and one σ unit, and the four corners of XOR."""
    return NetworkConfig((2,), ("tanh",)), draw_points(PointSet("XOR"))
