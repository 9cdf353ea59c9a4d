"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ui
from lessons.backprop import backprop_state, backprop_text, chain_text, naming, walk_text
from lmcore import graph as graphs
from lmcore.graph import Graph, GraphTrace, LeafEntry, WalkStep
from lmcore.numbers import format_number

if TYPE_CHECKING:
    from lessons.backprop.blame_view import Blame
    from lessons.backprop.chain_view import Chains


def questions(graph: Graph, trace: GraphTrace, step: int) -> list[ui.Question]:
    """What the page asks: the next step, two gradients, and what a gradient means."""
    backprop_state.ask_about_the_next(step)
    live = ui.live_numbers("backprop", naming.by_name(graph, trace), [], {})
    steps = graphs.walk(graph)
    following = [_next_step(graph, live, steps[step], step + 1)] if 0 < step < len(steps) else []
    entries = graphs.leaf_entries(graph)
    asked = [_gradient(graph, trace, entry) for entry in entries[:2]]
    most = max(entries, key=lambda each: abs(backprop_text.gradient_at(graph, trace, each)))
    return [*(each for each in following if each), *asked, _nudge(graph, trace, most)]


def _next_step(
    graph: Graph, live: ui.LiveNumbers, step: WalkStep, number: int
) -> ui.Question | None:
    (i,) = step.nodes
    if graph.shapes[i]:
        return None
    node, forward = graph.nodes[i], step.kind == "forward"
    name = naming.value_name(graph, i) if forward else naming.gradient_name(graph, i)
    formula = f" = {node.formula}" if forward else ""
    write = walk_text.forward_text if forward else walk_text.backward_text
    return ui.Question(
        f"step{number}",
        f"Next step: what is {ui.escape_markdown(f'{name}{formula}')}?",
        live[name],
        f"{ui.escape_markdown(live.fill(write(graph, step)))}. Press **Step** to see it.",
        hint="Put in the values of the nodes before it."
        if forward
        else "Multiply what arrived by the number on the edge; add over the paths.",
    )


def _gradient(graph: Graph, trace: GraphTrace, entry: LeafEntry) -> ui.Question:
    loss, leaf = graph.nodes[graph.result].name, graph.index(entry.leaf)
    place = naming.entry_name(entry).removeprefix(entry.leaf)
    name = f"{naming.gradient_name(graph, leaf)}{place}"
    passed = [naming.passed_name(graph, e) for e in graph.edges if e.source == leaf]
    return ui.Question(
        f"gradient {entry.label}",
        f"What is {ui.escape_markdown(f'∂{loss}/∂{entry.label}')}?",
        backprop_text.gradient_at(graph, trace, entry),
        "Multiply along each path to the end, and add over the paths.",
        hint="Begin with the 1 at the end, and multiply by the number on each edge.",
        hides=(name, *passed),
    )


def _nudge(graph: Graph, trace: GraphTrace, entry: LeafEntry) -> ui.Question:
    loss = ui.escape_markdown(graph.nodes[graph.result].name)
    leaf, slope = ui.escape_markdown(entry.label), backprop_text.gradient_at(graph, trace, entry)
    return ui.Question(
        "nudge",
        f"Raise {leaf} by 0.01. By about how much does {loss} change?",
        0.01 * slope,
        f"∂{loss}/∂{leaf} = {format_number(slope)}: {loss} changes that many times as much.",
        hint="A gradient is the change of the result for a small change of 1 unit.",
    )


CLOSED = "A slope of 0: how much of a nudge gets past it?"


def chain_questions(live: ui.LiveNumbers, asked: Chains) -> list[ui.Question]:
    """What the chain asks: how far the result moves, a gradient, what a slope of 0 lets pass."""
    graph = asked.graph
    leaf = asked.leaf or next(iter(asked.ways))
    way = asked.ways[leaf]
    loss, start = graph.nodes[graph.result].name, ui.escape_markdown(leaf)
    gradient = naming.gradient_name(graph, graph.index(leaf))
    move = chain_text.move_name(graph, leaf, graph.result)
    moves = [chain_text.move_name(graph, leaf, edge.target) for edge in way]
    slopes = [naming.local_name(graph, edge) for edge in way]
    factors = " · ".join(live.fill(f"{{{slope}:p}}") for slope in slopes)
    nudge = format_number(asked.nudge)
    return [
        ui.Question(
            "chain",
            f"Nudge {start} by {nudge}. By how much does {ui.escape_markdown(loss)} move?",
            live[move],
            f"{nudge} · {factors}: every link multiplies what arrives by its slope.",
            hint="Take the links one by one, and mind the sign.",
            hides=(*moves, *slopes, gradient),
        ),
        ui.Question(
            "product",
            f"What is {ui.escape_markdown(gradient)}?",
            live[gradient],
            f"It is the product of the slopes on the way: {factors}.",
            hint="Multiply the numbers on the links.",
            hides=(*moves[-1:], gradient),
        ),
        ui.Question(
            "closed",
            CLOSED,
            "none of it",
            "A product with a factor of 0 is 0, whatever the other slopes are.",
            hint="Multiply.",
            options=("none of it", "half of it", "all of it"),
        ),
    ]


def blame_questions(live: ui.LiveNumbers, asked: Blame) -> list[ui.Question]:
    """What the network asks: which weights stay, one unit's share, and the other target."""
    net, graph = asked.network, asked.graph
    slopes = [asked.gradient(net.weights, i, j) for i in asked.units for j in asked.inputs]
    still = sum(live[name] == 0 for name in slopes)
    share, start = asked.gradient(net.hidden, 0), asked.gradient(net.out_sum)
    weight = asked.value(net.out_weights, 0)
    out, target = (ui.escape_markdown(graph.nodes[node].name) for node in (net.output, net.target))
    turned = round(1 - live[asked.value(net.target)], 10)
    behind = [asked.gradient(net.sums, i) for i in asked.units]
    local = [asked.local(net.hidden, i) for i in asked.units]
    return [
        ui.Question(
            "still",
            f"How many of the {len(slopes)} first-layer weights will not change?",
            float(still),
            "A ReLU that was off has slope 0: no blame gets through to the weights before it.",
            hint="Look for units whose z is below 0.",
            hides=(*slopes, *behind, *local),
        ),
        ui.Question(
            "share",
            "How much of the blame arrives at unit 1?",
            live[share],
            live.fill(f"{{{start}:p}} · {{{weight}:p}}: the weight between them scales it."),
            hint="Multiply what starts at the output by the weight on the edge.",
            hides=(share, *slopes, *behind),
        ),
        ui.Question(
            "turned",
            f"{target} = {format_number(turned)} instead: what is {out} − {target} then?",
            live[asked.value(net.output)] - turned,
            "Only the target changes; what flows back has another sign on every edge.",
            hint=f"{out} stays as it is.",
        ),
    ]
