"""A computation graph as a picture: its nodes and edges with their places and templates.

Numbers are written as templates; `naming` has their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Literal, TypedDict

from drawing.events import PlaceOrNone
from drawing.payload import NumberName, Script
from lessons.backprop.graph_layout import GraphPoint, Layout, layout
from lessons.backprop.naming import (
    SHOWN,
    gradient_name,
    gradient_of,
    is_entrywise,
    is_twin,
    local_name,
    names,
    passed_name,
    tensor_template,
    value_of,
)
from lmcore.graph import Edge, GradientComparison, Graph, Term, WalkStep, describe_shape, walk

MOST_ON_AN_EDGE = 3


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
    slope: str
    """The text before the gradient, if there is room."""
    whole: str
    sizes: list[NumberName]
    """The names of its gradient's numbers."""
    handle: NumberName
    """The slider that it moves; empty if there is none."""


GraphEdge = TypedDict(
    "GraphEdge",
    {
        "from": int,
        "to": int,
        "position": int,
        "twin": bool,
        "bends": list[GraphPoint],
        "local": str,
        "upstream": str,
        "passed": str,
        "size": NumberName,
    },
)
"""An edge to operand `position` of a node; a twin joins the same two nodes as another.

`upstream` comes from its end, `passed` arrives at its start, and `size` is the name of the passed
number: empty for a tensor.
"""


class GraphStep(TypedDict):
    """A step of the walk: the nodes it computes, and the edges it takes."""

    kind: Literal["forward", "backward"]
    nodes: Sequence[int]
    edges: list[tuple[int, int]]
    """Target and position of each."""


class GraphDrawing(TypedDict):
    """A graph with its walk."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    steps: list[GraphStep]
    result: int


class GraphPayload(GraphDrawing):
    """A graph with its walk, and the step that is shown; −1: everything."""

    step: int


GRAPH = Script("graph", GraphPayload, ("*",), PlaceOrNone)
"""The numbers are named after the program's variables: `naming`."""


def graph_picture(graph: Graph, handles: Mapping[int, str] | None = None) -> GraphDrawing:
    """The data of `lessons/backprop/graph.js` other than the numbers.

    `handles` are the sliders that nodes move when they are dragged.
    """
    where = layout(graph)
    return {
        "nodes": [_node(graph, i, where.places[i], handles or {}) for i in graph.variables],
        "edges": [*_edges(graph, where)],
        "steps": [_step(graph, step) for step in walk(graph)],
        "result": graph.result,
    }


def _node(graph: Graph, i: int, place: GraphPoint, handles: Mapping[int, str]) -> GraphNode:
    node, shape = graph.nodes[i], graph.shapes[i]
    return {
        "id": i,
        "place": place,
        "name": node.name,
        "formula": node.formula,
        "leaf": node.operation == "leaf",
        "shape": describe_shape(shape) if shape else "",
        "value": value_of(graph, i, most=SHOWN),
        "gradient": gradient_of(graph, i, most=SHOWN),
        "slope": f"{gradient_name(graph, i)}{': ' if len(shape) > 1 else ' = '}",
        "whole": f"{node.name} = {value_of(graph, i)}; gradient {gradient_of(graph, i)}",
        "sizes": names(gradient_name(graph, i), shape),
        "handle": handles.get(i, ""),
    }


def _edges(graph: Graph, where: Layout) -> Iterator[GraphEdge]:
    formulas = {(term.target, term.position): term for step in walk(graph) for term in step.terms}
    for edge in graph.edges:
        term = formulas.get((edge.target, edge.position))
        scalar = term is not None and graph.shapes[edge.target] == graph.shapes[edge.source] == ()
        passed = passed_name(graph, edge) if scalar else ""
        yield {
            "from": edge.source,
            "to": edge.target,
            "position": edge.position,
            "twin": is_twin(graph, edge),
            "bends": where.routes[edge.source, edge.target],
            "local": _local(graph, term, edge) if term else "",
            "upstream": gradient_of(graph, edge.target, most=SHOWN),
            "passed": f"{{{passed}}}" if scalar else gradient_of(graph, edge.source, most=SHOWN),
            "size": passed,
        }


def _local(graph: Graph, term: Term, edge: Edge) -> str:
    """The local derivative on its edge: its number, or for large tensors its formula."""
    shape = graph.shapes[edge.source]
    name = local_name(graph, edge)
    if is_entrywise(graph, edge) and not shape:
        return f"× {{{name}:p}}"
    if is_entrywise(graph, edge) and len(shape) == 1 and shape[0] <= MOST_ON_AN_EDGE:
        constant = term.formula.lstrip("−").isdecimal()
        return f"× {term.formula}" if constant else tensor_template(name, shape)
    return f"× {term.formula}" if " " not in term.formula else term.formula


def _step(graph: Graph, step: WalkStep) -> GraphStep:
    forward = step.kind == "forward"
    used = [(e.target, e.position) for e in graph.edges if forward and e.target in step.nodes]
    return {
        "kind": step.kind,
        "nodes": step.nodes,
        "edges": used or [(term.target, term.position) for term in step.terms],
    }


def comparison_rows(
    graph: Graph, row: GradientComparison
) -> Iterator[tuple[str, *tuple[float, ...]]]:
    """One line per number of a node: its label, then the five numbers of the comparison."""
    shape = graph.shapes[row.node]
    columns = [tensor.reshape(-1).tolist() for tensor in row[1:-1]]
    for place, numbers in zip(product(*map(range, shape)), zip(*columns, strict=True), strict=True):
        at = f"[{','.join(str(i + 1) for i in place)}]" if place else ""
        yield (f"{graph.nodes[row.node].name}{at}", *numbers)
