"""Page “Backprop”: type a program, step through its graph, drag a leaf, descend the gradient."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.backprop import picture, sections, state, text, walk_text


@st.fragment
def lab() -> None:
    """Everything that changes while the graph is explored."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        program, graph, trace = ui.validated_or_previous(
            "backprop", state.read_graph, state.default_graph
        )
    step = state.step_shown()
    with rows.rail:
        hidden = ui.predict_first(sections.questions(graph, trace, step))
        if not ui.presenting():
            state.SETTINGS.draw("program")
        moving = state.chosen_entries(graph)
        live = state.slider_numbers(graph, trace, moving)
        ui.sliders(live, on_settled=state.store_slider)
        with ui.more(rows):
            sections.more_controls()
    with rows.picture:
        how: picture.GraphPayload = {
            **picture.graph_picture(graph, state.handles(graph, moving)),
            "step": step,
        }
        texts = ui.stage_texts(
            state.LESSON,
            sentences=walk_text.sentences(graph, text.graph_finding(graph, trace)),
            moved=picture.moved_sentence(graph),
            formula=walk_text.formulas(graph),
            alt=picture.describe_graph(graph),
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(picture.GRAPH, live, how, texts, on_event=state.keep_step)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(graph, live),
            "Three methods": lambda: sections.three_methods(graph, trace),
            "Gradient descent": lambda: sections.descend(graph),
            "Code": lambda: sections.source(program),
        },
    )
    ui.examples(rows)


with ui.page("backprop"):
    lab()
