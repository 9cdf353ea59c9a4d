"""Vanishing and exploding gradients over time: a plain recurrent network and an LSTM.

    z_t = W_h h_{t−1} + x_t,  h_t = g(z_t)          plain network
    ∂h_T/∂h_k = Π_{t=k+1…T} diag(g′(z_t)) W_h
    ∂c_T/∂c_k = Π_{t=k+1…T} diag(f_t)               LSTM, along its cell alone
    gain(J) = ‖J‖_F / √width                        root mean square over all directions

A gain of 0.01 means that 1 % of a small change at k, in a random direction, survives until T.
Gradients go back along the same paths and shrink or grow as much. Weights and inputs are random, in
float64, and untrained.

Source: CMU 11-411, "Disadvantages of RNN LMs"; Pascanu, Mikolov & Bengio 2013, section 2; lecture
"LSTMs".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_one_of
from lmcore.recurrence.through_time import spectral_radius

if TYPE_CHECKING:
    from pandas import DataFrame

WIDTH = 32
STEPS = 50
LARGEST_RADIUS = 2.0
POSITIONS = torch.tensor([[LARGEST_RADIUS], [1.0]], dtype=torch.float64) * torch.linspace(
    0, 1, 41, dtype=torch.float64
)
"""The positions of the two sliders, ρ and f."""
REFERENCES = ((0.9, 50), (1.1, 50), (0.25, 10))
"""Factor per step, number of steps; ¼ is the largest derivative of the sigmoid."""

NONLINEARITIES = ("tanh", "identity")


@dataclass(frozen=True, slots=True)
class VanishingSpec:
    """ρ(W_h) and g of the plain network, f and i of the LSTM, the scale of x, and the seed."""

    radius: float
    forget: float
    inputs: float = 0.1
    g: str = "tanh"
    seed: int = 0
    write: float | None = None
    """The value at which the input gate is held; None: as the LSTM computes it from h and x."""

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_one_of("the nonlinearity g", self.g, NONLINEARITIES)
        limits = {
            "the spectral radius ρ": (self.radius, LARGEST_RADIUS),
            "the forget gate f": (self.forget, 1.0),
            "the size of the inputs": (self.inputs, 10.0),
            "the input gate i": (self.write or 0.0, 1.0),
        }
        for name, (value, most) in limits.items():
            if not 0 <= value <= most:
                raise ValueError(f"{name} must be from 0 to {most:g}; got {value:g}")
        if not 0 <= self.seed < 1_000_000:
            raise ValueError(f"the seed must be from 0 to 999,999; got {self.seed}")


class Gains(NamedTuple):
    """The gains over 0 … `STEPS` steps; `position` is any number of axes."""

    plain: Float[Tensor, "*position steps_back"]
    """The gain of h in the plain network."""
    power: Float[Tensor, "*position steps_back"]
    """ρⁿ, the long-run gain of the plain network if g is the identity."""
    along_cell: Float[Tensor, "*position steps_back"]
    """The gain of c in the LSTM, along the cell alone: fⁿ."""
    all_paths: Float[Tensor, "*position steps_back"]
    """The gain of c in the LSTM, along all paths, including those through h and the gates."""

    def by_name(self) -> dict[str, Tensor]:
        """Each number under its curve's name and its steps back: plain0, plain1 and so on."""
        return {
            f"{name}{n}": values[..., n]
            for name, values in self._asdict().items()
            for n in range(values.shape[-1])
        }

    def to_frame(self) -> DataFrame:
        """One row per number of steps: steps back, plain, ρⁿ, fⁿ, all paths; settings in front."""
        columns = {
            "plain": self.plain,
            "ρⁿ": self.power,
            "fⁿ": self.along_cell,
            "all paths": self.all_paths,
        }
        return dataframes.entries("*position steps_back", columns)


class DrawnWeights(NamedTuple):
    """The weights and inputs of a seed."""

    W_h: Float[Tensor, "hidden hidden"]
    """W_h of the plain network, with ρ(W_h) = 1."""
    gates: Float[Tensor, "gate hidden hidden"]
    """The LSTM's weights from h to i, c̃ and o; its forget gate is held."""
    inputs: Float[Tensor, "time use hidden"]
    """x_t for the plain network and for i, c̃ and o."""


def draw(spec: VanishingSpec) -> DrawnWeights:
    """Weights from N(0, 1/width), inputs from N(0, spec.inputs²)."""
    generator = torch.Generator().manual_seed(spec.seed)
    weights = torch.randn(4, WIDTH, WIDTH, generator=generator, dtype=torch.float64)
    weights /= math.sqrt(WIDTH)
    inputs = torch.randn(STEPS, 4, WIDTH, generator=generator, dtype=torch.float64)
    return DrawnWeights(weights[0] / spectral_radius(weights[0]), weights[1:], spec.inputs * inputs)


def gains(spec: VanishingSpec) -> Gains:
    """The four curves of one setting."""
    radius, forget = (torch.tensor([x], dtype=torch.float64) for x in (spec.radius, spec.forget))
    one_position = curves(spec, radius, forget)
    return Gains(*(curve[0] for curve in one_position))


def curves(
    spec: VanishingSpec, radii: Float[Tensor, " position"], forgets: Float[Tensor, " position"]
) -> Gains:
    """The curves at many ρ and f, which replace those of `spec`."""
    drawn, back = draw(spec), torch.arange(STEPS + 1, dtype=torch.float64)
    return Gains(
        plain_gains(drawn, radii, g=spec.g),
        radii[:, None] ** back,
        forgets[:, None] ** back,
        cell_gains(drawn, forgets, spec.write),
    )


def gains_at_positions(spec: VanishingSpec) -> Gains:
    """The curves at all `POSITIONS`; of `spec`, ρ and f do not matter."""
    return curves(spec, POSITIONS[0], POSITIONS[1])


def by_control(now: Gains, moved: Gains) -> Gains:
    """`moved` with a leading axis of two sliders, ρ and f: while one moves, the other stays.

    `now` holds the curves of the current setting.
    """
    plain, power, along, every = (
        still.expand_as(curve) for still, curve in zip(now, moved, strict=True)
    )
    return Gains(
        torch.stack([moved.plain, plain]),
        torch.stack([moved.power, power]),
        torch.stack([along, moved.along_cell]),
        torch.stack([every, moved.all_paths]),
    )


def gain(J: Float[Tensor, "position hidden width"]) -> Float[Tensor, " position"]:
    """‖J‖_F / √width: 1 for a rotation, a for a rotation times a."""
    size: Tensor = torch.linalg.matrix_norm(J) / math.sqrt(J.shape[-1])
    return size


def plain_gains(
    drawn: DrawnWeights, radii: Float[Tensor, " position"], *, g: str = "tanh"
) -> Float[Tensor, "position steps_back"]:
    """gain(∂h_T/∂h_k) for T − k = 0 … `STEPS`, with W_h scaled to each of `radii`."""
    W_h = radii[:, None, None] * drawn.W_h
    h = W_h.new_zeros(len(radii), WIDTH)
    slopes = []
    for x in drawn.inputs[:, 0]:
        z = torch.einsum("pij,pj->pi", W_h, h) + x
        h = torch.tanh(z) if g == "tanh" else z
        slopes.append(1 - h.square() if g == "tanh" else torch.ones_like(h))
    J = torch.eye(WIDTH, dtype=W_h.dtype).expand_as(W_h)
    gains = [gain(J)]
    for slope in reversed(slopes):
        J = J @ (slope[:, :, None] * W_h)
        gains.append(gain(J))
    return torch.stack(gains, dim=1)


def cell_gains(
    drawn: DrawnWeights, forgets: Float[Tensor, " position"], write: float | None = None
) -> Float[Tensor, "position steps_back"]:
    """gain(∂c_T/∂c_k) along all paths, by autograd, the forget gate held at each of `forgets`.

    The input gate is held at `write`, or computed where that is None.
    """
    cells = cells_over_time(drawn, forgets, write)
    every = torch.eye(WIDTH, dtype=torch.float64)[:, None].expand(-1, len(forgets), -1)
    rows = torch.autograd.grad(cells[-1], cells, every, is_grads_batched=True)
    return torch.stack([gain(J.transpose(0, 1)) for J in reversed(rows)], dim=1)


def cells_over_time(
    drawn: DrawnWeights, forgets: Float[Tensor, " position"], write: float | None = None
) -> list[Float[Tensor, "position hidden"]]:
    """c_0 … c_T of the LSTM, kept for autograd."""
    f = forgets[:, None]
    h = torch.zeros(len(forgets), WIDTH, dtype=torch.float64)
    cells = [torch.zeros_like(h).requires_grad_()]
    for x in drawn.inputs[:, 1:]:
        z_i, z_c, z_o = torch.einsum("gij,pj->gpi", drawn.gates, h) + x[:, None]
        i = torch.sigmoid(z_i) if write is None else write
        cells.append(f * cells[-1] + i * torch.tanh(z_c))
        h = torch.sigmoid(z_o) * torch.tanh(cells[-1])
    return cells
