"""The sentences and the formula of the picture of the chain rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drawing.live import LiveNumbers
from lessons.backprop.naming import gradient_name, local_name, rich, short
from lmcore.graph import Edge, Graph, local_formula
from lmcore.numbers import format_number

if TYPE_CHECKING:
    from lessons.backprop.chain_view import Chains

EACH = "each leaf"
NUDGE_HELP = "Drag: the change at the start, and with it every change behind it"
LINEAR = frozenset({"add", "subtract", "negate", "multiply", "copy"})
"""Operations whose value is a straight line in each operand alone."""
WORDS = {1: "kept", 2: "doubled", 3: "tripled", 0.5: "halved", 0: "stopped"}
"""A local derivative → what it does to a nudge."""


def move_name(graph: Graph, leaf: str, node: int) -> str:
    """The name of the change of a node when a leaf is nudged."""
    return f"Δ{graph.nodes[node].name} from {leaf}"


def asking(asked: Chains) -> str:
    """The question as long as links are closed."""
    loss = short(asked.graph.nodes[asked.graph.result].name)
    if asked.leaf:
        leaf = rich(short(asked.leaf))
        return f"Nudge **{leaf}** by {{nudge}}. How far does {loss} move, and which way?"
    return f"Multiply the slopes on each path: what are the gradients of {loss}?"


def finding(live: LiveNumbers, asked: Chains) -> str:
    """What becomes of the nudge, or the gradients of several leaves."""
    graph = asked.graph
    loss = short(graph.nodes[graph.result].name)
    if not asked.leaf:
        return _products(asked)
    way = asked.ways[asked.leaf]
    words = _listed([slope_words(live[local_name(graph, edge)]) for edge in way])
    move = f"=={{{move_name(graph, asked.leaf, graph.result)}}}=="
    about = "" if is_linear(graph, way) else "about "
    return (
        f"Nudge **{rich(short(asked.leaf))}** by {{nudge}}: {words}. {loss} moves by {about}{move}."
    )


def _products(asked: Chains) -> str:
    graph, (first, *others) = asked.graph, asked.ways
    loss = short(graph.nodes[graph.result].name)
    named = [f"=={{{gradient_name(graph, graph.index(first))}}}== for {rich(short(first))}"]
    named += [
        f"{{{gradient_name(graph, graph.index(each))}}} for {rich(short(each))}" for each in others
    ]
    paths = "One path" if not others else f"{len(named)} paths"
    return f"{paths} into {loss}, each a product of slopes: {', '.join(named)}."


def moved(asked: Chains) -> str:
    """The sentence while the nudge or a leaf is dragged."""
    graph = asked.graph
    loss = short(graph.nodes[graph.result].name)
    start = "You moved **{label}** from {moved<} to =={moved}==: "
    if asked.leaf:
        move = f"**[gradient|{{{move_name(graph, asked.leaf, graph.result)}}}]**"
        return f"{start}{loss} moves by {move}."
    slopes = []
    for leaf in asked.ways:
        name = gradient_name(graph, graph.index(leaf))
        slopes.append(f"{rich(name)} = **[gradient|{{{name}}}]**")
    return f"{start}{', '.join(slopes)}."


def slope_words(slope: float) -> str:
    """What a link with this local derivative does to a nudge."""
    size = WORDS.get(round(abs(slope), 9), f"multiplied by {format_number(abs(slope))}")
    if slope >= 0:
        return size
    return "turned round" if abs(slope) == 1 else f"turned round and {size}"


def _listed(words: list[str]) -> str:
    return ", ".join(words)


def is_linear(graph: Graph, way: tuple[Edge, ...]) -> bool:
    """Whether every link of a chain is a straight line, so that no nudge is too large."""
    return all(graph.nodes[edge.target].operation in LINEAR for edge in way)


def formula(asked: Chains, *, open_: bool) -> list[str]:
    """The chain rule in letters and, once the links are open, with its numbers."""
    if not asked.leaf:
        return [_product(asked, leaf, letters=False, numbers=open_) for leaf in asked.ways]
    count = len(asked.ways[asked.leaf])
    rule = _product(asked, asked.leaf, letters=True, numbers=open_)
    loss = short(asked.graph.nodes[asked.graph.result].name)
    links = f"{count} link{'s' * (count > 1)} between {rich(short(asked.leaf))} and {loss}"
    linear = is_linear(asked.graph, asked.ways[asked.leaf])
    return [rule, *([links] if not open_ else [] if linear else ["for a small nudge"])]


def _product(asked: Chains, leaf: str, *, letters: bool, numbers: bool) -> str:
    """∂L/∂b = ∂L/∂e · ∂e/∂d · ∂d/∂b = (−2) · 1 · 2 = −4: from the result back."""
    graph, way = asked.graph, asked.ways[leaf][::-1]
    name = gradient_name(graph, graph.index(leaf))
    slopes = [local_name(graph, edge) for edge in way]
    parts = [f"[gradient|{rich(name)}]"]
    if len(way) > 1 and letters:
        parts.append(" · ".join(rich(slope.removeprefix("local ")) for slope in slopes))
    elif len(way) == 1 and not (text := local_formula(graph, *way[0][1:])).isdecimal():
        parts.append(rich(text))
    if numbers or not letters:
        if len(way) > 1:
            parts.append(" · ".join(f"{{{slope}:p}}" for slope in slopes))
        parts.append(f"**[gradient|{{{name}}}]**")
    return " = ".join(parts)


def describe(asked: Chains, *, open_: bool) -> str:
    """Alt text: each chain with its slopes, and what reaches the end."""
    graph = asked.graph
    said = []
    for leaf, way in asked.shown.items():
        nodes = ", ".join(short(graph.nodes[edge.target].name) for edge in way)
        text = f"A chain from {short(leaf)} through {nodes}"
        if open_:
            slopes = ", ".join(f"{{{local_name(graph, edge)}}}" for edge in way)
            end = move_name(graph, leaf, graph.result)
            text += f", with slopes {slopes}: a nudge of {{nudge}} becomes {{{end}}}"
        said.append(text)
    return ". ".join(said) + "."
