"""Page “Contextual embeddings”: one word in many sentences, and its vector in every layer."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.contextual import contextual_state, contextual_views


@st.fragment
def lab() -> None:
    """Everything that changes while a word is looked at in its contexts."""
    rows = ui.rows(contextual_state.LESSON)
    with rows.errors:
        contextual_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "contextual", contextual_state.read_state, contextual_state.default_state
        )
    seen = contextual_state.shown(now)
    lacks = contextual_views.lacks()
    pictures = {name: show for name, show in contextual_views.PICTURES.items() if not lacks[name]}
    pictures.get(contextual_state.seen(), contextual_views.occurrences)(rows, now)
    ui.look_closer(rows, contextual_views.views(now, seen), lacks=lacks)
    ui.examples(rows)


with ui.page("contextual"):
    lab()
