"""Page “Training”: choose models, train them live, pause and compare them."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.shared import run_text
from lessons.training import own_text_section, sections, text
from lessons.training import state as training_state
from lessons.training.controls import show_controls
from lessons.training.state import LESSON, SETTINGS
from lmcore.training.pool.runs import RunView
from lmcore.training.spec import RunSpec
from ui import runs
from ui.run_access import access_row

CANNOT = "These settings cannot be run; the message below gives the reason."


@st.fragment
def lab() -> None:
    """Controls left, runs right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        first, beneath = st.container(), st.container()
        with beneath:
            SETTINGS.check("more", "keep")
        show_controls()
    with beneath:
        specs, why = read_specs()
    with first:
        pressed = st.button(
            f"Start {len(specs)} runs" if len(specs) > 1 else "Start",
            key="start",
            icon=":material/play_arrow:",
            disabled=bool(why),
            help=why or None,
        )
    if pressed and not why:
        with beneath:
            before = [name for name in SETTINGS.several("runs") if name in ui.pool()]
            keep = before if SETTINGS.switch("keep") else []
            runs.start_runs(specs, "runs", keep)
    with right:
        views = runs.started_runs("runs", "Start it again.")
        show_runs(views)
    parts = {
        "Against the truth": lambda: sections.against_the_truth(views),
        "Save and load": lambda: sections.save_and_load(views),
        "Check yourself": lambda: sections.predict(views),
        "Code": lambda: sections.source(specs),
        "Slide check": lambda: ui.slide_corrections("training"),
    }
    ui.sections(parts, key="view")
    with top:
        ui.presets(LESSON)


def read_specs() -> tuple[tuple[RunSpec, ...], str]:
    """The runs that the controls describe, or the last valid ones, and why no run can start."""
    if missing := own_text_section.missing_text_hint():
        st.info(missing, icon=":material/description:")
    valid: list[tuple[RunSpec, ...]] = []
    good: tuple[RunSpec, ...] = st.session_state.get("training-good", (RunSpec(),))

    def read() -> tuple[RunSpec, ...]:
        if missing:
            return good
        valid.append(training_state.read_specs(own_text_section.stored_text()))
        return valid[0]

    specs = ui.validated_or_previous("training", read, lambda: good)
    return specs, missing or ("" if valid else CANNOT)


def show_runs(views: list[RunView]) -> None:
    """The runs as they train, and their notice."""
    if not views:
        ui.pool().warm()
        st.info(
            "Press Start: within seconds the loss falls, and you can read what the model writes."
        )
        return
    ui.training_runs("training", run_text.runs_payload(views))
    access_row("runs", views, run_text.labels(views))
    histories = [ui.pool().history(view.name) for view in views]
    ui.notice(*text.run_notice(views, histories), kind="measured here")


ui.open_page("training")
lab()
ui.neighbour_links("training")
