"""Page “Gradient descent and linear regression”: points, the loss surface, and the runs on it."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.descent import (
    descent_picture,
    descent_questions,
    descent_state,
    descent_text,
    descent_views,
    model_view,
    slide_view,
)
from lessons.descent.descent_state import DescentState
from lessons.descent.numbers import Descent
from lmcore.optimization.loss_grid import LossGrid


@st.fragment
def lab() -> None:
    """Everything that changes while the descent is explored."""
    rows = ui.rows(descent_state.LESSON)
    with rows.errors:
        descent_state.SETTINGS.restore()
        now = ui.validated_or_previous(
            "descent", descent_state.read_state, descent_state.default_state
        )
    run, grid = descent_state.descend(now)
    lacks = descent_views.lacking_views(run)
    seen = descent_state.seen()
    if (draw := descent_views.PICTURES.get(seen)) and not lacks.get(seen):
        draw(rows, now)
    else:
        descent(rows, now, run, grid)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: descent_views.step_by_step(
                run, descent_state.live_numbers(now, run)
            ),
            "A weight of an LM": ui.SeparateView(model_view.model_view),
            **dict.fromkeys(descent_views.PICTURES),
            "Closed form": lambda: descent_views.closed_form(now, run),
            "3-D": lambda: descent_views.bowl(now, run, grid),
            "Batches": lambda: descent_views.batches(now, run),
            descent_views.SCHEDULES_VIEW: lambda: descent_views.schedules(now, run),
            "Slide code": lambda: slide_view.slide_code(now, run),
            "Code": lambda: descent_views.source(now, run),
        },
        lacks=lacks,
    )
    ui.examples(rows)


def descent(rows: ui.Rows, now: DescentState, run: Descent, grid: LossGrid) -> None:
    """The points, the surface of the loss, and the runs on it."""
    live = descent_state.live_numbers(now, run)
    with rows.rail:
        hidden = ui.predict_first(descent_questions.questions(now, run, live))
        ui.sliders(live, on_settled=descent_state.store_slider)
        if not ui.presenting():  # the examples lead to every surface
            descent_state.SETTINGS.draw("gd_surface")
        descent_state.SETTINGS.draw("gd_rules", options=descent_state.rules_of(now.surface))
        with ui.more(rows):
            descent_views.more_controls(now)
    with rows.picture:
        how = descent_picture.descent_picture(run, grid)
        texts = ui.stage_texts(
            descent_state.LESSON,
            sentences=descent_text.run_sentences(run),
            moved=descent_text.MOVED,
            formula=descent_text.run_formula(run),
            alt=descent_text.describe_run(run),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(
            descent_picture.DESCENT, live, how, texts, on_event=descent_state.store_event
        )


with ui.page("descent"):
    lab()
