"""Checks the gradients in two other ways: by torch.autograd, and by finite differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch

from lmcore import dataframes
from lmcore.dataframes import Table
from lmcore.graph.differentiate import GraphTrace, forward, trace_graph
from lmcore.graph.leaves import number_labels
from lmcore.graph.operations import OPERATIONS
from lmcore.graph.shapes import Value, zeros
from lmcore.graph.structure import Graph

if TYPE_CHECKING:
    from pandas import DataFrame

STEP = 2.0**-17
"""The relative step: near the cube root of the machine epsilon, where the error of a central
difference (truncation h², rounding ε/h) is least. A power of two: around numbers
such as 3 or −0.5 no digit of v ± h is lost."""

SMALLEST = 0.125
"""Smaller values are nudged as much as this one: they may be small terms of a sum in L."""
NEAR = 16
"""A value within this many steps of zero is also nudged by a step relative to itself."""


class GradientComparison(NamedTuple):
    """∂L/∂node three ways. The differences are absolute, entry by entry."""

    node: int
    hand: Value
    autograd: Value
    numeric: Value
    hand_autograd: Value
    """|hand − autograd|"""
    hand_numeric: Value
    """|hand − numeric|"""
    name: str
    """The node's name."""

    def to_frame(self) -> DataFrame:
        """One row per number of the node: node, then the five numbers, titled as on the page."""
        columns = {
            "node": number_labels(self.name, tuple(self.hand.shape)),
            "by hand": self.hand.flatten(),
            "autograd": self.autograd.flatten(),
            "central difference": self.numeric.flatten(),
            "|hand − autograd|": self.hand_autograd.flatten(),
            "|hand − c.d.|": self.hand_numeric.flatten(),
        }
        return dataframes.frame(columns)


def compare_gradients(graph: Graph, trace: GraphTrace | None = None) -> Table[GradientComparison]:
    """Every node but the constants, three ways; `trace` is its `trace_graph`, if computed.

    Raises:
        ValueError: if a value or gradient is not finite.
    """
    hand = (trace or trace_graph(graph)).gradients
    automatic, numeric = autograd_gradients(graph), finite_differences(graph)
    return Table(
        GradientComparison(
            node=i,
            hand=hand[i],
            autograd=automatic[i],
            numeric=numeric[i],
            hand_autograd=(hand[i] - automatic[i]).abs(),
            hand_numeric=(hand[i] - numeric[i]).abs(),
            name=graph.nodes[i].name,
        )
        for i in graph.variables
    )


def autograd_gradients(graph: Graph) -> tuple[Value, ...]:
    """∂L/∂node by PyTorch, from the forward pass alone; zeros for constants."""
    with torch.enable_grad():
        leaves = {name: leaf.detach().requires_grad_() for name, leaf in graph.leaves.items()}
        values = forward(graph, leaves)
    variables = graph.variables
    partials = torch.autograd.grad(
        values[graph.result],
        [values[index] for index in variables],
        allow_unused=True,
        materialize_grads=True,
    )
    gradients = [zeros(shape) for shape in graph.shapes]
    for index, gradient in zip(variables, partials, strict=True):
        gradients[index] = gradient
    return tuple(gradients)


def finite_differences(graph: Graph, *, step: float = STEP) -> tuple[Value, ...]:
    """∂L/∂node by central differences: (L(v + h) − L(v − h)) / 2h for each entry v of each node.

    The nudge is added once the node is computed, so a node between leaf and result is nudged
    like a leaf. h = step · 2^⌊log₂ max(|v|, ⅛)⌋; zeros for constants. Where this h is not small
    beside v, so that v ± h may leave the domain of a function such as log, a step relative to v
    is tried too, and taken where it is the more accurate. What has no finite central difference
    at either step, as 0^x at x = 0, is nan or infinite.
    """
    values = forward(graph, graph.leaves)
    largest = max(float(value.abs().max()) for value in values)
    slopes = [zeros(shape) for shape in graph.shapes]
    for index in graph.variables:
        if index in graph.reaching:
            slopes[index] = _central_differences(graph, values, index, step, largest)
    return tuple(slopes)


def _central_differences(
    graph: Graph, values: Sequence[Value], index: int, step: float, largest: float
) -> Value:
    """∂L/∂node of one node, by whichever step is the more accurate for each of its entries."""
    size = values[index].abs()
    nudges = step * _power_of_two_below(size.clamp(min=SMALLEST))
    slopes = _slopes(graph, values, index, nudges)
    tiny = (size > 0) & (size < NEAR * nudges)
    if not tiny.any():
        return slopes
    relative = step * _power_of_two_below(torch.where(tiny, size, 1.0))
    closer = _slopes(graph, values, index, relative)
    # Rounding alone explains a smaller disagreement; a larger one is due to the larger step.
    rounding = 8 * torch.finfo(torch.float64).eps * largest / relative
    better = ~slopes.isfinite() | ((slopes - closer).abs() > rounding)
    return torch.where(tiny & closer.isfinite() & better, closer, slopes)


def _power_of_two_below(size: Value) -> Value:
    return torch.exp2(size.log2().floor())


def _slopes(graph: Graph, values: Sequence[Value], index: int, nudges: Value) -> Value:
    """(L(v + h) − L(v − h)) / 2h; only the nodes after the nudged one are computed anew."""
    later = _descendants(graph, index)

    def loss(nudged: Value) -> Value:
        current = list(values)
        current[index] = nudged
        for i in later:
            node = graph.nodes[i]
            operands = [current[operand] for operand in node.operands]
            current[i] = OPERATIONS[node.operation].forward(*operands)
        return current[graph.result]

    flat = nudges.reshape(-1)
    moves = torch.diag(flat).reshape(-1, *graph.shapes[index])
    above, below = torch.vmap(loss)(
        torch.cat([values[index] + moves, values[index] - moves])
    ).chunk(2)
    return ((above - below) / (2 * flat)).reshape(graph.shapes[index])


def _descendants(graph: Graph, index: int) -> list[int]:
    """The nodes between this one and the result that depend on it, in order of evaluation."""
    descendants, reaching = {index}, graph.reaching
    for i in range(index + 1, graph.result + 1):
        if i in reaching and not descendants.isdisjoint(graph.nodes[i].operands):
            descendants.add(i)
    return sorted(descendants - {index})
