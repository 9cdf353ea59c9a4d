"""Page “Training”: choose models, train them live, pause and compare them."""

from __future__ import annotations

import numpy as np
import streamlit as st

import ui
from drawing import run_text
from drawing.events import Name
from lessons.training import controls, own_text_section, picture, plan, sections, state
from lessons.training.picture import Plan
from lessons.training.questions import questions
from lmcore.training.pool.runs import RunView
from lmcore.training.spec import RunSpec
from ui import runs
from ui.run_access import access_row

CANNOT = "These settings cannot be run; the message above gives the reason."


@st.fragment
def lab() -> None:
    """Everything that changes while models are trained."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.keep()
        state.SETTINGS.check("keep")
        planned = plan.read_plan(*read_specs())
        if st.session_state.pop("start-pressed", False) and not planned.blocked:
            start(planned.specs)
        views = plan.shown_runs(planned)
    with rows.rail:
        hidden = ui.predict_first(questions(planned))
        controls.show_controls(rows, planned.blocked)
        if views and not ui.presenting():
            access_row("runs", views, run_text.labels(views))
    with rows.picture:
        show_runs(planned, views, hidden)
    ui.look_closer(
        rows,
        {
            "Texts": lambda: sections.texts(planned, views),
            "Gradients": lambda: sections.gradients(planned, views),
            "Against the truth": lambda: sections.against_the_truth(views),
            "Save and load": lambda: sections.save_and_load(views),
            "Code": lambda: sections.source(planned.specs),
        },
    )
    ui.examples(rows)


def read_specs() -> tuple[tuple[RunSpec, ...], str]:
    """The runs that the controls describe, or the last valid ones, and why no run can start."""
    missing = own_text_section.missing_text_hint()
    valid: list[tuple[RunSpec, ...]] = []
    good: tuple[RunSpec, ...] = st.session_state.get("training-good", (RunSpec(),))

    def read() -> tuple[RunSpec, ...]:
        if missing:
            return good
        valid.append(state.read_specs(own_text_section.stored_text()))
        return valid[0]

    specs = ui.validated_or_previous("training", read, lambda: good)
    return specs, missing or ("" if valid else CANNOT)


def start(specs: tuple[RunSpec, ...]) -> None:
    """Begin the runs, instead of those begun before or beside them."""
    before = [name for name in state.SETTINGS.several("runs") if name in ui.pool()]
    runs.start_runs(specs, "runs", before if state.SETTINGS.switch("keep") else [])


def show_runs(planned: Plan, views: list[RunView], hidden: tuple[str, ...]) -> None:
    """The picture: the recorded runs, and those of this server as they train."""
    ui.pool().warm()
    shown = run_text.runs_payload(views)["runs"]
    now = picture.numbers(planned)
    if shown:
        now["@say"] = picture.places(planned, shown)["reading"]
    live = ui.LiveNumbers("training", tuple(now), np.array([*now.values()]))
    stage_texts = ui.stage_texts(
        state.LESSON,
        sentences=picture.sentences(planned, shown),
        formula=picture.formula(planned),
        alt=picture.describe(planned, [run["label"] for run in shown]),
        kind="measured here",
        hidden=hidden,
        presses=True,
    )
    rates = [view.spec.learning_rate for view in views]
    how = picture.training_picture(planned, shown, rates, [plan.passes(v.spec) for v in views])
    ui.main_picture(picture.TRAINING, live, how, stage_texts, on_event=pressed)


def pressed(event: picture.PressedStart | list[tuple[Name, Name]]) -> None:
    """*Start* in the picture; runs that have come to rest only draw the page again."""
    if isinstance(event, dict) and event["start"]:
        controls.press_start()


with ui.page("training"):
    lab()
