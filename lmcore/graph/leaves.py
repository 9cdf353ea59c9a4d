"""The numbers of a graph's leaves: one by one for sliders, and written back into the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
import torch
from torch import Tensor

from lmcore.checks import check_one_of
from lmcore.graph.build import MAX_MAGNITUDE
from lmcore.graph.program import parse_program
from lmcore.graph.shapes import Shape, Value, describe_shape
from lmcore.graph.structure import Graph

Number: TypeAlias = int | float
LeafNumbers: TypeAlias = (
    Tensor | np.ndarray | Number | Sequence[Number] | Sequence[Sequence[Number]]
)


class LeafEntry(NamedTuple):
    """One number of one leaf."""

    leaf: str
    at: tuple[int, ...]
    """From 0, as tensors count."""
    label: str
    """From 1, as people count: "W[1,2]"."""


def leaf_entries(graph: Graph) -> tuple[LeafEntry, ...]:
    """Every number of every leaf, leaf by leaf and row by row."""
    return tuple(
        LeafEntry(name, at, _label(name, at))
        for name, value in graph.leaves.items()
        for at in product(*map(range, value.shape))
    )


def with_leaf_values(program: str, values: Mapping[str, LeafNumbers]) -> str:
    """The same program with other numbers on the lines of the leaves in `values`.

    Numbers are written with as few digits as read back the same; all else stays as typed.

    Raises:
        ValueError: if the program cannot be read, or a value does not suit its leaf.
    """
    graph = parse_program(program)
    new = {name: torch.as_tensor(value, dtype=torch.float64) for name, value in values.items()}
    replace_leaves(graph, new)
    text = program.replace("\r\n", "\n").replace("\r", "\n")
    for name in sorted(new, key=lambda name: graph.spans[name], reverse=True):
        if not bool((new[name].abs() <= MAX_MAGNITUDE).all()):
            got = new[name].tolist()
            raise ValueError(f"{name} must lie between −1e100 and 1e100; got {got}")
        start, end = graph.spans[name]
        text = text[:start] + _written(new[name].tolist()) + text[end:]
    return text


def replace_leaves(graph: Graph, leaves: Mapping[str, LeafNumbers]) -> dict[str, Value]:
    """The graph's leaves with those in `leaves` in place of the program's.

    Raises:
        ValueError: if one is not a leaf of the graph, is not a number, or has another shape.
    """
    new = {name: _numbers(name, value) for name, value in leaves.items()}
    for name, value in new.items():
        check_leaf(graph, name)
        wanted, got = tuple(graph.leaves[name].shape), tuple(value.shape)
        if got != wanted:
            raise ValueError(
                f"{name} must be a {describe_shape(wanted)}; got a {describe_shape(got)}"
            )
    return {**graph.leaves, **new}


def _numbers(name: str, value: LeafNumbers) -> Value:
    try:
        return torch.as_tensor(value, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(f"{name} must be a number or rows of numbers; got {value!r:.60}") from None


def check_leaf(graph: Graph, name: str) -> None:
    """Reject a name that is not a leaf's.

    Raises:
        ValueError: naming the leaves there are.
    """
    check_one_of("a leaf", name, graph.leaves)


def number_labels(name: str, shape: Shape) -> list[str]:
    """The label of each number of a node, row by row: "W[1,1]", "W[1,2]" …, or its name alone."""
    return [_label(name, at) for at in product(*map(range, shape))]


def _label(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{','.join(str(i + 1) for i in index)}]" if index else name


def _written(numbers: float | list[float] | list[list[float]]) -> str:
    if isinstance(numbers, list):
        return f"[{', '.join(map(_written, numbers))}]"
    return repr(numbers + 0.0).removesuffix(".0")  # + 0.0: no minus before a zero
