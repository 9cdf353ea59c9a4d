"""Sentences about a computation graph: what to notice in its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from lmcore.graph import (
    Descent,
    GradientComparison,
    Graph,
    GraphTrace,
    LeafEntry,
    leaf_entries,
)
from lmcore.numbers import format_number

_CHAIN = (
    " A max of more than two is a chain of max of two, which halves at each link: of four equal "
    "values the first two get ⅛ each, the third ¼, the last ½."
)
TINY = 1e-3
"""A leaf's gradient counts as vanished below this share of the largest in the graph."""


def graph_notice(graph: Graph, trace: GraphTrace) -> list[str]:
    """Which leaf matters most, and what is special about this graph, if anything is."""
    said = []
    slopes = {entry.label: gradient_at(graph, trace, entry) for entry in leaf_entries(graph)}
    largest = max(slopes, key=lambda label: abs(slopes[label]), default="")
    if largest and slopes[largest]:
        loss, leaf = _name(graph, graph.result), _escaped(largest)
        slope = format_number(slopes[largest])
        said.append(f"{loss} moves most with {leaf}: ∂{loss}/∂{leaf} = {slope}.")
    special = (_at_a_kink, _at_a_tie, _cross_entropy, _dead, _vanished, _shared)
    found = (sentence for say in special if (sentence := say(graph, trace)))
    return [*said, *islice(found, 1)]


CENTRAL = (
    "A central difference moves a number v by h to both sides: h is about 2⁻¹⁷ · |v|, and for "
    "|v| below ⅛ at least 2⁻²⁰, unless a smaller h is more accurate."
)
"""How the third method moves a number."""


def central_words(compared: Sequence[GradientComparison]) -> str:
    """How central differences are taken, and where they fail on this graph."""
    failed = [row.name for row in compared if not bool(row.numeric.isfinite().all())]
    if not failed:
        return CENTRAL
    names = ", ".join(_escaped(name) for name in failed)
    return (
        f"{CENTRAL} At {names} it fails: v − h or v + h lies where the program has no finite "
        "value, as next to 0 in log or 0^x. There the first two columns are correct."
    )


def gradient_at(graph: Graph, trace: GraphTrace, entry: LeafEntry) -> float:
    """∂L with respect to one number of one leaf."""
    return float(trace.gradients[graph.index(entry.leaf)][entry.at])


def _name(graph: Graph, index: int) -> str:
    return _escaped(graph.nodes[index].name)


def _escaped(name: str) -> str:
    """A name as Markdown shows it letter by letter; names hold nothing worse than underscores."""
    return name.replace("_", r"\_")


def _relu_inputs(graph: Graph) -> list[tuple[int, int]]:
    return [(i, n.operands[0]) for i, n in enumerate(graph.nodes) if n.operation == "relu"]


def _at_a_kink(graph: Graph, trace: GraphTrace) -> str:
    for _, operand in _relu_inputs(graph):
        if bool((trace.values[operand] == 0).any()):
            return (
                f"{_name(graph, operand)} is exactly 0, where ReLU has no derivative: hand and "
                "autograd take 0, the slide takes 1, and the central difference finds ½."
            )
    return ""


def _at_a_tie(graph: Graph, trace: GraphTrace) -> str:
    pairs = [node.operands for node in graph.nodes if node.operation == "max"]
    tied = [pair for pair in pairs if _equal_somewhere(trace, *pair)]
    if not tied:
        return ""
    left, right = (_name(graph, index) for index in tied[0])
    chain = any(graph.nodes[index].operation == "max" for pair in tied for index in pair)
    return (
        f"{left} and {right} are equal, where max has no derivative: hand and autograd pass ½ of "
        "what arrives to each, and the central difference finds ½." + (_CHAIN if chain else "")
    )


def _equal_somewhere(trace: GraphTrace, left: int, right: int) -> bool:
    return bool((trace.values[left] == trace.values[right]).any())


def _dead(graph: Graph, trace: GraphTrace) -> str:
    for node, operand in _relu_inputs(graph):
        if bool((trace.values[operand] < 0).all()):
            return (
                f"{_name(graph, operand)} is below 0, so the ReLU {_name(graph, node)} is "
                "**dead**: it passes nothing down, and everything before it stops learning."
            )
    return ""


def _cross_entropy(graph: Graph, trace: GraphTrace) -> str:
    """States that sigmoid and binary cross-entropy together have the derivative a − y."""
    loss = _name(graph, graph.result)
    scalars = [name for name in graph.leaves if not graph.shapes[graph.index(name)]]
    for out, node in enumerate(graph.nodes):
        if node.operation != "sigmoid" or graph.shapes[out]:
            continue
        a, slope = float(trace.values[out]), float(trace.gradients[node.operands[0]])
        for name in scalars:
            y = float(graph.leaves[name])
            if y in (0.0, 1.0) and abs(slope - (a - y)) <= 1e-12:
                z = _name(graph, node.operands[0])
                letters = f"{_escaped(node.name)} − {_escaped(name)}"
                numbers = f"{format_number(a)} − {format_number(y)} = {format_number(slope)}"
                return (
                    f"∂{loss}/∂{z} = {letters} = {numbers}: "
                    "cross-entropy cancels the sigmoid's slope, which is near 0 at its flat ends."
                )
    return ""


def _vanished(graph: Graph, trace: GraphTrace) -> str:
    sizes = {
        i: float(trace.gradients[i].abs().max()) for i in graph.variables if i in graph.reaching
    }
    leaf = min(
        (graph.index(name) for name in graph.leaves if graph.index(name) in sizes),
        key=sizes.__getitem__,
        default=None,
    )
    if leaf is None or not 0 < sizes[leaf] < TINY * max(sizes.values()):
        return ""
    return (
        f"Of the 1 at the end, only {format_number(sizes[leaf])} arrives at "
        f"{_name(graph, leaf)}: the local derivatives on the way multiply, and the gradient "
        "**vanishes**."
    )


def _shared(graph: Graph, trace: GraphTrace) -> str:
    paths = Counter(edge.source for edge in graph.edges)
    shared = [i for i, count in paths.items() if count > 1]
    if not shared:
        return ""
    names = ", ".join(_name(graph, i) for i in shared[:3])
    return (
        f"{names} {'is' if len(shared) == 1 else 'are'} used more than once: contributions add up."
    )


def step_in_words(graph: Graph, path: Descent, learning_rate: float) -> str:
    """L before and after one step, with the rule that made it."""
    loss, losses = _name(graph, graph.result), path.losses.tolist()
    rule = f"θ ← θ − η·∂{loss}/∂θ with η = {format_number(learning_rate)}"
    if len(losses) < 2:
        return f"{rule}: {loss} = {format_number(losses[0])}."
    ahead = len(losses) - 1
    further = f", {ahead} steps to **{format_number(losses[-1])}**" if ahead > 1 else ""
    return (
        f"{rule}: one step takes {loss} from **{format_number(losses[0])}** to "
        f"**{format_number(losses[1])}**{further}."
    )
