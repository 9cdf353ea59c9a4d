"""What every page begins with, and where it computes."""

from __future__ import annotations

import streamlit as st

from ui import components, login
from ui.assets import ICON
from ui.widgets import theme_mode

APP = "Language Models, Live"


def device_badge() -> None:
    """Show the device of the models, or the error of an invalid `LMCORE_DEVICE`."""
    from lmcore.device import device, device_name  # torch: only once the page is drawn

    try:
        where = device()
    except ValueError as error:
        st.error(str(error))
        return
    st.badge(f"Models on: {device_name(where)}", icon=":material/memory:", color="gray")


def open_shell(tab_title: str) -> None:
    """Title, style, login and scripts: what every page begins with."""
    st.set_page_config(page_title=tab_title, page_icon=ICON, layout="wide")
    login.require_login()
    components.send_scripts(theme_mode())
