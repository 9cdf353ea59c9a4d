"""Logging in with Streamlit's own OpenID Connect, if the server requires it."""

from __future__ import annotations

import streamlit as st

from lmcore.configuration import configuration


def require_login() -> None:
    """With `LMCORE_LOGIN`, stop the script unless the visitor has logged in."""
    if not configuration().login:
        return
    if st.user.is_logged_in:
        st.sidebar.button("Log out", on_click=st.logout, icon=":material/logout:")
        return
    st.title("Language Models, Live", anchor=False)
    st.markdown("This server asks you to log in first.")
    st.button("Log in", on_click=st.login, type="primary", icon=":material/login:")
    st.stop()
