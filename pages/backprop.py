"""Page “Backprop”: type a program, step through its graph, drag a leaf, descend the gradient."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.backprop import picture, sections, state, text


@st.fragment
def lab() -> None:
    """Program and sliders left, graph right; only this reruns while the graph is explored."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        st.text_area(
            "Program, one assignment per line",
            state.LESSON.defaults["program"],
            key="program",
            bind="query-params",
            height=220,
            help="The last line is differentiated. Use + − * / ^ ( ) @ and "
            "exp log sigmoid tanh relu max sum. Values are numbers, [1, 2] or [[1, 2], [3, 4]].",
        )
        state.SETTINGS.restore()
        program, graph, trace = ui.validated_or_previous(
            "backprop", state.read_graph, state.default_graph
        )
        live = state.slider_numbers(graph, trace, state.chosen_entries(graph))
        ui.sliders(live, on_settled=state.store_slider)
    with right:
        how: picture.GraphPayload = {**picture.graph_picture(graph), "at": state.step_shown()}
        ui.picture(picture.GRAPH, live, how, on_event=lambda at: ui.set_controls({"at": str(at)}))
        ui.notice(*text.graph_notice(graph, trace))
    parts = {
        "Three methods": lambda: sections.three_methods(graph, trace),
        "Step by step": lambda: ui.step_table(
            picture.graph_steps(graph), live, caption="One operation per row"
        ),
        "Gradient descent": lambda: sections.descend(graph),
        "Check yourself": lambda: sections.predict(graph, trace),
        "Code": lambda: sections.source(program),
        "Slide check": lambda: ui.slide_corrections("backprop"),
    }
    ui.sections(parts, key="panel")
    with top:
        ui.presets(state.LESSON)


ui.open_page("backprop")
lab()
ui.neighbour_links("backprop")
