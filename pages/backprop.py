"""A computation graph: type it, walk it forward and backward, drag a leaf, take a step downhill."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from lessons.backprop import figures
from lessons.backprop import picture as pictures
from lessons.backprop import text as words
from lmcore import graph as graphs
from lmcore import parsing
from lmcore.graph import Graph, GraphTrace, LeafEntry
from lmcore.notation import LEARNING_RATE

LESSON = ui.lesson("backprop")
MOST_SLIDERS = 7
PANELS = (
    "Three methods",
    "Step by step",
    "Gradient descent",
    "Check yourself",
    "Code",
    "The slide says",
)
GraphState = tuple[str, Graph, GraphTrace]


@st.fragment
def lab() -> None:
    """Program and sliders left, graph right; only this reruns while the graph is explored."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        st.text_area(
            "Program, one assignment a line",
            LESSON.defaults["program"],
            key="program",
            bind="query-params",
            height=220,
            help="The last line is differentiated. Use + − * / ^ ( ) @ and "
            "exp log sigmoid tanh relu max sum. Values are numbers, [1, 2] or [[1, 2], [3, 4]].",
        )
        for name in ("leaf", "update"):
            ui.address_value(name, LESSON.defaults[name])
        check_the_address()
        program, graph, trace = ui.validated_or_previous("backprop", read_graph, default_graph)
        live = slider_numbers(graph, trace, chosen_entries(graph))
        ui.sliders(live, on_settled=store_slider)
    with right:
        how = pictures.graph_picture(graph) | {"at": step_shown()}
        ui.picture("graph", live, how, on_told=lambda at: ui.set_controls({"at": str(at)}))
        ui.notice(*words.graph_notice(graph, trace))
    draw = (
        lambda: three_methods(graph, trace),
        lambda: ui.step_table(pictures.graph_steps(graph), live, caption="One operation a row"),
        lambda: descend(graph),
        lambda: predict(graph, trace),
        lambda: source(program),
        lambda: ui.slide_corrections("backprop"),
    )
    ui.sections(dict(zip(PANELS, draw, strict=True)), key="panel")
    with top:
        ui.presets(LESSON)


def read_graph() -> GraphState:
    """The graph of the program, run once forward and once backward."""
    return trace_program(st.session_state["program"])


def default_graph() -> GraphState:
    return trace_program(LESSON.defaults["program"])


def trace_program(program: str) -> GraphState:
    graph = graphs.parse_program(program)
    return program, graph, graphs.trace_graph(graph)


def check_the_address() -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("at", (-1.0, 999.0))
    ui.check_address_value("eta", (0.0, 100.0))
    ui.check_address_value("steps", (1.0, 500.0))
    ui.check_address_value("panel", PANELS)


def step_shown() -> int:
    """The step of the walk in the address; what is no number counts as the end, -1."""
    asked = ui.address_value("at", LESSON.looks["at"])
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else -1


def chosen_entries(graph: Graph) -> tuple[LeafEntry, ...]:
    """The numbers that get a slider: all of them, or where they are many those of one leaf."""
    every = graphs.leaf_entries(graph)
    if len(every) <= MOST_SLIDERS:
        return every
    names = list(graph.leaves)
    leaf = st.session_state["leaf"] if st.session_state["leaf"] in names else names[0]
    st.session_state["moving"] = leaf

    def chosen() -> None:
        st.session_state["leaf"] = st.session_state["moving"]

    st.segmented_control(
        "Sliders for", names, required=True, wrap=True, key="moving", on_change=chosen
    )
    own = tuple(entry for entry in every if entry.leaf == leaf)
    if len(own) > MOST_SLIDERS:
        st.caption(f"The first {MOST_SLIDERS} of {len(own)}; the others move in the program.")
    return own[:MOST_SLIDERS]


def slider_numbers(
    graph: Graph, trace: GraphTrace, moving: tuple[LeafEntry, ...]
) -> ui.LiveNumbers:
    """Every number of the graph now and at every position of every slider."""
    sliders = [slider(graph, entry) for entry in moving]
    positions = torch.tensor(np.array([s.positions for s in sliders]))
    now = pictures.by_name(graph, trace)
    swept = pictures.by_name(graph, graphs.sweep(graph, moving, positions))
    return ui.live_numbers("backprop", now, sliders, swept)


def slider(graph: Graph, entry: LeafEntry) -> ui.Slider:
    value = float(graph.leaves[entry.leaf][entry.at])
    look_for = "Drag: values move from here on, gradients move everywhere"
    return ui.Slider(
        entry.label, entry.label, entry.label, value, ui.slider_positions(value), help=look_for
    )


def store_slider(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed beside it: put it into the program."""
    graph: Graph = st.session_state["backprop-good"][1]
    entry = next(e for e in graphs.leaf_entries(graph) if e.label == moved["name"])
    try:
        leaf = graph.leaves[entry.leaf].clone()
        leaf[entry.at] = parsing.parse_number(moved["typed"], entry.label)
        store_leaves({entry.leaf: leaf})
    except ValueError as error:
        ui.show_error_later(error)


def store_leaves(leaves: dict[str, torch.Tensor]) -> None:
    """Put leaves into the text of the program; all else in it stays as it was typed."""
    st.session_state["program"] = graphs.with_leaf_values(st.session_state["program"], leaves)


def three_methods(graph: Graph, trace: GraphTrace) -> None:
    """Hand, autograd and central differences beside each other."""
    rows = [
        row
        for compared in graphs.compare_gradients(graph, trace)
        for row in pictures.comparison_rows(graph, compared)
    ]
    columns = [
        "node",
        "by hand",
        "autograd",
        "central difference",
        "|hand − autograd|",
        "|hand − c.d.|",
    ]
    ui.table(columns, rows, name="gradients", caption="Every gradient by three methods")


def descend(graph: Graph) -> None:
    """η, which leaves learn, one step or many, and the curve of L."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate, steps = pace()
        chosen = read_learning_leaves(list(graph.leaves))
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
    st.markdown(words.step_in_words(graph, path, rate))
    ui.show_figure(
        figures.descent_curve(path, loss, ui.theme_mode()),
        name="descent",
        reading="Where the steps would lead from here; nothing is applied until you take them.",
        alt=figures.describe_descent(path, loss),
    )
    if path.stopped:
        st.warning(f"The curve ends {ui.escape_markdown(path.stopped)}", icon=":material/warning:")


def pace() -> tuple[float, int]:
    """The learning rate and how many steps to look ahead."""
    rate = st.number_input(
        LEARNING_RATE.title.capitalize(),
        0.0,
        100.0,
        LESSON.defaults["eta"],
        0.01,
        format="%g",
        key="eta",
        width=160,
        bind="query-params",
        help="Too small: L crawls. Too large: L jumps over the valley",
    )
    steps = st.number_input(
        "Steps",
        1,
        500,
        LESSON.defaults["steps"],
        key="steps",
        width=140,
        bind="query-params",
        help="How far the curve looks ahead",
    )
    return rate, steps


def read_learning_leaves(names: list[str]) -> list[str]:
    """The leaves chosen to learn, all of them where none is; kept as text in the address."""
    wanted = {name.strip() for name in st.session_state["update"].split(",")}
    st.session_state["learning"] = [name for name in names if name in wanted]

    def chosen() -> None:
        st.session_state["update"] = ", ".join(st.session_state["learning"])

    label = "Leaves that learn (none chosen: all)"
    learning = st.pills(label, names, selection_mode="multi", key="learning", on_change=chosen)
    return learning or names


def walk_down(graph: Graph, rate: float, names: list[str], steps: int) -> None:
    path = graphs.descend(graph, learning_rate=rate, names=names, steps=steps)
    try:
        store_leaves({name: path.leaves[name] for name in names})
    except ValueError as error:
        ui.show_error_later(error)


def predict(graph: Graph, trace: GraphTrace) -> None:
    loss = graph.nodes[graph.result].name
    for entry in graphs.leaf_entries(graph)[:2]:
        ui.check_yourself(
            f"What is {ui.escape_markdown(f'∂{loss}/∂{entry.label}')}?",
            answer=words.gradient_at(graph, trace, entry),
            because="Follow its edges to the end and multiply; add over the paths.",
            key=f"gradient {entry.label}",
        )


def source(program: str) -> None:
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


ui.open_page("backprop")
lab()
ui.neighbour_links("backprop")
