"""Home."""

import streamlit as st

import ui

ui.home()
st.markdown("soon")
