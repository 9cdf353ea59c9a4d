"""The picture of a network and its training, and the controls beside it."""

from __future__ import annotations

import ui
from lessons.networks import (
    networks_picture,
    networks_questions,
    networks_state,
    networks_text,
    networks_views,
)
from lessons.networks.networks_state import NetworkState, Run


def show(rows: ui.Rows, now: NetworkState, run: Run) -> None:
    """Draw the network on the stage; the steps of its training are a slider beside it."""
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
            passes=networks_state.seen() == networks_views.FORWARD_PASS,
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
        )
        ui.main_picture(
            networks_picture.NETWORKS, live, how, texts, on_event=networks_state.store_event
        )
