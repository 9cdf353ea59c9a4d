"""Logging in with Streamlit's own OpenID Connect, if the server requires it."""

from __future__ import annotations

import streamlit as st

from lmcore.configuration import configuration


def log_out_button() -> None:
    """A button that logs out, on a server that requires a login."""
    if configuration().login:
        st.button("Log out", key="log-out", on_click=st.logout, icon=":material/logout:")


def require_login() -> None:
    """With `LMCORE_LOGIN`, stop the script unless the visitor has logged in."""
    if not configuration().login:
        return
    if st.user.is_logged_in:
        return
    st.title("Language Models, Live", anchor=False)
    st.markdown("This server asks you to log in first.")
    st.button("Log in", on_click=st.login, type="primary", icon=":material/login:")
    st.stop()
