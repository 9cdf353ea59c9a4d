"""Builds a graph node by node while its program is parsed.

An operand is a float while it is a constant (arithmetic on constants alone is folded into one)
and the index of a node otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, prod
from typing import TypeAlias

import torch

from lmcore.graph.operations import OPERATIONS
from lmcore.graph.shapes import Shape, Value, describe_shape
from lmcore.graph.source import ProgramSource, shorten
from lmcore.graph.structure import Graph, Node, format_constant, parenthesize_negative
from lmcore.numbers import format_number

MAX_NODES = 60
MAX_ENTRIES = 64
MAX_MAGNITUDE = 1e100

Operand: TypeAlias = float | int
NestedNumbers: TypeAlias = float | Sequence[float] | Sequence[Sequence[float]]


@dataclass(slots=True)
class Builder:
    """The graph so far. Every `place` is an index into the typed text."""

    source: ProgramSource
    taken: set[str]
    """Names that the program uses; the generated names v1, v2, … must differ from them."""
    nodes: list[Node] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    leaves: dict[str, Value] = field(default_factory=dict)
    constants: dict[int, Value] = field(default_factory=dict)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)

    def leaf(self, name: str, rows: NestedNumbers, span: tuple[int, int]) -> int:
        """A node that holds the numbers `rows`, typed at `span`.

        Raises:
            ValueError: if they are more than a leaf may hold.
        """
        value = torch.tensor(rows, dtype=torch.float64)
        index = self._add(name, "leaf", (), "", (tuple(value.shape), span[0]))
        self.leaves[name], self.spans[name] = value, span
        return index

    def apply(
        self, operation: str, operands: Sequence[Operand], place: int, name: str | None
    ) -> Operand:
        """The node `name` that combines `operands`, or a number where all of them are numbers.

        Raises:
            ValueError: if their shapes do not fit, or a folded constant is out of range.
        """
        if all(isinstance(operand, float) for operand in operands):
            return self._fold(operation, operands, place)
        indexes = tuple(self._index(operand, place) for operand in operands)
        shapes = [self.shapes[index] for index in indexes]
        if operation == "matmul" and len(shapes[0]) == len(shapes[1]) == 1:
            operation = "dot"
        name = name or self._free_name()
        symbol = OPERATIONS[operation].symbol
        names = [self.nodes[index].name for index in indexes]
        formula = symbol.format(
            *(names if symbol.endswith(")") else map(parenthesize_negative, names))
        )
        shape = OPERATIONS[operation].shape(*shapes)
        if shape is None:
            raise self._misfit(shorten(f"{name} = {formula}"), operation, shapes, place)
        return self._add(name, operation, indexes, formula, (shape, place))

    def graph(self, result: int) -> Graph:
        """The finished graph.

        Raises:
            ValueError: if the result is not a scalar.
        """
        node, shape = self.nodes[result], self.shapes[result]
        if shape:
            name, formula = shorten(node.name), shorten(node.formula or node.name)
            raise ValueError(
                f"line {node.line}, column {node.column}: the result {name} must be a scalar, "
                f"such as {name} = sum({formula}); "
                f"got a {describe_shape(shape)}"
            )
        return Graph(
            nodes=tuple(self.nodes),
            shapes=tuple(self.shapes),
            leaves=self.leaves,
            constants=self.constants,
            result=result,
            spans=self.spans,
        )

    def _add(
        self,
        name: str,
        operation: str,
        operands: tuple[int, ...],
        formula: str,
        shape_and_place: tuple[Shape, int],
    ) -> int:
        shape, place = shape_and_place
        if prod(shape) > MAX_ENTRIES or len(shape) > 2:
            raise self.source.error(
                place,
                f"{shorten(name)} must have at most 2 axes and {MAX_ENTRIES} entries; "
                f"got a {describe_shape(shape)}",
            )
        if operation != "constant" and len(self.nodes) - len(self.constants) == MAX_NODES:
            raise self.source.error(
                place, f"a program must have at most {MAX_NODES} nodes; got more"
            )
        self.nodes.append(Node(name, operation, operands, formula, *self.source.position(place)))
        self.shapes.append(shape)
        return len(self.nodes) - 1

    def _index(self, operand: Operand, place: int) -> int:
        if isinstance(operand, int):
            return operand
        index = self._add(format_constant(operand), "constant", (), "", ((), place))
        self.constants[index] = torch.tensor(operand, dtype=torch.float64)
        return index

    def _fold(self, operation: str, operands: Sequence[Operand], place: int) -> float:
        if operation == "matmul":
            raise self._misfit("a matrix product", operation, [(), ()], place)
        tensors = [torch.tensor(operand, dtype=torch.float64) for operand in operands]
        value = float(OPERATIONS[operation].forward(*tensors))
        if not isfinite(value) or abs(value) > MAX_MAGNITUDE:
            formula = OPERATIONS[operation].symbol.format(
                *(parenthesize_negative(format_constant(operand)) for operand in operands)
            )
            raise self.source.error(
                place,
                "a number must lie between −1e100 and 1e100; "
                f"got {formula} = {format_number(value)}",
            )
        return value

    def _free_name(self) -> str:
        count = 1
        while f"v{count}" in self.taken:
            count += 1
        self.taken.add(f"v{count}")
        return f"v{count}"

    def _misfit(self, what: str, operation: str, shapes: Sequence[Shape], place: int) -> ValueError:
        rule = "be equal, or one of them 1 along an axis or a scalar"
        if operation in ("matmul", "dot"):
            rule = "be vectors or matrices, as many columns on the left as rows on the right"
        got = " and ".join(describe_shape(shape) for shape in shapes)
        return self.source.error(place, f"in {what} the shapes must {rule}; got {got}")
