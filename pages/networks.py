"""Page “Feedforward networks and classifiers”: layers of units, trained; time is a slider."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.networks import (
    elman_section,
    embeddings_section,
    picture,
    reviews_section,
    sections,
    softmax_section,
    state,
)
from ui.widgets import address_value


@st.fragment
def lab() -> None:
    """Everything that changes while the network is explored."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        now = ui.validated_or_previous("networks", state.read_state, state.default_state)
    run = state.trained_run(now)
    live = state.live_numbers(now, run)
    total = int((~run.points.held_out).sum())
    with rows.rail:
        hidden = ui.predict_first(sections.questions(now, run))
        ui.sliders(live, on_settled=state.store_slider)
        state.SETTINGS.draw("nn_data", "nn_units", *state.brush_setting(now))
        with ui.more(rows):
            sections.more_controls(now)
    with rows.picture:
        how = picture.network_picture(
            now.config,
            now.which,
            run.points,
            run.trajectory,
            at=state.shown_step(now, run),
            hand=dict(now.hand),
            weight=now.weight,
            flow=state.SETTINGS.choice("nn_flow"),
            brush=state.SETTINGS.choice("nn_brush"),
            passes=address_value("see", "Picture") == sections.FORWARD_PASS,
        )
        texts = ui.stage_texts(
            state.LESSON,
            sentences=picture.run_sentences(
                now.config,
                total,
                now.which.kind,
                now.how.learning_rate,
                run.trajectory.stopped,
            ),
            moved=picture.MOVED,
            formula=[picture.run_formula(now.config)] * 2,
            alt=picture.describe_run(now.config, total),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(picture.NETWORKS, live, how, texts, on_event=state.store_event)
    ui.look_closer(
        rows,
        {
            sections.FORWARD_PASS: None,
            "One line": lambda: sections.one_line(now, run),
            "Many seeds": lambda: sections.many_seeds(now),
            "Reviews": ui.Apart(reviews_section.reviews_view),
            "Embeddings": ui.Apart(embeddings_section.embeddings_view),
            "Softmax": ui.Apart(softmax_section.softmax_view),
            "Elman network": ui.Apart(elman_section.elman_view),
            "Code": lambda: sections.source(now, run),
        },
        lacks={"One line": sections.why_no_line(now, run)},
    )
    ui.examples(rows)


with ui.page("networks"):
    lab()
