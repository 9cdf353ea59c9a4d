"""The controls of the Live training page."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.training import own_text_view, training_state
from lessons.training.training_state import SETTINGS

MORE = (
    "hidden",
    "embedding",
    "layers",
    "batch",
    "length",
    "clip",
    "dropout",
    "documents",
    "seed",
)
"""Settings under More, in two columns."""


def show_controls(rows: ui.Rows, blocked: str) -> None:
    """Draw Start, the models to train, the text, and the settings."""
    st.button(
        "Start",
        key="start",
        icon=":material/play_arrow:",
        type="primary",
        width="stretch",
        disabled=bool(blocked),
        help=blocked or None,
        on_click=press_start,
    )
    SETTINGS.draw("models")
    SETTINGS.draw("corpus", then=fit_to_text)
    if SETTINGS.text("corpus") == "own":
        with st.popover("Your text", icon=":material/description:", width="stretch"):
            own_text_view.panel()
        if blocked:
            st.caption(blocked)
    for column, name in zip(st.columns(2, gap="small"), ("rate", "run_steps"), strict=True):
        with column:
            SETTINGS.draw(name)
    with ui.more(rows):
        more_controls()


def press_start() -> None:
    """Begin the runs when the page is drawn next, once its settings have been read."""
    st.session_state["start-pressed"] = True


def more_controls() -> None:
    """Draw the controls under More."""
    sizes = st.columns(2)
    for i, name in enumerate(MORE):
        with sizes[i % 2]:
            SETTINGS.draw(name)
    SETTINGS.draw("optimizer")
    if SETTINGS.text("corpus") in ("prose", "own"):
        SETTINGS.draw("unit", then=own_text_view.fit_own_text)
    SETTINGS.draw("decay", "matched", "keep")
    ui.microworld_popover()


def fit_to_text() -> None:
    """Set the settings that fit the newly chosen text; links and presets set their own."""
    source = SETTINGS.text("corpus")
    ui.set_controls(training_state.fitting_settings(source))
    if source == "own":
        own_text_view.restore_own_text()
