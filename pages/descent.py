"""Page “Gradient descent and linear regression”: points, the loss surface, and the runs on it."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.descent import model_section, picture, questions, sections, slide_section, state


@st.fragment
def lab() -> None:
    """Everything that changes while the descent is explored."""
    rows = ui.rows(state.LESSON)
    with rows.errors:
        state.SETTINGS.restore()
        now = ui.validated_or_previous("descent", state.read_state, state.default_state)
    run, grid = state.descend(now)
    live = state.live_numbers(now, run)
    with rows.rail:
        hidden = ui.predict_first(questions.questions(now, run, live))
        ui.sliders(live, on_settled=state.store_slider)
        if not ui.presenting():  # the examples lead to every surface
            state.SETTINGS.draw("gd_surface")
        state.SETTINGS.draw("gd_rules", options=state.rules_of(now.surface))
        with ui.more(rows):
            sections.more_controls(now)
    with rows.picture:
        how = picture.descent_picture(run, grid)
        texts = ui.stage_texts(
            state.LESSON,
            sentences=picture.run_sentences(run),
            moved=picture.MOVED,
            formula=picture.run_formula(run),
            alt=picture.describe_run(run),
            kind="computed",
            hidden=hidden,
            presses=True,
        )
        ui.main_picture(picture.DESCENT, live, how, texts, on_event=state.store_event)
    ui.look_closer(
        rows,
        {
            "Step by step": lambda: sections.step_by_step(run, live),
            "A weight of an LM": ui.Apart(model_section.model_view),
            "Closed form": lambda: sections.closed_form(now, run),
            "3-D": lambda: sections.bowl(now, run, grid),
            "Batches": lambda: sections.batches(now, run),
            sections.SCHEDULES_VIEW: lambda: sections.schedules(now, run),
            "Slide code": lambda: slide_section.slide_code(now, run),
            "Code": lambda: sections.source(now, run),
        },
        lacks=sections.lacking_views(run),
    )
    ui.examples(rows)


with ui.page("descent"):
    lab()
