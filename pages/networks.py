"""Page “Feedforward networks and classifiers”: layers of units, trained; time is a slider."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.networks import (
    elman_view,
    embeddings_view,
    networks_picture,
    networks_questions,
    networks_state,
    networks_text,
    networks_views,
    reviews_view,
    softmax_view,
)
from ui.widgets import address_value


@st.fragment
def lab() -> None:
    """Everything that changes while the network is explored."""
    rows = ui.rows(networks_state.LESSON)
    with rows.errors:
        networks_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "networks", networks_state.read_state, networks_state.default_state
        )
    run = networks_state.trained_run(now)
    live = networks_state.live_numbers(now, run)
    total = int((~run.points.held_out).sum())
    with rows.rail:
        hidden = ui.predict_first(networks_questions.questions(now, run))
        ui.sliders(live, on_settled=networks_state.store_slider)
        networks_state.SETTINGS.draw("nn_data", "nn_units", *networks_state.brush_setting(now))
        with ui.more(rows):
            networks_views.more_controls(now)
    with rows.picture:
        how = networks_picture.network_picture(
            now.config,
            now.which,
            run.points,
            run.trajectory,
            at=networks_state.shown_step(now, run),
            hand=dict(now.hand),
            weight=now.weight,
            flow=networks_state.SETTINGS.choice("nn_flow"),
            brush=networks_state.SETTINGS.choice("nn_brush"),
            passes=address_value("see", "Picture") == networks_views.FORWARD_PASS,
        )
        texts = ui.stage_texts(
            networks_state.LESSON,
            sentences=networks_text.run_sentences(
                now.config,
                total,
                now.which.kind,
                now.how.learning_rate,
                run.trajectory.stopped,
            ),
            moved=networks_text.MOVED,
            formula=[networks_text.run_formula(now.config)] * 2,
            alt=networks_text.describe_run(now.config, total),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(
            networks_picture.NETWORKS, live, how, texts, on_event=networks_state.store_event
        )
    ui.look_closer(
        rows,
        {
            networks_views.FORWARD_PASS: None,
            "One line": lambda: networks_views.one_line(now, run),
            "Many seeds": lambda: networks_views.many_seeds(now),
            "Reviews": ui.SeparateView(reviews_view.reviews_view),
            "Embeddings": ui.SeparateView(embeddings_view.embeddings_view),
            "Softmax": ui.SeparateView(softmax_view.softmax_view),
            "Elman network": ui.SeparateView(elman_view.elman_view),
            "Code": lambda: networks_views.source(now, run),
        },
        lacks={"One line": networks_views.why_no_line(now, run)},
    )
    ui.examples(rows)


with ui.page("networks"):
    lab()
