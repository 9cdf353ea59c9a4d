"""The closer looks of a computation graph."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.backprop import (
    backprop_figures,
    backprop_picture,
    backprop_state,
    backprop_text,
    walk_text,
)
from lmcore import graph as graphs
from lmcore.graph import Graph, GraphTrace
from lmcore.notation import LEARNING_RATE


def three_methods(graph: Graph, trace: GraphTrace) -> None:
    """Compare gradients by hand, by autograd and by central differences."""
    compared = graphs.compare_gradients(graph, trace)
    rows = [row for each in compared for row in backprop_picture.comparison_rows(graph, each)]
    columns = [
        "node",
        "by hand",
        "autograd",
        "central difference",
        "|hand − autograd|",
        "|hand − c.d.|",
    ]
    ui.table(columns, rows, name="gradients", caption="Every gradient by three methods")
    st.caption(backprop_text.central_words(compared))
    if words := backprop_text.tie_words(graph, trace):
        st.caption(words)


def step_by_step(graph: Graph, live: ui.LiveNumbers) -> None:
    """Draw the whole walk as a table."""
    ui.step_table(walk_text.graph_steps(graph), live, caption="One operation per row")


def descend(graph: Graph) -> None:
    """Gradient descent: the controls (η, leaves, steps) and the curve of L."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate, steps = pace()
        leaves = list(graph.leaves)
        backprop_state.SETTINGS.draw("update", options=leaves)
    wanted = backprop_state.SETTINGS.several("update")
    chosen = [name for name in leaves if name in wanted] or leaves
    loss = graph.nodes[graph.result].name
    try:
        path = graphs.descend(graph, learning_rate=rate, names=chosen, steps=steps)
    except ValueError as error:
        ui.show_error(error)
        return
    made = len(path.losses) - 1
    with st.container(horizontal=True):
        for count, label in ((1, "Take one step"), (made, f"Take {made}")):
            how = (graph, rate, chosen, count)
            st.button(label, on_click=walk_down, args=how, disabled=made < 1, key=f"take {label}")
    st.markdown(backprop_text.step_in_words(graph, path, rate))
    ui.show_figure(
        backprop_figures.descent_curve(path, loss, ui.theme_mode()),
        name="descent",
        reading="Where the steps would lead from here; nothing is applied until you take them.",
        alt=backprop_figures.describe_descent(path, loss),
    )
    if path.stopped:
        st.warning(f"The curve ends {ui.escape_markdown(path.stopped)}", icon=":material/warning:")


def pace() -> tuple[float, int]:
    """Read the learning rate and the number of steps to look ahead."""
    rate = st.number_input(
        LEARNING_RATE.title.capitalize(),
        0.0,
        100.0,
        backprop_state.LESSON.defaults["eta"],
        0.01,
        format="%g",
        key="eta",
        width=160,
        bind="query-params",
        help="Too small: L falls slowly. Too large: L overshoots the minimum",
    )
    steps = st.number_input(
        "Steps",
        1,
        500,
        backprop_state.LESSON.defaults["steps"],
        key="steps",
        width=140,
        bind="query-params",
        help="How far the curve looks ahead",
    )
    return rate, steps


def walk_down(graph: Graph, rate: float, names: list[str], steps: int) -> None:
    """Take `steps` steps of gradient descent on `names`, and store the new leaves."""
    path = graphs.descend(graph, learning_rate=rate, names=names, steps=steps)
    try:
        backprop_state.store_leaves({name: path.leaves[name] for name in names})
    except ValueError as error:
        ui.show_error_later(error)


def more_controls() -> None:
    """Draw the program while presenting, and say what it may hold."""
    if ui.presenting():
        backprop_state.SETTINGS.draw("program")
    st.markdown(
        "**What a program may hold**\n\n"
        "- numbers, vectors and matrices: `3`, `[1, 2]`, `[[1, 2], [3, 4]]`\n"
        "- operators: `+ − * / ^ @` and parentheses\n"
        "- functions: `exp log sigmoid tanh relu max sum`\n"
        "- a remark after `#`\n\n"
        "The last line is differentiated. At most 60 nodes."
    )


def source(program: str) -> None:
    """Show the code that ran, and a snippet that prints every value and gradient."""
    snippet = f"""from lmcore.graph import parse_program, trace_graph

graph = parse_program({program!r})
trace = trace_graph(graph)
for i in graph.variables:
    print(graph.nodes[i].name, trace.values[i].tolist(), trace.gradients[i].tolist())
"""
    ui.show_code(
        graphs.backpropagate,
        graphs.sweep,
        graphs.compare_gradients,
        snippet=snippet,
        name="backprop",
    )
