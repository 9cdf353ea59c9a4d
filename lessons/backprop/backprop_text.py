"""Sentences about a computation graph: what to notice in its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lessons.backprop.naming import entry_name, gradient_name, rich, short
from lmcore.graph import (
    Descent,
    GradientComparison,
    Graph,
    GraphTrace,
    LeafEntry,
    leaf_entries,
    only_way,
)
from lmcore.numbers import format_number

MOST_NAMED = 20
"""The most nodes that the alt text lists."""

FAR_BELOW = 10.0
"""A loss that ends below minus this many times its initial size counts as having no minimum."""
TINY = 1e-3
"""A leaf's gradient counts as vanished below this share of the 1 at the end."""
LEAST_LINKS = 3
"""How many local derivatives in a row must shrink a gradient for it to count as vanished."""


def graph_finding(graph: Graph, trace: GraphTrace) -> str:
    """What is special about this graph or, if nothing is, which leaf moves the result most.

    It is a sentence of drawing/rich_text.js: its numbers follow the sliders.
    """
    special = (_at_a_kink, _at_a_tie, _cross_entropy, _dead, _vanished, _shared, _unmoved)
    found = (sentence for say in special if (sentence := say(graph, trace)))
    return next(found, None) or _largest(graph, trace)


def _largest(graph: Graph, trace: GraphTrace) -> str:
    slopes = {entry: gradient_at(graph, trace, entry) for entry in leaf_entries(graph)}
    entry = max(slopes, key=lambda each: abs(slopes[each]))
    loss, leaf = _name(graph, graph.result), short(entry.label)
    name = gradient_name(graph, graph.index(entry.leaf))
    place = entry_name(entry).removeprefix(entry.leaf)
    slope = f"=={{{name}{place}}}=="
    if graph.result == graph.index(entry.leaf):
        return f"{loss} is a leaf itself: its gradient is {slope}."
    return (
        f"{loss} moves most with **{rich(leaf)}**: ∂{loss}/∂{rich(leaf)} = {slope}. "
        "Drag a leaf: values and gradients follow."
    )


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
    return short(graph.nodes[index].name)


def _relu_inputs(graph: Graph) -> list[tuple[int, int]]:
    return [(i, n.operands[0]) for i, n in enumerate(graph.nodes) if n.operation == "relu"]


def _at_a_kink(graph: Graph, trace: GraphTrace) -> str:
    for _, operand in _relu_inputs(graph):
        if bool((trace.values[operand] == 0).any()):
            part = "" if bool((trace.values[operand] == 0).all()) else "A number of "
            return (
                f"{part}**{_name(graph, operand)}** is exactly 0, where ReLU has no slope: "
                "by hand it counts as 0, on the slide as 1, and a central difference finds ½."
            )
    return ""


def _at_a_tie(graph: Graph, trace: GraphTrace) -> str:
    tied = _ties(graph, trace)
    if not tied:
        return ""
    left, right = (_name(graph, index) for index in tied[0])
    one, other = (trace.values[index] for index in tied[0])
    part = "" if bool((one == other).all()) else "Numbers of "
    return (
        f"{part}**{left}** and **{right}** are equal, where max has no derivative: "
        "each gets ½ of what arrives, and a central difference finds ½ too."
    )


def _ties(graph: Graph, trace: GraphTrace) -> list[tuple[int, ...]]:
    """The operands of each max that are equal, but are not one and the same node."""
    pairs = [node.operands for node in graph.nodes if node.operation == "max"]
    return [pair for pair in pairs if len({*pair}) > 1 and _equal_somewhere(trace, *pair)]


def tie_words(graph: Graph, trace: GraphTrace) -> str:
    """How a tie in a max of more than two is shared; empty if there is none."""
    tied = _ties(graph, trace)
    if not any(graph.nodes[index].operation == "max" for pair in tied for index in pair):
        return ""
    return (
        "A max of more than two is a chain of max of two, which halves at each link: of four "
        "equal values the first two get ⅛ each, the third ¼, the last ½."
    )


def _equal_somewhere(trace: GraphTrace, left: int, right: int) -> bool:
    return bool((trace.values[left] == trace.values[right]).any())


def _dead(graph: Graph, trace: GraphTrace) -> str:
    for node, operand in _relu_inputs(graph):
        if node in graph.reaching and bool((trace.values[operand] < 0).all()):
            return (
                f"**{_name(graph, operand)}** is below 0, so the ReLU **{_name(graph, node)}** is "
                "**dead**: it passes ==0== back, and nothing learns through it."
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
                z = node.operands[0]
                letters = f"{short(node.name)} − {short(name)}"
                numbers = f"{{{node.name}}} − {{{name}}} = =={{{gradient_name(graph, z)}}}=="
                return (
                    f"∂{loss}/∂{_name(graph, z)} = {letters} = {numbers}: "
                    "cross-entropy cancels the slope of the sigmoid."
                )
    return ""


def _vanished(graph: Graph, trace: GraphTrace) -> str:
    """States that a gradient shrank at each of several links on the only way to a leaf."""
    for name in graph.leaves:
        leaf = graph.index(name)
        links = only_way(graph, leaf)
        sizes = [
            float(local.abs())
            for e in links
            if (local := trace.locals[e.target][e.position]) is not None
        ]
        arrived = float(trace.gradients[leaf].abs().max())
        if len(links) >= LEAST_LINKS and max(sizes) < 1 and 0 < arrived < TINY:
            return (
                f"Of the 1 at the end, =={{{gradient_name(graph, leaf)}}}== arrives at "
                f"**{short(name)}**: {len(links)} local derivatives below 1 multiply, "
                "and the gradient **vanishes**."
            )
    return ""


def _shared(graph: Graph, trace: GraphTrace) -> str:
    paths = Counter(edge.source for edge in graph.edges if edge.target in graph.reaching)
    shared = [i for i, count in paths.items() if count > 1]
    if not shared:
        return ""
    names = [f"**{_name(graph, i)}**" for i in shared[:3]]
    named = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    are = "is" if len(shared) == 1 else "are"
    first = shared[0]
    total = "" if graph.shapes[first] else f": =={{{gradient_name(graph, first)}}}== at {names[0]}"
    return f"{named} {are} used more than once. What comes back on each path is **added**{total}."


def _unmoved(graph: Graph, trace: GraphTrace) -> str:
    if any(bool((trace.gradients[graph.index(name)] != 0).any()) for name in graph.leaves):
        return ""
    loss = _name(graph, graph.result)
    why = ""
    if any(_passes_nothing(graph, trace, i) for i in graph.reaching):
        why = ": **max** passes the gradient to the larger value only"
    return (
        f"To first order no small move of a leaf changes {loss}. "
        f"Every leaf’s gradient is ==0=={why}."
    )


def _passes_nothing(graph: Graph, trace: GraphTrace, i: int) -> bool:
    """Whether a node is a max with an operand that receives no gradient, being the smaller one."""
    if graph.nodes[i].operation != "max":
        return False
    pairs = zip(graph.nodes[i].operands, trace.locals[i], strict=True)
    return any(
        operand not in graph.constants and local is not None and not bool(local.any())
        for operand, local in pairs
    )


def _escaped(name: str) -> str:
    """A name escaped for Markdown; underscores are the only special characters in names."""
    return short(name).replace("_", r"\_")


def step_in_words(graph: Graph, path: Descent, learning_rate: float) -> str:
    """L before and after one step, with the rule that made it."""
    loss, losses = _escaped(graph.nodes[graph.result].name), path.losses.tolist()
    rule = f"θ ← θ − η·∂{loss}/∂θ with η = {format_number(learning_rate)}"
    if len(losses) < 2:
        return f"{rule}: {loss} = {format_number(losses[0])}."
    ahead = len(losses) - 1
    further = f", {ahead} steps to **{format_number(losses[-1])}**" if ahead > 1 else ""
    return (
        f"{rule}: one step takes {loss} from **{format_number(losses[0])}** to "
        f"**{format_number(losses[1])}**{further}.{_endless(loss, losses)}"
    )


def _endless(loss: str, losses: list[float]) -> str:
    """A remark for a loss that falls far below zero: there is nothing to learn from it."""
    if losses[-1] >= -FAR_BELOW * max(1.0, abs(losses[0])):
        return ""
    return (
        f" {loss} keeps falling below 0. A loss to learn from has a smallest value, as a "
        "square has 0: see the example of linear regression."
    )


def describe_graph(graph: Graph) -> str:
    """The alt text of the picture: its nodes, which the picture fills with their numbers."""
    nodes = [
        f"{short(graph.nodes[i].name)} = {graph.nodes[i].formula}"
        if graph.nodes[i].formula
        else short(graph.nodes[i].name)
        for i in graph.variables
    ]
    more = f" and {len(nodes) - MOST_NAMED} more" if len(nodes) > MOST_NAMED else ""
    return f"Computation graph with {len(nodes)} nodes: {', '.join(nodes[:MOST_NAMED])}{more}."


def moved_sentence(graph: Graph) -> str:
    """The sentence while a leaf is dragged and everything is computed."""
    result = graph.nodes[graph.result].name
    return (
        "You moved **{label}** from {moved<} to =={moved}==: "
        f"{short(result)} went from {{{result}<}} to **[loss|{{{result}}}]**. "
        "Every gradient follows."
    )
