"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.backprop import backprop_state, backprop_text, naming, walk_text
from lmcore import graph as graphs
from lmcore.graph import Graph, GraphTrace, LeafEntry, WalkStep
from lmcore.numbers import format_number


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
