"""Logging in, where the server asks for it: Streamlit's own, by OpenID Connect."""

from __future__ import annotations

import streamlit as st

from lmcore.configuration import configuration


def required() -> None:
    """Go no further without a person who has logged in, if `LMCORE_LOGIN` says so."""
    if not configuration().login or st.user.is_logged_in:
        return
    st.title("Language Models, Live", anchor=False)
    st.markdown("This server asks you to log in first.")
    st.button("Log in", on_click=st.login, type="primary", icon=":material/login:")
    st.stop()
