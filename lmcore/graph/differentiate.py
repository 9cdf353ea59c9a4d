"""Forward and backward through a computation graph, by hand: no autograd in here.

    value        = operation(values of the operands)
    contribution = upstream met with the local derivative      (one per edge)
    gradient     = sum of the contributions of the edges that leave the node; 1 for the result

Source: Jurafsky & Martin, Speech and Language Processing, 3rd ed. draft, section "Computation
Graphs" of the chapter on neural networks (backward differentiation).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import torch
from jaxtyping import Float64
from lmcore.graph.finite import check_finite
from lmcore.graph.leaves import Entry, check_entry, complete
from torch import Tensor

from lmcore.graph.operations import (
    OPERATIONS,
    Value,
    local_derivative,
)
from lmcore.graph.shapes import zeros
from lmcore.graph.structure import Graph

PerEdge: TypeAlias = tuple[tuple[Value | None, ...], ...]
"""Per node, per operand; None where the operand is a constant."""


@dataclass(frozen=True, slots=True, eq=False)
class GraphTrace:
    """Every number of one forward and one backward pass, in the order of the graph's nodes.

    From `sweep`, each tensor has one more axis in front: one entry per position.
    """

    values: tuple[Value, ...]
    locals: PerEdge
    """∂node/∂operand: of the node's shape where the operation works entry by entry (of the
    operand's for sum and vector @ vector); the other factor for a matrix product."""
    contributions: PerEdge
    """What each edge passes down, of the operand's shape."""
    gradients: tuple[Value, ...]
    """∂L/∂node; zeros where the node does not reach L, and for constants, which are held."""


def run(graph: Graph, leaves: Mapping[str, Value] | None = None) -> GraphTrace:
    """One forward and one backward pass, checked; `leaves` replaces the program's values.

    Raises:
        ValueError: if a leaf is unknown or of another shape, or a value or gradient is not
            finite (the first one, with its reason).
    """
    trace = backpropagate(graph, leaves)
    check_finite(graph, trace.values, trace.gradients, trace.contributions)
    return trace


def backpropagate(graph: Graph, leaves: Mapping[str, Value] | None = None) -> GraphTrace:
    """The same two passes without a look at the numbers: a pure function, fit for torch.vmap.

    Raises:
        ValueError: if a leaf is unknown or of another shape.
    """
    values = forward(graph, complete(graph, leaves or {}))
    locals_ = _locals(graph, values)
    arriving: list[list[Value]] = [[] for _ in graph.nodes]
    arriving[graph.result].append(torch.ones((), dtype=torch.float64))
    gradients = [zeros(shape) for shape in graph.shapes]
    passed: list[tuple[Value | None, ...]] = [() for _ in graph.nodes]
    for index in reversed(range(len(graph.nodes))):
        if arriving[index]:
            gradients[index] = torch.stack(arriving[index]).sum(0)
        passed[index] = _passed_down(graph, index, gradients[index], locals_[index])
        for operand, part in zip(graph.nodes[index].operands, passed[index], strict=True):
            if part is not None and arriving[index]:
                arriving[operand].append(part)
    return GraphTrace(tuple(values), locals_, tuple(passed), tuple(gradients))


def forward(
    graph: Graph,
    leaves: Mapping[str, Value],
    adjust: Callable[[int, Value], Value] = lambda index, value: value,
) -> list[Value]:
    """The value of every node; `adjust` may change a node's value before others use it."""
    values: list[Value] = []
    for index, node in enumerate(graph.nodes):
        if node.operation == "constant":
            values.append(graph.constants[index])
            continue
        if node.operation == "leaf":
            value = leaves[node.name]
        else:
            value = OPERATIONS[node.operation].forward(*(values[i] for i in node.operands))
        values.append(adjust(index, value))
    return values


def sweep(graph: Graph, *, entry: Entry, positions: Float64[Tensor, position]) -> GraphTrace:
    """The passes with one entry of one leaf at each of `positions`, in one batched call.

    Numbers that are not finite stay as they are: a curve may have gaps.

    Raises:
        ValueError: if `entry` is not one of the graph's.
    """
    leaf, here = check_entry(graph, entry)

    def at(position: Value) -> tuple[Value, ...]:
        moved = torch.where(here, position, leaf)
        return _tensors(backpropagate(graph, {entry.leaf: moved}))

    return _trace(graph, iter(torch.vmap(at)(positions)))


def _locals(graph: Graph, values: list[Value]) -> PerEdge:
    return tuple(
        tuple(
            None
            if operand in graph.constants
            else local_derivative(derivative, [values[i] for i in node.operands], output)
            for operand, derivative in zip(node.operands, _derivatives(node), strict=True)
        )
        for node, output in zip(graph.nodes, values, strict=True)
    )
