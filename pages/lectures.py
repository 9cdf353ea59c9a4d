"""The lectures: every slide of a deck with its live view, to open and to present; and one's own."""

from __future__ import annotations

import streamlit as st

import ui
from ui.lectures import index, lectures
from ui.lectures.decks import OWN

if st.query_params.get("deck") == OWN:
    with ui.bare_page(
        "My lecture", "Views of your choice in your order. They stay in this browser."
    ):
        index.draw_own()
else:
    error: ValueError | None = None
    try:
        there, at = index.read_index(st.query_params.get("deck"), st.query_params.get("at"))
    except ValueError as refused:
        there, at, error = next(iter(lectures().values())), 0, refused
    with ui.bare_page(f"{there.short}: {there.title}", index.summary(there), error):
        index.report_refused()
        index.draw_index(there, at)
