"""Chains of a graph: a number that reaches the result on one way, link by link.

Each link has a local derivative. A small nudge at the start is multiplied by one after another, and
their product is the gradient of the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import mul

from lmcore.graph.differentiate import GraphTrace
from lmcore.graph.shapes import Value
from lmcore.graph.structure import Edge, Graph


def only_way(graph: Graph, start: int) -> tuple[Edge, ...]:
    """The edges from a node to the result; none if there are several ways, or tensors on it."""
    onward: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        if edge.target in graph.reaching:
            onward.setdefault(edge.source, []).append(edge)
    way = list[Edge]()
    at = start
    while at != graph.result:
        following = onward.get(at, [])
        if len(following) != 1 or graph.shapes[at] or graph.shapes[following[0].target]:
            return ()
        way += following
        at = following[0].target
    return tuple(way)


def slopes_along(trace: GraphTrace, way: Sequence[Edge]) -> list[Value]:
    """The local derivative of each link."""
    return [*_slopes(trace, way)]


def moves_along(trace: GraphTrace, way: Sequence[Edge], nudge: Value) -> list[Value]:
    """How far each node of a chain moves, the first by `nudge`; exact for small nudges only.

    The numbers of a sweep have its axes in front, and `nudge` has the same ones.
    """
    return [*accumulate([nudge, *_slopes(trace, way)], mul)]


def _slopes(trace: GraphTrace, way: Sequence[Edge]) -> Iterator[Value]:
    for edge in way:
        local = trace.locals[edge.target][edge.position]
        assert local is not None, "an edge comes from a node that is not a constant"
        yield local
