"""Page “Heads”: the attention of every head over a text, and the effect of removing heads."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.heads import ablation_section, sections, state
from lessons.heads.picture import HeadsSelection
from lessons.heads.state import LESSON, SETTINGS
from lmcore.attention.heads import Head
from ui import pretrained


@st.fragment
def lab() -> None:
    """All heads, the open one, and one query's row; all weights are in the browser."""
    rows = ui.rows(LESSON)
    SETTINGS.restore()
    with rows.errors:
        if not (models := state.available_models()):
            return
        request = ui.validated_or_previous(
            "heads", lambda: state.read_request(models), lambda: state.default_request(models)
        )
        result = state.read_heads(request)
        trace, first = result.trace, HeadsSelection(Head(0, 0))
        selection = ui.validated_or_previous(
            "heads_at", lambda: state.read_selection(request, trace), lambda: first
        )
        selection = state.fitting_selection(selection, request, trace)
        if request.model in pretrained.OUR_MODELS:
            ui.offer_similar_words(request.text, state.store_text, state.english_offer(models))
        sections.send_weights(result)
    shown, other = state.read_row(request, trace, selection)
    live = state.live_numbers(trace, selection, shown)
    with rows.rail:
        hidden = ui.predict_first(sections.questions(trace, selection, shown, other))
        state.controls(request, trace)
        ui.sliders(live, on_settled=state.store_threshold)
        with st.container(key="notes"):
            for sentence in state.notes(request, result, models):
                st.caption(sentence)
        with ui.more(rows):
            state.more_controls(models)
    with rows.picture:
        sections.draw_picture(result, selection, shown, other, live, hidden)
    ui.examples(rows)  # a closer look may take seconds
    label = models[request.model]
    ui.look_closer(
        rows,
        {
            "Neuron view": lambda: sections.neuron(trace, shown, selection),
            "Statistics": lambda: sections.statistics(trace, selection),
            "Surgery": lambda: ablation_section.show(request, result, selection, shown.place),
            "Two texts, two models": lambda: sections.compare(request, trace, selection, models),
            "Five steps": lambda: sections.five_steps(request, trace, selection, shown.place),
            "BertViz head view": lambda: sections.bertviz("head", trace, selection, label),
            "BertViz model view": lambda: sections.bertviz("model", trace, selection, label),
            "Code": lambda: sections.source(request, trace, selection, shown),
        },
        lacks=sections.lacking_views(trace),
    )


with ui.page("heads"):
    lab()
