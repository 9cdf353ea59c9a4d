"""The data structure of a computation graph: nodes, edges, and the values of the leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lmcore.checks import check_one_of
from lmcore.graph.shapes import Shape, Value
from lmcore.numbers import format_number


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the graph, and the place in the program that made it."""

    name: str
    """As assigned, or v1, v2, … for a part of an expression; a constant's is its number."""
    operation: str
    """"leaf", "constant", or a key of OPERATIONS."""
    operands: tuple[int, ...]
    formula: str
    """In node names, as printed: "c × e"; empty for a leaf and a constant."""
    line: int
    column: int


class Edge(NamedTuple):
    """Node `source` is operand number `position` (from 0) of node `target`."""

    source: int
    target: int
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A program as nodes in the order they are evaluated."""

    nodes: tuple[Node, ...]
    shapes: tuple[Shape, ...]
    """The shape of each node."""
    leaves: Mapping[str, Value]
    """The value of each leaf, by name."""
    constants: Mapping[int, Value]
    """The value of each constant, by node index."""
    result: int
    """The node to differentiate: L."""
    spans: Mapping[str, tuple[int, int]]
    """The place of each leaf's value in the program's text: start, and end (not included)."""

    @property
    def variables(self) -> tuple[int, ...]:
        """Every node but the constants, in order of evaluation."""
        return tuple(index for index in range(len(self.nodes)) if index not in self.constants)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges between nodes that are not constants; two where a node is used twice."""
        return tuple(
            Edge(source, target, position)
            for target, node in enumerate(self.nodes)
            for position, source in enumerate(node.operands)
            if source not in self.constants
        )

    @property
    def reaching(self) -> frozenset[int]:
        """The nodes that the result depends on, itself included."""
        nodes = {self.result}
        for index in range(self.result, -1, -1):
            if index in nodes:
                nodes.update(self.nodes[index].operands)
        return frozenset(nodes)

    def index(self, name: str) -> int:
        """The number of the node of that name.

        Raises:
            ValueError: if the program has no such node.
        """
        names = {self.nodes[index].name: index for index in self.variables}
        check_one_of("a node", name, names)
        return names[name]


def format_constant(value: float) -> str:
    """A constant in a formula: as typed where that is short, else four significant digits."""
    short = f"{value:.6g}"
    exact = float(short) == value and "e" not in short
    return short.replace("-", "−") if exact else format_number(value)


def parenthesize_negative(name: str) -> str:
    """A name as it appears in a formula: a negative constant in parentheses."""
    return f"({name})" if name.startswith("−") else name
