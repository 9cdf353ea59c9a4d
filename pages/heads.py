"""Page “Heads”: the attention of every head over a text, and the effect of removing heads."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.heads import (
    ablation_view,
    grid_view,
    heads_state,
    heads_views,
    joined_picture,
    joined_view,
)
from lessons.heads.heads_picture import HeadsSelection
from lessons.heads.heads_state import LESSON, SETTINGS
from lmcore.attention.heads import Head
from ui import pretrained


@st.fragment
def lab() -> None:
    """All heads, the open one, and one query's row; all weights are in the browser."""
    rows = ui.rows(LESSON)
    SETTINGS.restore()
    with rows.errors:
        if not (models := heads_state.available_models()):
            return
        request = ui.validated_or_previous(
            "heads",
            lambda: heads_state.read_request(models),
            lambda: heads_state.default_request(models),
        )
        result = heads_state.read_heads(request)
        trace, first = result.trace, HeadsSelection(Head(0, 0))
        selection = ui.validated_or_previous(
            "heads_at", lambda: heads_state.read_selection(request, trace), lambda: first
        )
        selection = heads_state.fitting_selection(selection, request, trace)
        if request.model in pretrained.OUR_MODELS:
            ui.offer_similar_words(
                request.text, heads_state.store_text, heads_state.english_offer(models)
            )
        heads_views.send_weights(result)
    shown, other = heads_state.read_row(request, trace, selection)
    live = heads_state.live_numbers(trace, selection, shown)
    too_large = joined_picture.too_large(trace)
    if heads_state.seen() == joined_view.NAME and not too_large:
        joined_view.show(rows, request, trace, selection, shown.place)
    else:
        grid_view.show(rows, request, result, selection, (shown, other), live, models)
    ui.examples(rows)  # a closer look may take seconds
    label = models[request.model]
    ui.look_closer(
        rows,
        {
            **({} if too_large else {joined_view.NAME: None}),
            "Neuron view": lambda: heads_views.neuron(trace, shown, selection),
            "Statistics": lambda: heads_views.statistics(trace, selection),
            "Surgery": lambda: ablation_view.show(request, result, selection, shown.place),
            "Two texts, two models": lambda: heads_views.compare(request, trace, selection, models),
            "Five steps": lambda: heads_views.five_steps(request, trace, selection, shown.place),
            "BertViz head view": lambda: heads_views.bertviz("head", trace, selection, label),
            "BertViz model view": lambda: heads_views.bertviz("model", trace, selection, label),
            "Code": lambda: heads_views.source(request, trace, selection, shown),
        },
        lacks=heads_views.lacking_views(trace),
    )


with ui.page("heads"):
    lab()
