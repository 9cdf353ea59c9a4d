"""The controls of the Live training page."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.training import own_text_section, state
from lessons.training.state import SETTINGS

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


def show_controls() -> None:
    """Which models to train, on which text, and how."""
    SETTINGS.keep()
    SETTINGS.draw("models")
    SETTINGS.draw("corpus", then=fit_to_text)
    if SETTINGS.text("corpus") == "own":
        own_text_section.panel()
    SETTINGS.draw("rate", "run_steps")
    more = st.expander(
        "More: sizes, optimiser, batch, clipping, seed", key="more", bind="query-params"
    )
    if more.open:
        with more:
            more_controls()


def more_controls() -> None:
    """The controls under More; they exist only while it is open."""
    sizes = st.columns(2)
    for i, name in enumerate(MORE):
        with sizes[i % 2]:
            SETTINGS.draw(name)
    SETTINGS.draw("optimizer")
    if SETTINGS.text("corpus") in ("prose", "own"):
        SETTINGS.draw("unit", then=own_text_section.fit_own_text)
    SETTINGS.draw("decay", "matched", "keep")


def fit_to_text() -> None:
    """Set the settings that fit the text just chosen; a link or a preset sets its own."""
    source = SETTINGS.text("corpus")
    ui.set_controls(state.fitting_settings(source))
    if source == "own":
        own_text_section.restore_own_text()
