"""Where the nodes of a computation graph are drawn: layers, rows, and the bends of long edges."""

from __future__ import annotations

from typing import Any, NamedTuple

from fast_sugiyama import from_edges

from lmcore.graph import Graph

GraphPoint = tuple[float, float]


class Layout(NamedTuple):
    """Places in units of one layer and one row; layer 0 is farthest from the result."""

    places: dict[int, GraphPoint]
    routes: dict[tuple[int, int], list[GraphPoint]]
    """The bends of each edge between layers that are not neighbours."""


def layout(graph: Graph) -> Layout:
    """Layers by distance from the result, rows ordered for few crossings (Sugiyama's method)."""
    pairs = sorted({(edge.source, edge.target) for edge in graph.edges})
    places: dict[int, GraphPoint] = {}
    links: list[tuple[int, int]] = []
    offset, base = 0.0, len(graph.nodes)
    drawn: Any = from_edges(pairs, minimum_length=1, vertex_spacing=1)
    for positions, width, height, edges in drawn:
        rename = _renamed(positions, len(graph.nodes), base)
        base += len(positions)
        places |= {rename[v]: (height - y, x + offset) for v, (x, y) in positions}
        links += [(rename[a], rename[b]) for a, b in edges]
        offset += width + 1
    for alone in (i for i in graph.variables if i not in places):
        places[alone] = (0.0, offset)
        offset += 1
    return Layout({i: places[i] for i in graph.variables}, _routes(places, links, len(graph.nodes)))


def _renamed(positions: list[tuple[int, GraphPoint]], real: int, base: int) -> dict[int, int]:
    """Give the bends distinct names: each part of the graph numbers them from the same start."""
    return {v: v if v < real else base + i for i, (v, _) in enumerate(positions)}


def _routes(
    places: dict[int, GraphPoint], links: list[tuple[int, int]], real: int
) -> dict[tuple[int, int], list[GraphPoint]]:
    onward = {a: b for a, b in links if a >= real}
    routes = {}
    for source, following in links:
        if source >= real:
            continue
        bends, at = [], following
        while at >= real:
            bends.append(places[at])
            at = onward[at]
        routes[source, at] = bends
    return routes
