"""Runs as files: each saved run to take home, and a file as a run again."""

from __future__ import annotations

import streamlit as st

from lessons.shared import run_text as words
from lmcore.configuration import configuration
from lmcore.training import checkpoint
from lmcore.training.pool.runs import RunView
from ui.runs import MOST_RUNS, owner, pool
from ui.widgets import save_file, show_error_later


def save_and_load(views: list[RunView]) -> None:
    """Each saved run as a file; a file as a run again."""
    for view, label in zip(views, words.labels(views), strict=True):
        if data := pool().checkpoint(view.name):
            step = checkpoint.parse_checkpoint(data)[0].step
            name = f"{label.lower()}-step-{step}.safetensors"
            save_file(data, label=f"Save {label}, step {step}", name=name)
    st.caption(
        "Weights and optimiser as safetensors, the settings as JSON: nothing that can run. A run "
        "that is loaded rests where it was saved; it can go on, and other pages can ask it."
    )
    st.file_uploader(
        "Load a saved run",
        type=["safetensors"],
        key="loaded",
        max_upload_size=configuration().upload_mb,
        on_change=load_run,
    )


def load_run() -> None:
    """A file was given: its run joins those in the picture."""
    state = st.session_state
    if state["loaded"] is None:
        return
    try:
        name = pool().adopt(state["loaded"].getvalue(), owner=owner())
    except ValueError as error:
        show_error_later(error)
        return
    state["begun-here"] = [*state.get("begun-here", []), name]
    before = [each for each in state["runs"].split(",") if each]
    state["runs"] = ",".join([*before, name][-MOST_RUNS:])
