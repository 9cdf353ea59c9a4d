"""Finds and explains the first value or gradient of a graph that is not finite."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from lmcore.graph.shapes import Value
from lmcore.graph.source import shorten
from lmcore.graph.structure import Graph
from lmcore.numbers import format_number

_SHOWN = 4


def check_values(graph: Graph, values: Sequence[Value]) -> None:
    """Reject values that are not finite.

    Raises:
        ValueError: naming the first such node, its formula, its operands and the reason.
    """
    if _all_finite(values):
        return
    index = next(i for i, value in enumerate(values) if not _all_finite([value]))
    node = graph.nodes[index]
    description = f"{shorten(node.name)} = {shorten(node.formula)}" if node.formula else node.name
    raise ValueError(
        f"line {node.line}, column {node.column}: {description} must be finite; got "
        f"{format_value(values[index])}{_at(graph, index, values)}{_reason(graph, index, values)}"
    )


def check_gradients(
    graph: Graph,
    values: Sequence[Value],
    gradients: Sequence[Value],
    contributions: Sequence[Sequence[Value | None]],
) -> None:
    """Reject gradients that are not finite.

    Raises:
        ValueError: naming the first such gradient on the way back, and where it came from.
    """
    if _all_finite(gradients):
        return
    index = max(i for i, gradient in enumerate(gradients) if not _all_finite([gradient]))
    name = f"∂{shorten(graph.nodes[graph.result].name)}/∂{shorten(graph.nodes[index].name)}"
    through = ": the sum of its paths is too large for a floating-point number"
    for edge in graph.edges:
        part = contributions[edge.target][edge.position]
        if edge.source == index and part is not None and not _all_finite([part]):
            node = graph.nodes[edge.target]
            at = _at(graph, edge.target, values)
            there = f"{shorten(node.name)} = {shorten(node.formula)}{at}"
            through = f" through {there}, which has no finite slope there"
    raise ValueError(f"{name} must be finite; got {format_value(gradients[index])}{through}")


def format_value(value: Value) -> str:
    """A value in a sentence: a number, or the first few entries of a vector or matrix."""
    numbers = [format_number(number) for number in value.reshape(-1)[:_SHOWN].tolist()]
    if value.ndim == 0:
        return numbers[0]
    return f"[{', '.join(numbers)}{', …' if value.numel() > _SHOWN else ''}]"


def _all_finite(values: Sequence[Value]) -> bool:
    return bool(torch.cat([value.reshape(-1) for value in values]).isfinite().all())


def _at(graph: Graph, index: int, values: Sequence[Value]) -> str:
    operands = dict.fromkeys(i for i in graph.nodes[index].operands if i not in graph.constants)
    shown = [f"{shorten(graph.nodes[i].name)} = {format_value(values[i])}" for i in operands]
    return f" at {', '.join(shown)}" if shown else ""


def _reason(graph: Graph, index: int, values: Sequence[Value]) -> str:
    node = graph.nodes[index]
    operands = [values[i] for i in node.operands]
    match node.operation, operands:
        case "leaf", _:
            return ""
        case "divide", [_, below] if bool((below == 0).any()):
            return ": a division by zero"
        case "log", [a] if bool((a <= 0).any()):
            return ": log needs a positive number"
        case "power", [a, b] if bool(((a < 0) & (b != b.round())).any()):
            return ": a negative number has no fractional power"
        case "power", [a, b] if bool(((a == 0) & (b < 0)).any()):
            return ": a negative power of zero is a division by zero"
    return ": too large for a floating-point number"
