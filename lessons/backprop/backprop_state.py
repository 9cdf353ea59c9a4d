"""The program and its leaves: reads them from the controls and writes them back."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved, PlaceOrNone
from lessons.backprop import naming
from lmcore import graph as graphs
from lmcore import parsing
from lmcore.graph import Graph, GraphTrace, LeafEntry
from ui.settings import Between, Bound, Choice, SettingsTable, Text
from ui.widgets import address_value

LESSON = ui.lesson("backprop")
BLAME_STAGES = {
    "forward": "forward",
    "output": "back to the hidden units",
    "weights": "back to the weights",
}
SETTINGS = SettingsTable(
    LESSON,
    {
        "program": Text(
            "Program, one assignment per line",
            help="The last line is differentiated. Use + − * / ^ ( ) @ and "
            "exp log sigmoid tanh relu max sum. Values are numbers, [1, 2] or [[1, 2], [3, 4]].",
            height=176,
        ),
        "leaf": Choice(None, "Sliders for"),
        "update": Choice(None, "Leaves to update (none chosen: all)", many=True, may_be_empty=True),
        "at": Between(-1, 999, whole=True),
        "eta": Bound(Between(0, 100)),
        "steps": Bound(Between(1, 500)),
        "see": Bound(),
        "chain_of": Choice(None, "Nudge"),
        "chain_seen": Between(-1, 99, whole=True),
        "nudge": Between(-0.1, 0.1),
        "blame": Choice(BLAME_STAGES, "Show"),
    },
)
MOST_SLIDERS = 7
MOST_NUMBERS = 2_000_000
"""Numbers that the sliders may carry: 16 MB."""
POSITIONS = 81
GraphState = tuple[str, Graph, GraphTrace]


def read_graph() -> GraphState:
    """The graph of the program, run once forward and once backward."""
    return trace_program(st.session_state["program"])


def default_graph() -> GraphState:
    """The graph of the lesson's default program, run once forward and backward."""
    return trace_program(LESSON.defaults["program"])


def trace_program(program: str) -> GraphState:
    """Parse a program, and run its graph once forward and once backward."""
    graph = graphs.parse_program(program)
    return program, graph, graphs.trace_graph(graph)


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


def step_shown() -> int:
    """The step of the walk in the address; −1 shows everything."""
    return int(SETTINGS.number("at"))


def keep_step(shown: PlaceOrNone) -> None:
    """Store the step to which the walk in the picture has gone."""
    ui.set_controls({"at": str(shown)})


def ask_about_the_next(step: int) -> None:
    """Make an open question about the next step follow the walk."""
    if str(st.session_state.get("ask", "")).startswith("step"):
        ui.set_controls({"ask": f"step{step + 1}" if step > 0 else ""})


def chosen_entries(graph: Graph) -> tuple[LeafEntry, ...]:
    """The numbers that have a slider: all of them or, if there are many, those of one leaf."""
    every, most = graphs.leaf_entries(graph), most_sliders(graph)
    if len(every) <= most:
        return every
    names = list(graph.leaves)
    SETTINGS.draw("leaf", options=names)
    leaf = SETTINGS.choice("leaf", names)
    own = tuple(entry for entry in every if entry.leaf == leaf)
    if len(own) > most:
        st.caption(f"The first {most} of {len(own)}; change the others in the program.")
    return own[:most]


def most_sliders(graph: Graph) -> int:
    """How many sliders a graph may have: each carries every number at each of its positions.

    A node has up to six numbers per entry: its value, its gradient, and for each of two edges the
    local derivative and what the edge passes down.
    """
    each = 6 * sum(math.prod(shape) for shape in graph.shapes) * POSITIONS
    return max(1, min(MOST_SLIDERS, MOST_NUMBERS // each))


def handles(graph: Graph, moving: tuple[LeafEntry, ...]) -> dict[int, str]:
    """The sliders that nodes of the picture move: those of the leaves that are one number."""
    return {graph.index(e.leaf): naming.entry_name(e) for e in moving if not e.at}


def slider_numbers(
    graph: Graph, trace: GraphTrace, moving: tuple[LeafEntry, ...]
) -> ui.LiveNumbers:
    """Every number of the graph now and at every position of every slider."""
    sliders = [slider(graph, entry) for entry in moving]
    positions = torch.tensor(np.array([s.positions for s in sliders]))
    now = naming.by_name(graph, trace)
    swept = naming.by_name(graph, graphs.sweep(graph, moving, positions))
    return ui.live_numbers("backprop", now, sliders, swept)


def slider(graph: Graph, entry: LeafEntry) -> ui.Slider:
    """The slider of one number of a leaf, on a grid around its current value."""
    value = float(graph.leaves[entry.leaf][entry.at])
    look_for = "Drag: values change from here on, gradients change everywhere"
    return ui.Slider(
        naming.entry_name(entry),
        naming.short(entry.label),
        entry.label,
        value,
        ui.slider_positions(value, count=POSITIONS),
        help=look_for,
    )


def store_slider(moved: Moved) -> None:
    """Write a released slider's value, or the number typed beside it, into the program."""
    graph: Graph = st.session_state["backprop-good"][1]
    entry = next(e for e in graphs.leaf_entries(graph) if naming.entry_name(e) == moved["name"])
    try:
        leaf = graph.leaves[entry.leaf].clone()
        leaf[entry.at] = parsing.parse_number(moved["typed"], naming.short(entry.label))
        store_leaves({entry.leaf: leaf})
    except ValueError as error:
        ui.show_error_later(error)


def store_leaves(leaves: dict[str, torch.Tensor]) -> None:
    """Write leaves into the text of the program; all other lines stay as typed."""
    st.session_state["program"] = graphs.with_leaf_values(st.session_state["program"], leaves)
