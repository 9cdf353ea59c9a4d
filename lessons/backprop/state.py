"""The program and its leaves: what is read from the controls, and what is put into them."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from lessons.backprop import picture
from lmcore import graph as graphs
from lmcore import parsing
from lmcore.graph import Graph, GraphTrace, LeafEntry
from ui.settings import Between, Bound, Choice, SettingsTable

LESSON = ui.lesson("backprop")
SETTINGS = SettingsTable(
    LESSON,
    {
        "program": Bound(),
        "leaf": Choice(None, "Sliders for", drawn="bar"),
        "update": Choice(None, "Leaves that learn (none chosen: all)", many=True),
        "at": Between(-1, 999),
        "eta": Bound(Between(0, 100)),
        "steps": Bound(Between(1, 500)),
        "panel": Bound(),
    },
)
MOST_SLIDERS = 7
GraphState = tuple[str, Graph, GraphTrace]


def read_graph() -> GraphState:
    """The graph of the program, run once forward and once backward."""
    return trace_program(st.session_state["program"])


def default_graph() -> GraphState:
    return trace_program(LESSON.defaults["program"])


def trace_program(program: str) -> GraphState:
    graph = graphs.parse_program(program)
    return program, graph, graphs.trace_graph(graph)


def step_shown() -> int:
    """The step of the walk in the address; what is no number counts as the end, -1."""
    asked = SETTINGS.text("at")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else -1


def chosen_entries(graph: Graph) -> tuple[LeafEntry, ...]:
    """The numbers that get a slider: all of them, or where they are many those of one leaf."""
    every = graphs.leaf_entries(graph)
    if len(every) <= MOST_SLIDERS:
        return every
    names = list(graph.leaves)
    SETTINGS.draw("leaf", options=names)
    leaf = SETTINGS.choice("leaf", names)
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
    now = picture.by_name(graph, trace)
    swept = picture.by_name(graph, graphs.sweep(graph, moving, positions))
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
