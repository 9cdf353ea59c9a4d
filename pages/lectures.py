"""The lectures: every slide of a deck with its live view, to open and to present."""

from __future__ import annotations

import streamlit as st

import ui
from ui.lectures import index, lectures

error: ValueError | None = None
try:
    there, at = index.read_index(st.query_params.get("deck"), st.query_params.get("at"))
except ValueError as refused:
    (there, *_), at, error = lectures().values(), 0, refused
with ui.bare_page(f"{there.short}: {there.title}", index.summary(there), error):
    index.draw_index(there, at)
