"""The names of a graph's numbers, and the templates that hold them.

"a" and "W(1,2)" are values, "∂L/∂a" is a gradient, "local ∂d/∂b" the local derivative of an edge,
and "∂L/∂b through d" what that edge passes down.
"""

from __future__ import annotations

from itertools import product

from torch import Tensor

from lmcore.graph import OPERATIONS, Edge, Graph, GraphTrace, LeafEntry, describe_shape

SHOWN = 4
"""The most entries of a tensor written on its node; the step table has them all."""
LONGEST = 14
"""The most letters of a name in a sentence."""


def by_name(graph: Graph, trace: GraphTrace) -> dict[str, Tensor]:
    """Every number of a trace by its name in the templates; leading axes are kept."""
    named: dict[str, Tensor] = {}
    for i in graph.variables:
        shape = graph.shapes[i]
        named |= _entries(value_name(graph, i), trace.values[i], shape)
        named |= _entries(gradient_name(graph, i), trace.gradients[i], shape)
    for edge in graph.edges:
        t, p = edge.target, edge.position
        local, part = trace.locals[t][p], trace.contributions[t][p]
        if local is not None and part is not None and is_entrywise(graph, edge):
            shape = graph.shapes[t]
            named |= _entries(local_name(graph, edge), local, shape)
            named |= _entries(passed_name(graph, edge), part, shape)
    return named


def value_name(graph: Graph, i: int) -> str:
    """The name of a node's value; of a tensor's entries, the part before the parentheses."""
    return graph.nodes[i].name


def gradient_name(graph: Graph, i: int) -> str:
    """The name of a node's gradient."""
    return f"∂{graph.nodes[graph.result].name}/∂{graph.nodes[i].name}"


def local_name(graph: Graph, edge: Edge) -> str:
    """The name of an edge's local derivative."""
    names = f"∂{graph.nodes[edge.target].name}/∂{graph.nodes[edge.source].name}"
    return f"local {names}{_turn(graph, edge)}"


def passed_name(graph: Graph, edge: Edge) -> str:
    """The name of what an edge passes down: upstream times local."""
    through = f" through {graph.nodes[edge.target].name}"
    return f"{gradient_name(graph, edge.source)}{through}{_turn(graph, edge)}"


def entry_name(entry: LeafEntry) -> str:
    """The name of one number of a leaf: its label with round parentheses."""
    return entry.label.replace("[", "(").replace("]", ")")


def is_twin(graph: Graph, edge: Edge) -> bool:
    """Whether another edge joins the same two nodes."""
    ends = edge.source, edge.target
    return sum((each.source, each.target) == ends for each in graph.edges) > 1


def _turn(graph: Graph, edge: Edge) -> str:
    return f", operand {edge.position + 1}" if is_twin(graph, edge) else ""


def is_entrywise(graph: Graph, edge: Edge) -> bool:
    """Whether a local derivative has a number for each number of its operand.

    Shapes alone do not decide: for a square matrix times a vector it is the whole matrix.
    """
    operation = OPERATIONS[graph.nodes[edge.target].operation]
    meeting = operation.derivatives[edge.position].meeting
    return meeting == "times" and graph.shapes[edge.target] == graph.shapes[edge.source]


def names(name: str, shape: tuple[int, ...]) -> list[str]:
    """The names of a tensor's numbers, row by row; of a scalar, its own."""
    places = product(*(range(1, size + 1) for size in shape))
    return [f"{name}({','.join(map(str, at))})" if at else name for at in places]


def _entries(name: str, value: Tensor, shape: tuple[int, ...]) -> dict[str, Tensor]:
    lead = value.shape[: value.ndim - len(shape)]
    flat = value.reshape(*lead, -1)
    return {each: flat[..., k] for k, each in enumerate(names(name, shape))}


def tensor_template(name: str, shape: tuple[int, ...], *, most: int | None = None) -> str:
    """{x} for a scalar, [{x(1)}, {x(2)}] for a vector, rows of rows for a matrix.

    With `most`, a longer vector is cut with an ellipsis and a matrix is named by its shape.
    """
    slots = [f"{{{each}}}" for each in names(name, shape)]
    if not shape:
        return slots[0]
    if len(shape) == 1:
        cut = slots if most is None or len(slots) <= most else [*slots[: most - 1], "…"]
        return f"[{', '.join(cut)}]"
    if most is not None:
        return describe_shape(shape)
    rows, columns = shape
    parts = [f"[{', '.join(slots[r * columns : (r + 1) * columns])}]" for r in range(rows)]
    return f"[{', '.join(parts)}]"


def value_of(graph: Graph, i: int, *, most: int | None = None) -> str:
    """The template of a node's value."""
    return tensor_template(value_name(graph, i), graph.shapes[i], most=most)


def gradient_of(graph: Graph, i: int, *, most: int | None = None) -> str:
    """The template of a node's gradient."""
    return tensor_template(gradient_name(graph, i), graph.shapes[i], most=most)


def short(name: str) -> str:
    """A name as it appears in a sentence: a long one is cut."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def rich(template: str) -> str:
    """A template as it appears in a sentence or formula, where brackets are marks."""
    return template.replace("[", "\\[").replace("]", "\\]")
