"""A computation graph as a picture: the layout of its nodes, and their texts.

Numbers are written as templates: {v3.0} is entry 0 of the value of node 3, g its gradient,
l4.1.0 the local derivative of node 4 by its operand 1, c what that edge passes down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple, TypedDict

from fast_sugiyama import from_edges
from torch import Tensor

from lessons.shared.payload import Script
from lessons.shared.steps import StepRow as Row
from lmcore.graph import (
    OPERATIONS,
    GradientComparison,
    Graph,
    GraphTrace,
    Term,
    WalkStep,
    describe_shape,
    walk,
)

GraphPoint = tuple[float, float]
SHOWN = 4
"""The most entries of a tensor written on its node; the step table has them all."""


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


def by_name(graph: Graph, trace: GraphTrace) -> dict[str, Tensor]:
    """Every number of a trace by its name in the templates; leading axes are kept."""
    named: dict[str, Tensor] = {}
    for i in graph.variables:
        named |= _entries(f"v{i}", trace.values[i], graph.shapes[i])
        named |= _entries(f"g{i}", trace.gradients[i], graph.shapes[i])
    for edge in graph.edges:
        t, p = edge.target, edge.position
        local, part = trace.locals[t][p], trace.contributions[t][p]
        if local is not None and part is not None and _entrywise(graph, t, p, edge.source):
            named |= _entries(f"l{t}.{p}", local, graph.shapes[t])
    return named


def _entrywise(graph: Graph, target: int, position: int, source: int) -> bool:
    """Whether a local derivative has a number for each number of its operand.

    Shapes alone do not decide: for a square matrix times a vector it is the whole matrix.
    """
    meeting = OPERATIONS[graph.nodes[target].operation].derivatives[position].meeting
    return meeting == "times" and graph.shapes[target] == graph.shapes[source]


def _entries(name: str, value: Tensor, shape: tuple[int, ...]) -> dict[str, Tensor]:
    lead = value.shape[: value.ndim - len(shape)]
    flat = value.reshape(*lead, -1)
    return {f"{name}.{k}": flat[..., k] for k in range(flat.shape[-1])}


def tensor_template(name: str, shape: tuple[int, ...], *, most: int | None = None) -> str:
    """{v3.0} for a scalar, [{v3.0}, {v3.1}] for a vector, rows of rows for a matrix.

    With `most`, a longer vector is cut with an ellipsis and a matrix is named by its shape.
    """
    if not shape:
        return f"{{{name}.0}}"
    if len(shape) == 1:
        names = [f"{{{name}.{k}}}" for k in range(shape[0])]
        cut = names if most is None or len(names) <= most else [*names[: most - 1], "…"]
        return f"[{', '.join(cut)}]"
    if most is not None:
        return describe_shape(shape)
    rows, columns = shape
    parts = [
        f"[{', '.join(f'{{{name}.{r * columns + c}}}' for c in range(columns))}]"
        for r in range(rows)
    ]
    return f"[{', '.join(parts)}]"


class GraphNode(TypedDict):
    """A node: its place, in layers and rows, and what is written on it."""

    id: int
    place: GraphPoint
    name: str
    formula: str
    leaf: bool
    shape: str
    value: str
    gradient: str
    whole: str


GraphEdge = TypedDict(
    "GraphEdge",
    {
        "from": int,
        "to": int,
        "position": int,
        "twin": bool,
        "bends": list[GraphPoint],
        "local": str,
    },
)
"""An edge to operand `position` of a node; a twin joins the same two nodes as another."""


class GraphStep(TypedDict):
    """A step of the walk: the nodes it computes, the edges it takes, and its sentence."""

    kind: Literal["forward", "backward"]
    nodes: Sequence[int]
    edges: list[tuple[int, int]]
    """Target and position of each."""
    text: str


class GraphDrawing(TypedDict):
    """A graph with its walk."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    steps: list[GraphStep]
    result: int
    alt: str


class GraphPayload(GraphDrawing):
    """A graph with its walk, and the step that is shown; −1: the last."""

    at: int


GRAPH = Script("graph", GraphPayload)


def graph_picture(graph: Graph) -> GraphDrawing:
    """The data of `lessons/backprop/graph.js` besides the numbers."""
    where = layout(graph)
    steps = walk(graph)
    return {
        "nodes": [_node(graph, i, where.places[i]) for i in graph.variables],
        "edges": [*_edges(graph, where)],
        "steps": [_step(graph, step) for step in steps],
        "result": graph.result,
        "alt": f"Computation graph with {len(graph.variables)} nodes; "
        f"{graph.nodes[graph.result].name} = {tensor_template(f'v{graph.result}', ())}.",
    }


def _node(graph: Graph, i: int, place: GraphPoint) -> GraphNode:
    node, shape = graph.nodes[i], graph.shapes[i]
    return {
        "id": i,
        "place": place,
        "name": node.name,
        "formula": node.formula,
        "leaf": node.operation == "leaf",
        "shape": describe_shape(shape) if shape else "",
        "value": tensor_template(f"v{i}", shape, most=SHOWN),
        "gradient": tensor_template(f"g{i}", shape, most=SHOWN),
        "whole": f"{node.name} = {tensor_template(f'v{i}', shape)}; "
        f"gradient {tensor_template(f'g{i}', shape)}",
    }


def _edges(graph: Graph, where: Layout) -> Iterator[GraphEdge]:
    formulas = {(term.target, term.position): term for step in walk(graph) for term in step.terms}
    for edge in graph.edges:
        term = formulas.get((edge.target, edge.position))
        yield {
            "from": edge.source,
            "to": edge.target,
            "position": edge.position,
            "twin": sum((e.source, e.target) == (edge.source, edge.target) for e in graph.edges)
            > 1,
            "bends": where.routes[edge.source, edge.target],
            "local": _local(graph, term, edge.source) if term else "0",
        }


def _local(graph: Graph, term: Term, source: int) -> str:
    """The local derivative on its edge: its number, or for tensors its formula."""
    if graph.shapes[term.target] == graph.shapes[source] == ():
        return f"{{l{term.target}.{term.position}.0}}"
    return term.formula


def _step(graph: Graph, step: WalkStep) -> GraphStep:
    return {
        "kind": step.kind,
        "nodes": step.nodes,
        "edges": [(term.target, term.position) for term in step.terms],
        "text": forward_text(graph, step) if step.kind == "forward" else backward_text(graph, step),
    }


def forward_text(graph: Graph, step: WalkStep) -> str:
    """A forward step with its numbers: d = 2 × b = 2 × {v1.0} = {v3.0}."""
    if len(step.nodes) > 1 or graph.nodes[step.nodes[0]].operation == "leaf":
        named = (f"{graph.nodes[i].name} = {_whole('v', graph, i)}" for i in step.nodes)
        return f"Given: {', '.join(named)}"
    (i,) = step.nodes
    return f"{step.text}{_plugged(graph, i)} = {_whole('v', graph, i)}"


def _plugged(graph: Graph, i: int) -> str:
    node = graph.nodes[i]
    if any(graph.shapes[operand] for operand in node.operands) or node.operation == "copy":
        return ""
    symbol = OPERATIONS[node.operation].symbol
    slot = "{{v{}.0}}" if symbol.endswith(")") else "{{v{}.0:p}}"  # exp(…) has its parentheses
    numbers = [
        _constant(graph, operand, symbol) if operand in graph.constants else slot.format(operand)
        for operand in node.operands
    ]
    return f" = {symbol.format(*numbers)}"


def _constant(graph: Graph, i: int, symbol: str) -> str:
    name = graph.nodes[i].name
    return f"({name})" if name.startswith("−") and not symbol.endswith(")") else name


def backward_text(graph: Graph, step: WalkStep) -> str:
    """A backward step with its numbers: upstream × local, summed over the paths."""
    (i,) = step.nodes
    result = _whole("g", graph, i)
    if not step.terms:
        return step.text
    shown = [_product(graph, term, i) for term in step.terms]
    middle = f" = {' + '.join(shown)}" if all(shown) else ""
    return f"{step.text}{middle} = {result}"


def _product(graph: Graph, term: Term, source: int) -> str:
    shape = graph.shapes[source]
    if not _entrywise(graph, term.target, term.position, source) or len(shape) > 1:
        return ""
    upstream = _braced(f"g{term.target}", shape)
    return f"{upstream} × {_braced(f'l{term.target}.{term.position}', shape)}"


def _braced(name: str, shape: tuple[int, ...]) -> str:
    return tensor_template(name, shape) if shape else f"{{{name}.0:p}}"


def _whole(kind: str, graph: Graph, i: int) -> str:
    return tensor_template(f"{kind}{i}", graph.shapes[i])


def graph_steps(graph: Graph) -> tuple[Row, ...]:
    """The walk as a step table: forward, then backward."""
    rows = []
    for step in walk(graph)[1:]:
        (i,) = step.nodes
        forward = step.kind == "forward"
        name = (
            graph.nodes[i].name
            if forward
            else f"∂{graph.nodes[graph.result].name}/∂{graph.nodes[i].name}"
        )
        rows.append(
            Row(
                name=f"{step.kind} {name}",
                formula=_right(
                    forward_text(graph, step) if forward else backward_text(graph, step)
                ),
                value=_whole("v" if forward else "g", graph, i),
                role="activation" if forward else "gradient",
                shape=describe_shape(graph.shapes[i]),
                operands=_operands(graph, step),
            )
        )
    return tuple(rows)


def _right(text: str) -> str:
    """The part between the first and the last equals sign."""
    parts = text.split(" = ")
    return " = ".join(parts[1:-1] or parts[1:])


def _operands(graph: Graph, step: WalkStep) -> tuple[tuple[str, str], ...]:
    if step.kind == "forward":
        (i,) = step.nodes
        used = [o for o in graph.nodes[i].operands if o not in graph.constants]
        return tuple((graph.nodes[o].name, _whole("v", graph, o)) for o in used)
    return tuple(
        pair
        for term in step.terms
        for pair in (
            (term.upstream, _whole("g", graph, term.target)),
            (f"{term.local} = {term.formula}", _local_number(graph, term, step.nodes[0])),
        )
    )


def _local_number(graph: Graph, term: Term, source: int) -> str:
    if not _entrywise(graph, term.target, term.position, source):
        return "see the formula"
    return tensor_template(f"l{term.target}.{term.position}", graph.shapes[source])


def comparison_rows(
    graph: Graph, row: GradientComparison
) -> Iterator[tuple[str, *tuple[float, ...]]]:
    """One line per number of a node: its label, then the five numbers of the comparison."""
    shape = graph.shapes[row.node]
    columns = [tensor.reshape(-1).tolist() for tensor in row[1:-1]]
    for place, numbers in zip(product(*map(range, shape)), zip(*columns, strict=True), strict=True):
        at = f"[{','.join(str(i + 1) for i in place)}]" if place else ""
        yield (f"{graph.nodes[row.node].name}{at}", *numbers)
