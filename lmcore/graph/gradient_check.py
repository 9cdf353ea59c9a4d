"""Checks the gradients in two other ways: by torch.autograd, and by finite differences."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import torch

from lmcore.graph.differentiate import GraphTrace, forward, trace_graph
from lmcore.graph.shapes import Value, zeros
from lmcore.graph.structure import Graph

STEP = 2.0**-17
"""The relative step: near the cube root of the machine epsilon, where the error of a central
difference (truncation h², rounding ε/h) is least. A power of two: around numbers
such as 3 or −0.5 no digit of v ± h is lost."""

_AT_ONCE = 1_024  # evaluations held in memory together; two for each entry of each node


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


def compare_gradients(
    graph: Graph, trace: GraphTrace | None = None
) -> tuple[GradientComparison, ...]:
    """Every node but the constants, three ways; `trace` is its `trace_graph`, if computed.

    Raises:
        ValueError: if a value or gradient is not finite.
    """
    hand = (trace or trace_graph(graph)).gradients
    automatic, numeric = autograd_gradients(graph), finite_differences(graph)
    return tuple(
        GradientComparison(
            node=i,
            hand=hand[i],
            autograd=automatic[i],
            numeric=numeric[i],
            hand_autograd=(hand[i] - automatic[i]).abs(),
            hand_numeric=(hand[i] - numeric[i]).abs(),
        )
        for i in graph.variables
    )


def autograd_gradients(graph: Graph) -> tuple[Value, ...]:
    """∂L/∂node by PyTorch, from the forward pass alone; zeros for constants."""
    with torch.enable_grad():
        leaves = {name: leaf.detach().requires_grad_() for name, leaf in graph.leaves.items()}
        values = forward(graph, leaves)
    variables = graph.variables
    found = torch.autograd.grad(
        values[graph.result],
        [values[index] for index in variables],
        allow_unused=True,
        materialize_grads=True,
    )
    gradients = [zeros(shape) for shape in graph.shapes]
    for index, gradient in zip(variables, found, strict=True):
        gradients[index] = gradient
    return tuple(gradients)


def finite_differences(graph: Graph, *, step: float = STEP) -> tuple[Value, ...]:
    """∂L/∂node by nudging: (L(v + h) − L(v − h)) / 2h for each entry v of each node.

    The nudge is added once the node is computed, so a node between leaf and result is nudged
    like a leaf. h = step · 2^⌊log₂ max(|v|, ⅛)⌋; zeros for constants. All evaluations are one
    batched call.
    """
    values = forward(graph, graph.leaves)
    sizes = [0 if i in graph.constants else value.numel() for i, value in enumerate(values)]
    starts = list(accumulate(sizes, initial=0))
    flat = torch.cat([value.reshape(-1)[:size] for value, size in zip(values, sizes, strict=True)])
    nudges = step * torch.exp2(flat.abs().clamp(min=0.125).log2().floor())

    def loss(slot: torch.Tensor, nudge: Value) -> Value:
        def nudged(index: int, value: Value) -> Value:
            slots = torch.arange(starts[index], starts[index + 1]).reshape(graph.shapes[index])
            return value + torch.where(slots == slot, nudge, 0.0)

        return forward(graph, graph.leaves, nudged)[graph.result]

    slots = torch.arange(len(flat)).repeat(2)
    losses = torch.vmap(loss, chunk_size=_AT_ONCE)(slots, torch.cat([nudges, -nudges]))
    above, below = losses.chunk(2)
    slopes = torch.split((above - below) / (2 * nudges), sizes)
    return tuple(
        zeros(shape) if index in graph.constants else slope.reshape(shape)
        for index, (slope, shape) in enumerate(zip(slopes, graph.shapes, strict=True))
    )
