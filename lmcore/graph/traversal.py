"""Lists the steps through a graph: forward node by node, then backward.

Names and formulas only; the numbers of each step are those of the trace at the same indexes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lmcore import dataframes
from lmcore.dataframes import Table
from lmcore.graph.operations import OPERATIONS
from lmcore.graph.structure import Edge, Graph, format_constant, parenthesize_negative

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Term:
    """One path back into a node: what one edge passes down.

    Its numbers: upstream is `gradients[target]`, local is `locals[target][position]`, and their
    product is `contributions[target][position]`.
    """

    target: int
    position: int
    upstream: str
    """"∂L/∂d"."""
    local: str
    """"∂d/∂b"."""
    formula: str
    """The local derivative in node names: "2", "σ·(1 − σ)" with the node's own name for σ."""
    product: str
    """"∂L/∂d × ∂d/∂b", or "∂L/∂z · xᵀ" where the two meet in a matrix product."""
    summed: bool
    """True where the operand was repeated to fit, so that its parts are added up."""


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One step of the walk."""

    kind: Literal["forward", "backward"]
    nodes: tuple[int, ...]
    """One node, but for the first step: all leaves together."""
    text: str
    """"d = 2 × b", or "∂L/∂b = ∂L/∂d × ∂d/∂b"."""
    terms: tuple[Term, ...] = ()
    """For a backward step, one per path; none for the result, or a node that L does not use."""

    def to_frame(self) -> DataFrame:
        """One row: kind, text."""
        return dataframes.one_row({"kind": self.kind, "text": self.text})


def walk(graph: Graph) -> Table[WalkStep]:
    """All leaves, each computed node in order, then every node from the result back."""
    leaves = tuple(i for i in graph.variables if graph.nodes[i].operation == "leaf")
    given = WalkStep("forward", leaves, ", ".join(graph.nodes[i].name for i in leaves))
    computed = [
        WalkStep("forward", (i,), f"{graph.nodes[i].name} = {graph.nodes[i].formula}")
        for i in graph.variables
        if i not in leaves
    ]
    edges: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        if edge.target in graph.reaching:
            edges.setdefault(edge.source, []).append(edge)
    backward = [_backward(graph, i, edges.get(i, [])) for i in reversed(graph.variables)]
    # The result comes first; nodes that L does not depend on come last.
    backward.sort(key=lambda step: step.nodes[0] not in graph.reaching)
    return Table((given, *computed, *backward))


def local_formula(graph: Graph, target: int, position: int) -> str:
    """∂target/∂operand in node names: "b" for the first operand of a × b."""
    node = graph.nodes[target]
    names = [parenthesize_negative(graph.nodes[operand].name) for operand in node.operands]
    if node.operation == "power" and position == 0 and node.operands[1] in graph.constants:
        return _power_rule(names[0], float(graph.constants[node.operands[1]]))
    formula = OPERATIONS[node.operation].derivatives[position].formula
    return formula.format(*names, out=node.name)


def _power_rule(base: str, exponent: float) -> str:
    below = parenthesize_negative(format_constant(exponent - 1))
    power = "" if exponent == 2 else f"^{below}"
    return f"{parenthesize_negative(format_constant(exponent))}·{base}{power}"


def _backward(graph: Graph, index: int, edges: list[Edge]) -> WalkStep:
    terms = tuple(_term(graph, edge) for edge in edges)
    right = " + ".join(term.product for term in terms) or ("1" if index == graph.result else "0")
    return WalkStep("backward", (index,), f"{_gradient(graph, index)} = {right}", terms)


def _term(graph: Graph, edge: Edge) -> Term:
    target, name = graph.nodes[edge.target], graph.nodes[edge.source].name
    upstream, local = _gradient(graph, edge.target), f"∂{target.name}/∂{name}"
    formula = local_formula(graph, edge.target, edge.position)
    meeting = OPERATIONS[target.operation].derivatives[edge.position].meeting
    products = {
        "times": f"{upstream} × {local}",
        "before": f"{upstream} · {formula}",
        "after": f"{formula} · {upstream}",
    }
    elementwise = meeting == "times" and target.operation not in ("sum", "dot")
    repeated = graph.shapes[edge.source] != graph.shapes[edge.target]
    return Term(
        target=edge.target,
        position=edge.position,
        upstream=upstream,
        local=local,
        formula=formula,
        product=products[meeting],
        summed=elementwise and repeated,
    )


def _gradient(graph: Graph, index: int) -> str:
    return f"∂{graph.nodes[graph.result].name}/∂{graph.nodes[index].name}"
