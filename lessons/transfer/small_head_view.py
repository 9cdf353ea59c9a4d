"""The view *One small head*: a kept network, what a head reads of it, and what it answers."""

from __future__ import annotations

from functools import partial
from typing import cast

import streamlit as st

import ui
from lessons.transfer import small_head_picture, small_head_text, transfer_state
from lessons.transfer.heads_view import read_example, read_text
from lessons.transfer.small_head_picture import HeadState, Shown
from lessons.transfer.transfer_questions import small_head_questions
from lessons.transfer.transfer_state import LESSON, SETTINGS, TransferState
from lmcore.transfer.tasks import TASKS

NAME = "One small head"


def show(rows: ui.Rows, now: TransferState) -> None:
    """Draw the network and its head on the stage, and the controls beside it."""
    with rows.errors:
        reading = ui.validated_or_previous(
            f"hd {now.task}", partial(read_text, now.task), partial(read_example, now.task)
        )
    state = HeadState(now, reading, cast(Shown, SETTINGS.choice("hd_shown")))
    live = small_head_picture.numbers(state)
    with rows.rail:
        hidden = ui.predict_first(small_head_questions(state))
        choices = ("hd_shown", "tr_task")
        if live.sliders:
            ui.sliders(live, on_settled=transfer_state.store_slider)
        apart = bool(live.sliders) and ui.presenting()  # the slider needs the room
        if not apart:
            SETTINGS.draw(*choices)
        with ui.more(rows):
            if apart:
                SETTINGS.draw(*choices)
            SETTINGS.draw("tr_network", "hd_text")
            if TASKS[now.task].reads in ("pair", "span"):
                SETTINGS.draw("hd_second")
            st.caption(small_head_text.RECORDED)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=small_head_text.sentences(state),
            formula=small_head_text.formulas(state, hidden="learn" in hidden),
            alt=small_head_text.describe(state),
            kind="recorded" if state.shown == "freeze" else "measured here",
            hidden=hidden,
        )
        how = small_head_picture.picture(state)
        ui.main_picture(small_head_picture.SMALL_HEAD, live, how, texts)
