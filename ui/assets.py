"""The paths of the app's static files: styles and the tab icon."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent.parent / "assets"
ICON = str(FOLDER / "icon.png")


def apply_style(name: str) -> None:
    """Apply a stylesheet of assets/ to this page."""
    st.html(FOLDER / name)
