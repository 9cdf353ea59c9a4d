"""A feedforward network: for each layer z = W a + b and a = g(z), and the gradients of its loss.

    z^[i] = W^[i] a^[i−1] + b^[i]        a^[0] = x
    a^[i] = g^[i](z^[i])                 ŷ = a^[n]

The last layer is σ of one unit for two classes, softmax of K units for K classes. All parameters
are one row of numbers; rows may have any leading axes, such as `step` or `seed`, and are computed
together.

Source: CMU 11-411, "A Forward Pass in Terms of Multi-Layer Notation" and "Multi-layer Notation".
Variant: points are rows, so that a W^T + b is computed for all at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_row
from lmcore.neuron.activations import ACTIVATIONS, SIGMOID, activation

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_LAYERS, MOST_UNITS, MOST_INPUTS, MOST_CLASSES = 4, 8, 8, 5
TRAINABLE = tuple(name for name in ACTIVATIONS if name != "step")
"""The activations with a slope: a step passes no gradient on."""


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """The layers of a network; the input layer is not one of them, because it computes nothing.

    `hidden` has the number of units of each hidden layer, `activations` the function of each.
    """

    hidden: tuple[int, ...] = (2,)
    activations: tuple[str, ...] = ("tanh",)
    inputs: int = 2
    classes: int = 2

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_row("the hidden layers", self.hidden, "(3,) for one layer of 3 units")
        check_row("activations", self.activations, "('tanh',) for one hidden layer")
        check_between("the number of layers", len(self.hidden) + 1, 1, MOST_LAYERS)
        check_between("the number of inputs", self.inputs, 1, MOST_INPUTS)
        check_between("the number of classes", self.classes, 2, MOST_CLASSES)
        for layer, units in enumerate(self.hidden, start=1):
            check_between(f"the number of units of layer {layer}", units, 1, MOST_UNITS)
        if len(self.activations) != len(self.hidden):
            raise ValueError(
                "activations must name one function for each hidden layer; "
                f"got {len(self.activations)} for {len(self.hidden)}"
            )
        names = tuple(activation(name).name for name in self.activations)
        object.__setattr__(self, "activations", names)

    @property
    def layers(self) -> int:
        """The number of layers, without the input."""
        return len(self.hidden) + 1

    @property
    def outputs(self) -> int:
        """Units of the last layer: one for two classes, else one for each."""
        return 1 if self.classes == 2 else self.classes

    @property
    def sizes(self) -> tuple[int, ...]:
        """n_0, n_1, …: the number of inputs, and of units of each layer."""
        return (self.inputs, *self.hidden, self.outputs)

    @property
    def places(self) -> tuple[LayerPlace, ...]:
        """Where the parameters of each layer are in the row."""
        found, start = [], 0
        for before, units in zip(self.sizes, self.sizes[1:], strict=False):
            bias = start + units * before
            found.append(LayerPlace(start, bias, bias + units, units, before))
            start = bias + units
        return tuple(found)

    @property
    def parameters(self) -> int:
        """Numbers in all W and b."""
        return self.places[-1].end


class LayerPlace(NamedTuple):
    """Where W (row by row) and b of one layer are in the row of parameters."""

    start: int
    bias: int
    end: int
    units: int
    inputs: int


Parameters = Float64[Tensor, "*run parameter"]
Points = Float64[Tensor, "*#run point input"]
Labels = Int[Tensor, " point"]


class Layer(NamedTuple):
    """W and b of one layer, as views of a row of parameters."""

    weights: Float64[Tensor, "*run unit before"]
    bias: Float64[Tensor, "*run unit"]


@dataclass(frozen=True, slots=True)
class NetworkTrace:
    """Every z and a, layer by layer, for each point."""

    inputs: Float64[Tensor, "*#run point input"]
    """a^[0]"""
    pre_activations: tuple[Float64[Tensor, "*run point _"], ...]
    """z^[1] … z^[n]"""
    activations: tuple[Float64[Tensor, "*run point _"], ...]
    """a^[1] … a^[n]"""

    @property
    def output(self) -> Float64[Tensor, "*run point output"]:
        """ŷ = a^[n]: p(class 1) of two classes, else p of each class."""
        return self.activations[-1]

    def to_frame(self) -> DataFrame:
        """One row per layer, from 1, point and unit: z and a."""
        import pandas

        pairs = zip(self.pre_activations, self.activations, strict=True)
        parts = [dataframes.entries("*batch point unit", {"z": z, "a": a}) for z, a in pairs]
        for layer, part in enumerate(parts, start=1):
            part.insert(0, "layer", layer)
        return pandas.concat(parts, ignore_index=True)


def layers(config: NetworkConfig, parameters: Parameters) -> tuple[Layer, ...]:
    """W^[i] and b^[i] of every layer.

    Raises:
        ValueError: if there are not as many numbers as the network has parameters.
    """
    if parameters.shape[-1] != config.parameters:
        raise ValueError(
            f"parameters must be {config.parameters} numbers; got {parameters.shape[-1]}"
        )
    return tuple(
        Layer(
            parameters[..., place.start : place.bias].view(
                *parameters.shape[:-1], place.units, place.inputs
            ),
            parameters[..., place.bias : place.end],
        )
        for place in config.places
    )


def random_parameters(config: NetworkConfig, seed: int) -> Float64[Tensor, " parameter"]:
    """Weights drawn from N(0, 1/n) with n the size of the layer before; every b is 0."""
    generator = torch.Generator().manual_seed(seed)
    row = torch.zeros(config.parameters, dtype=torch.float64)
    for W, _ in layers(config, row):
        drawn = torch.randn(W.shape, generator=generator, dtype=torch.float64)
        W.copy_(drawn / math.sqrt(W.shape[-1]))
    return row


def forward(config: NetworkConfig, parameters: Parameters, x: Points) -> NetworkTrace:
    """The forward pass of every point through every row of parameters."""
    return forward_layers(config, layers(config, parameters), x)


def forward_layers(config: NetworkConfig, its: Sequence[Layer], x: Points) -> NetworkTrace:
    """As `forward`, for layers that have already been taken from their row."""
    z_of, a_of = [], []
    a: Tensor = x
    for (W, b), g in zip(its, functions(config), strict=True):
        z = a @ W.mT + b.unsqueeze(-2)
        a = g(z)
        z_of.append(z)
        a_of.append(a)
    return NetworkTrace(x, tuple(z_of), tuple(a_of))


def functions(config: NetworkConfig) -> Iterator[Any]:
    """g^[1] … g^[n], each of a tensor whose last axis is the units."""
    for name in config.activations:
        yield activation(name).function
    yield SIGMOID.function if config.outputs == 1 else _softmax


def _softmax(z: Float[Tensor, "*run point unit"]) -> Float[Tensor, "*run point unit"]:
    return z.softmax(dim=-1)


def losses(
    config: NetworkConfig, trace: NetworkTrace, labels: Labels
) -> Float64[Tensor, "*run point"]:
    """−log p(label) of each point, in nats, from the last z and therefore without log 0."""
    z = trace.pre_activations[-1]
    if config.outputs == 1:
        return F.softplus(torch.where(labels == 1, -z[..., 0], z[..., 0]))
    shown = labels.unsqueeze(-1).expand(*z.shape[:-1], 1)
    return -z.log_softmax(dim=-1).gather(-1, shown).squeeze(-1)


def predictions(config: NetworkConfig, trace: NetworkTrace) -> Int[Tensor, "*run point"]:
    """The class of each point: the likelier one; of two equally likely ones class 0."""
    z = trace.pre_activations[-1]
    return (z[..., 0] > 0).long() if config.outputs == 1 else z.argmax(dim=-1)


def gradients(
    config: NetworkConfig, parameters: Parameters, trace: NetworkTrace, labels: Labels
) -> Parameters:
    """∂L/∂ every parameter, with L the mean loss over the points; backpropagation by hand.

    δ^[n] = (ŷ − y) / N              δ^[i] = (δ^[i+1] W^[i+1]) ⊙ g'(z^[i])
    ∂L/∂W^[i] = δ^[i]ᵀ a^[i−1]       ∂L/∂b^[i] = Σ δ^[i]
    """
    row = torch.empty_like(parameters)
    write_gradients(config, layers(config, parameters), trace, labels, layers(config, row))
    return row


def write_gradients(
    config: NetworkConfig,
    its: Sequence[Layer],
    trace: NetworkTrace,
    labels: Labels,
    into: Sequence[Layer],
) -> None:
    """As `gradients`, into layers of the same shapes."""
    wanted = labels.unsqueeze(-1) if config.outputs == 1 else F.one_hot(labels, config.classes)
    delta = (trace.output - wanted) / len(labels)
    inputs = (trace.inputs, *trace.activations)
    for i in reversed(range(config.layers)):
        into[i].weights.copy_(delta.mT @ inputs[i])
        into[i].bias.copy_(delta.sum(dim=-2))
        if i:
            slope = activation(config.activations[i - 1]).derivative(trace.pre_activations[i - 1])
            delta = (delta @ its[i].weights) * slope
