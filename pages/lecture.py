"""A slide of a lecture by its number: leads to its live view, `/lecture?deck=cmu&at=12`."""

from __future__ import annotations

import streamlit as st

import ui
from ui.lectures import place

asked = st.query_params.to_dict()
try:
    script, parameters = place.way_to(asked.get("deck"), asked.get("at"))
except ValueError as error:
    with ui.bare_page("Lecture", "A slide of a lecture, by deck and number", error):
        st.page_link("pages/lectures.py", label="All lectures")
else:
    how = {"present": "1", "beat": "0"} if ui.presenting() else {}
    st.switch_page(script, query_params={**parameters, **how})
