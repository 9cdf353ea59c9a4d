"""The view *Two losses*: the language model's loss of each token, the task's, and their sum."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.transfer import two_losses_picture, two_losses_text, weight_view
from lessons.transfer.transfer_questions import two_losses_questions
from lessons.transfer.transfer_state import LESSON, SETTINGS
from lessons.transfer.two_losses_picture import TWO_LOSSES
from ui import compute

NAME = "Two losses"
AS_LOSSES = (
    "As losses, to be minimised: L₁ is the mean of −log p over the tokens, L₂ that of the label, "
    "by a new head before its first step. The slides write the sums of log p, to be maximised: "
    "L₃(C) = L₂(C) + λ L₁(C). The shares of right answers are those of recorded runs."
)


def show(rows: ui.Rows) -> None:
    """Draw the losses on the stage, and λ beside them."""
    task = SETTINGS.choice("lm_task")
    found = compute.shared_result(
        "losses of a text",
        partial(two_losses_picture.read_losses, task),
        most=8,
        says="Reading a text",
    )
    live = two_losses_picture.weighed(found, SETTINGS.number("lm_weight"))
    with rows.rail:
        hidden = ui.predict_first(two_losses_questions(live))
        ui.sliders(live, on_settled=weight_view.store_weight)
        SETTINGS.draw("lm_task")
        with ui.more(rows):
            st.caption(AS_LOSSES)
            weight_view.show_model()
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[two_losses_text.sentence(task)],
            formula=[two_losses_text.FORMULA],
            alt=two_losses_text.describe(task, found),
            kind="measured here",
            hidden=hidden,
        )
        ui.main_picture(TWO_LOSSES, live, two_losses_picture.picture(task, found), texts)
