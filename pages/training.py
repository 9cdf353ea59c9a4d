"""Page “Training”: choose models, train them live, pause and compare them."""

from __future__ import annotations

import numpy as np
import streamlit as st

import ui
from drawing import run_text
from drawing.events import Name
from lessons.training import (
    own_text_view,
    training_controls,
    training_picture,
    training_plan,
    training_state,
    training_text,
    training_views,
)
from lessons.training.training_picture import Plan
from lessons.training.training_questions import questions
from lmcore.training.pool.runs import RunView
from lmcore.training.spec import RunSpec
from ui import runs
from ui.run_access import access_row

CANNOT = "These settings cannot be run; the message above gives the reason."


@st.fragment
def lab() -> None:
    """Everything that changes while models are trained."""
    rows = ui.rows(training_state.LESSON)
    with rows.errors:
        training_state.SETTINGS.keep()
        training_state.SETTINGS.check("keep")
        planned = training_plan.read_plan(*read_specs())
        if st.session_state.pop("start-pressed", False) and not planned.blocked:
            start(planned.specs)
        views = training_plan.shown_runs(planned)
    with rows.rail:
        hidden = ui.predict_first(questions(planned))
        training_controls.show_controls(rows, planned.blocked)
        if views and not ui.presenting():
            access_row("runs", views, run_text.labels(views))
    with rows.picture:
        show_runs(planned, views, hidden)
    ui.look_closer(
        rows,
        {
            "Texts": lambda: training_views.texts(planned, views),
            "Gradients": lambda: training_views.gradients(planned, views),
            "Against the truth": lambda: training_views.against_the_truth(views),
            "Save and load": lambda: training_views.save_and_load(views),
            "Code": lambda: training_views.source(planned.specs),
        },
    )
    ui.examples(rows)


def read_specs() -> tuple[tuple[RunSpec, ...], str]:
    """The runs that the controls describe, or the last valid ones, and why no run can start."""
    missing = own_text_view.missing_text_hint()
    valid: list[tuple[RunSpec, ...]] = []
    good: tuple[RunSpec, ...] = st.session_state.get("training-good", (RunSpec(),))

    def read() -> tuple[RunSpec, ...]:
        if missing:
            return good
        valid.append(training_state.read_specs(own_text_view.stored_text()))
        return valid[0]

    specs = ui.validated_or_previous("training", read, lambda: good)
    return specs, missing or ("" if valid else CANNOT)


def start(specs: tuple[RunSpec, ...]) -> None:
    """Begin the runs, instead of those begun before or beside them."""
    before = [name for name in training_state.SETTINGS.several("runs") if name in ui.pool()]
    runs.start_runs(specs, "runs", before if training_state.SETTINGS.switch("keep") else [])


def show_runs(planned: Plan, views: list[RunView], hidden: tuple[str, ...]) -> None:
    """The picture: the recorded runs, and those of this server as they train."""
    ui.pool().warm()
    shown = run_text.runs_payload(views)["runs"]
    now = training_picture.numbers(planned)
    if shown:
        now["@say"] = training_picture.places(planned, shown)["reading"]
    live = ui.LiveNumbers("training", tuple(now), np.array([*now.values()]))
    stage_texts = ui.stage_texts(
        training_state.LESSON,
        sentences=training_text.sentences(planned, shown),
        formula=training_text.formula(planned),
        alt=training_text.describe(planned, [run["label"] for run in shown]),
        kind="measured here",
        hidden=hidden,
    )
    rates = [view.spec.learning_rate for view in views]
    how = training_picture.training_picture(
        planned, shown, rates, [training_plan.passes(v.spec) for v in views]
    )
    ui.main_picture(training_picture.TRAINING, live, how, stage_texts, on_event=pressed)


def pressed(event: training_picture.PressedStart | list[tuple[Name, Name]]) -> None:
    """*Start* in the picture; runs that have come to rest only draw the page again."""
    if isinstance(event, dict) and event["start"]:
        training_controls.press_start()


with ui.page("training"):
    lab()
