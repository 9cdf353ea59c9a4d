"""Page “Feedforward networks and classifiers”: layers of units, trained; time is a slider."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.networks import (
    elman_view,
    embeddings_view,
    network_view,
    networks_state,
    networks_views,
    picture_views,
    reviews_view,
    softmax_view,
)


@st.fragment
def lab() -> None:
    """Everything that changes while the network is explored."""
    rows = ui.rows(networks_state.LESSON)
    with rows.errors:
        networks_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "networks", networks_state.read_state, networks_state.default_state
        )
    lacks = dict[str, str]()
    shown = picture_views.PICTURES.get(networks_state.seen())
    if shown:
        shown(rows)
    else:
        run = networks_state.trained_run(now)
        network_view.show(rows, now, run)
        lacks["One line"] = networks_views.why_no_line(now, run)
    ui.look_closer(
        rows,
        {
            networks_views.FORWARD_PASS: None,
            "One line": lambda: networks_views.one_line(now, networks_state.trained_run(now)),
            "Many seeds": lambda: networks_views.many_seeds(now),
            **dict.fromkeys(picture_views.PICTURES),
            "Reviews": ui.SeparateView(reviews_view.reviews_view),
            "Embeddings": ui.SeparateView(embeddings_view.embeddings_view),
            "Softmax": ui.SeparateView(softmax_view.softmax_view),
            "Elman network": ui.SeparateView(elman_view.elman_view),
            "Code": lambda: networks_views.source(now, networks_state.trained_run(now)),
        },
        lacks=lacks,
    )
    ui.examples(rows)


with ui.page("networks"):
    lab()
