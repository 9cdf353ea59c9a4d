"""Page “Backprop”: type a program, step through its graph, drag a leaf, descend the gradient."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.backprop import (
    backprop_picture,
    backprop_questions,
    backprop_state,
    backprop_text,
    backprop_views,
    blame_view,
    chain_view,
    walk_text,
)
from lmcore.graph import Graph, GraphTrace


@st.fragment
def lab() -> None:
    """Everything that changes while the graph is explored."""
    rows = ui.rows(backprop_state.LESSON)
    with rows.errors:
        backprop_state.SETTINGS.restore()
        program, graph, trace = ui.validated_or_previous(
            "backprop", backprop_state.read_graph, backprop_state.default_graph
        )
    lacks = {
        chain_view.SEE: "" if chain_view.ways_of(graph) else chain_view.LACKING,
        blame_view.SEE: "" if blame_view.is_shown(graph) else blame_view.LACKING,
    }
    pictures = {chain_view.SEE: chain_view.show, blame_view.SEE: blame_view.show}
    see = backprop_state.seen()
    draw = pictures[see] if see in pictures and not lacks[see] else walk
    live = draw(rows, graph, trace)
    ui.look_closer(
        rows,
        {
            chain_view.SEE: None,
            blame_view.SEE: None,
            "Step by step": lambda: backprop_views.step_by_step(graph, live),
            "Three methods": lambda: backprop_views.three_methods(graph, trace),
            "Gradient descent": lambda: backprop_views.descend(graph),
            "Code": lambda: backprop_views.source(program),
        },
        lacks=lacks,
    )
    ui.examples(rows)


def walk(rows: ui.Rows, graph: Graph, trace: GraphTrace) -> ui.LiveNumbers:
    """Draw the graph on the stage, with the walk through it; returns its numbers."""
    step = backprop_state.step_shown()
    with rows.rail:
        hidden = ui.predict_first(backprop_questions.questions(graph, trace, step))
        if not ui.presenting():
            backprop_state.SETTINGS.draw("program")
        moving = backprop_state.chosen_entries(graph)
        live = backprop_state.slider_numbers(graph, trace, moving)
        ui.sliders(live, on_settled=backprop_state.store_slider)
        with ui.more(rows):
            backprop_views.more_controls()
    with rows.picture:
        how: backprop_picture.GraphPayload = {
            **backprop_picture.graph_picture(graph, backprop_state.handles(graph, moving)),
            "step": step,
        }
        texts = ui.stage_texts(
            backprop_state.LESSON,
            sentences=walk_text.sentences(graph, backprop_text.graph_finding(graph, trace)),
            moved=backprop_text.moved_sentence(graph),
            formula=walk_text.formulas(graph),
            alt=backprop_text.describe_graph(graph),
            hidden=hidden,
        )
        ui.main_picture(backprop_picture.GRAPH, live, how, texts, on_event=backprop_state.keep_step)
    return live


with ui.page("backprop"):
    lab()
