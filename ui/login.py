"""Logging in, where the server asks for it: Streamlit's own, by OpenID Connect."""

from __future__ import annotations

import streamlit as st

from lmcore.configuration import configuration


def require_login() -> None:
    """If `LMCORE_LOGIN` says so, go no further without a person who has logged in."""
    if not configuration().login:
        return
    if st.user.is_logged_in:
        st.sidebar.button("Log out", on_click=st.logout, icon=":material/logout:")
        return
    st.title("Language Models, Live", anchor=False)
    st.markdown("This server asks you to log in first.")
    st.button("Log in", on_click=st.login, type="primary", icon=":material/login:")
    st.stop()
