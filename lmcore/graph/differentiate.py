"""Forward and backward through a computation graph, by hand: without autograd.

    value        = operation(values of the operands)
    contribution = upstream times the local derivative         (one per edge)
    gradient     = sum of the contributions of the edges that leave the node; 1 for the result

Source: Jurafsky & Martin, Speech and Language Processing, 3rd ed. draft, chapter on neural
networks, sections "Computation Graphs" and "Backward differentiation on computation graphs".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.graph.leaves import LeafEntry, LeafNumbers, check_leaf, number_labels, replace_leaves
from lmcore.graph.non_finite import check_gradients, check_values
from lmcore.graph.operations import OPERATIONS, edge_contribution, local_derivative
from lmcore.graph.shapes import Value, describe_shape, zeros
from lmcore.graph.structure import Graph

if TYPE_CHECKING:
    from pandas import DataFrame

PerOperand: TypeAlias = tuple[Value | None, ...]
"""One tensor per operand of a node; None where the operand is a constant."""


@dataclass(frozen=True, slots=True, eq=False)
class GraphTrace:
    """Every number of one forward and one backward pass, in the order of the graph's nodes.

    From `sweep`, each tensor has two more axes in front: slider and position.
    """

    graph: Graph
    values: tuple[Value, ...]
    locals: tuple[PerOperand, ...]
    """∂node/∂operand: of the node's shape where the operation works entry by entry, of the
    operand's for sum and vector @ vector, and the other factor for a matrix product."""
    contributions: tuple[PerOperand, ...]
    """What each edge passes down, of the operand's shape."""
    gradients: tuple[Value, ...]
    """∂L/∂node; zeros where the node does not reach L, and for constants, which are held."""

    def to_frame(self) -> DataFrame:
        """One row per number of a node: node, formula, value, gradient; slider, position in front.

        Numbers of a matrix are labelled from 1, as in W[1,2]. Constants are left out.
        """
        graph = self.graph
        moving = self.values[graph.result].shape

        def flat(tensors: Sequence[Value]) -> Value:
            rows = [tensors[index].reshape(*moving, -1) for index in graph.variables]
            return torch.cat(rows, dim=-1)

        axes = "slider position number" if moving else "number"
        columns = {"value": flat(self.values), "gradient": flat(self.gradients)}
        found = dataframes.entries(axes, columns)
        nodes = [
            (label, graph.nodes[index].formula)
            for index in graph.variables
            for label in number_labels(graph.nodes[index].name, graph.shapes[index])
        ]
        at = found.columns.get_loc("number")
        number = found.pop("number")
        found.insert(at, "node", [nodes[n][0] for n in number])
        found.insert(at + 1, "formula", [nodes[n][1] for n in number])
        return found


def trace_graph(graph: Graph, leaves: Mapping[str, LeafNumbers] | None = None) -> GraphTrace:
    """One forward and one backward pass, checked; `leaves` takes the place of the program's.

    Leaves may be numbers, lists, arrays or tensors.

    Raises:
        ValueError: if a leaf is unknown or of another shape, or a value or gradient is not
            finite (the first one, with its reason).
    """
    if not isinstance(graph, Graph):
        raise ValueError(f"a graph must be one that parse_program returns; got {graph!r:.60}")
    trace = backpropagate(graph, leaves)
    check_values(graph, trace.values)
    check_gradients(graph, trace.values, trace.gradients, trace.contributions)
    return trace


def backpropagate(graph: Graph, leaves: Mapping[str, LeafNumbers] | None = None) -> GraphTrace:
    """The two passes without checks of the numbers: a pure function, suitable for torch.vmap.

    Raises:
        ValueError: if a leaf is unknown or of another shape.
    """
    values = forward(graph, replace_leaves(graph, leaves or {}))
    local_values = tuple(_locals(graph, index, values) for index in range(len(graph.nodes)))
    arriving: list[list[Value]] = [[] for _ in graph.nodes]
    arriving[graph.result].append(torch.ones((), dtype=torch.float64))
    gradients = [zeros(shape) for shape in graph.shapes]
    passed: list[PerOperand] = [() for _ in graph.nodes]
    for index in reversed(range(len(graph.nodes))):
        if not arriving[index]:  # known from the edges alone, not from the numbers
            passed[index] = _nothing(graph, index)
            continue
        gradients[index] = reduce(torch.add, arriving[index])
        passed[index] = _contributions(graph, index, gradients[index], local_values[index])
        for operand, part in zip(graph.nodes[index].operands, passed[index], strict=True):
            if part is not None:
                arriving[operand].append(part)
    return GraphTrace(graph, tuple(values), local_values, tuple(passed), tuple(gradients))


def forward(
    graph: Graph,
    leaves: Mapping[str, Value],
    adjust: Callable[[int, Value], Value] = lambda index, value: value,
) -> list[Value]:
    """The value of every node; `adjust` may change a node's value before others use it."""
    values: list[Value] = []
    for index, node in enumerate(graph.nodes):
        if index in graph.constants:
            values.append(graph.constants[index])
        elif node.operation == "leaf":
            values.append(adjust(index, leaves[node.name]))
        else:
            operands = [values[operand] for operand in node.operands]
            values.append(adjust(index, OPERATIONS[node.operation].forward(*operands)))
    return values


def sweep(
    graph: Graph, moving: Sequence[LeafEntry], positions: Float64[Tensor, "slider position"]
) -> GraphTrace:
    """The two passes at every position of every slider, in one batched call.

    Each slider sets one number of one leaf; every tensor of the trace gets the axes (slider,
    position) in front.

    Values that are not finite stay in: a curve may have gaps.

    Raises:
        ValueError: if an entry is not one of the graph's, or there is not one row of positions,
            of at least one, for each entry.
    """
    if len(positions) != len(moving) or not positions.numel():
        got = describe_shape(tuple(positions.shape))
        raise ValueError(f"positions must have a row for each of {len(moving)} entries; got {got}")
    leaves = {
        name: leaf.repeat(*positions.shape, *(1 for _ in leaf.shape))
        for name, leaf in graph.leaves.items()
    }
    for row, entry in enumerate(moving):
        _check_inside(graph, entry)
        leaves[entry.leaf].select(0, row).movedim(0, -1)[entry.at] = positions[row]

    def tensors(leaves: dict[str, Value]) -> tuple[Value, ...]:
        return _flat(backpropagate(graph, leaves))

    return _from_flat(graph, torch.vmap(torch.vmap(tensors))(leaves))


def _check_inside(graph: Graph, entry: LeafEntry) -> None:
    check_leaf(graph, entry.leaf)
    leaf = graph.leaves[entry.leaf]
    inside = all(0 <= i < size for i, size in zip(entry.at, leaf.shape, strict=False))
    if len(entry.at) != leaf.ndim or not inside:
        raise ValueError(
            f"the index must lie in {entry.leaf}, a {describe_shape(tuple(leaf.shape))}; "
            f"got {entry.at}, counted from 0"
        )


def _locals(graph: Graph, index: int, values: Sequence[Value]) -> PerOperand:
    node = graph.nodes[index]
    if not node.operands:
        return ()
    operands = [values[operand] for operand in node.operands]
    return tuple(
        None
        if operand in graph.constants
        else local_derivative(derivative, operands, values[index])
        for operand, derivative in zip(
            node.operands, OPERATIONS[node.operation].derivatives, strict=True
        )
    )


def _contributions(
    graph: Graph, index: int, upstream: Value, local_values: PerOperand
) -> PerOperand:
    node = graph.nodes[index]
    if not node.operands:
        return ()
    derivatives = OPERATIONS[node.operation].derivatives
    return tuple(
        None
        if local is None
        else edge_contribution(derivative.meeting, upstream, local, graph.shapes[operand])
        for operand, derivative, local in zip(node.operands, derivatives, local_values, strict=True)
    )


def _nothing(graph: Graph, index: int) -> PerOperand:
    # Zeros, not 0 × local: the local may be infinite where L does not depend on it.
    return tuple(
        None if operand in graph.constants else zeros(graph.shapes[operand])
        for operand in graph.nodes[index].operands
    )


def _flat(trace: GraphTrace) -> tuple[Value, ...]:
    """Every tensor of a trace in a row: torch.vmap returns tensors only, no None."""
    edges = (*trace.locals, *trace.contributions)
    known = (tensor for tensors in edges for tensor in tensors if tensor is not None)
    return (*trace.values, *trace.gradients, *known)


def _from_flat(graph: Graph, tensors: Sequence[Value]) -> GraphTrace:
    count = len(graph.nodes)
    rest = iter(tensors[2 * count :])

    def per_operand(tensors: Iterator[Value]) -> tuple[PerOperand, ...]:
        return tuple(
            tuple(
                None if operand in graph.constants else next(tensors) for operand in node.operands
            )
            for node in graph.nodes
        )

    return GraphTrace(
        graph,
        values=tuple(tensors[:count]),
        locals=per_operand(rest),
        contributions=per_operand(rest),
        gradients=tuple(tensors[count : 2 * count]),
    )
