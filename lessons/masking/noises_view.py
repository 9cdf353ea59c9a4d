"""The picture of BART's five ways to corrupt a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

import ui
from drawing.events import Name
from lessons.masking import corruption_state, corruption_views, noises_picture, noises_text
from lessons.masking.masking_questions import noises_questions
from lessons.masking.masking_state import LESSON, SETTINGS
from lmcore.checks import check_one_of


def show(rows: ui.Rows) -> Mapping[str, Callable[[], None] | None]:
    """Draw the five ways on the stage, and the text beside them; return the views."""
    with rows.errors:
        traces = ui.validated_or_previous(
            "corrupt_noise", corruption_state.read_noises, corruption_state.default_noises
        )
    chosen = SETTINGS.choice("corrupt_way")
    with rows.rail:
        hidden = ui.predict_first(noises_questions(traces))
        controls(rows)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[noises_text.sentence(traces, chosen)],
            formula=[noises_text.formulas(traces, chosen)],
            alt=noises_text.describe(traces),
            hidden=hidden,
        )
        live = noises_picture.numbers(traces, chosen)
        shown = noises_picture.picture(traces)
        ui.main_picture(noises_picture.NOISES, live, shown, texts, on_event=store_way)
    return {"BART": lambda: corruption_views.bart(traces)}


def controls(rows: ui.Rows) -> None:
    """Draw the choice of the way, the share, the text, and a button that draws again."""
    st.button(
        "Draw another",
        on_click=corruption_state.next_seed,
        icon=":material/casino:",
        width="stretch",
        help="New random numbers for all five ways",
    )
    more = ("corrupt_way", "corrupt_noise")
    if not ui.presenting():
        SETTINGS.draw(*more)
    SETTINGS.draw("corrupt_noise_share")
    with ui.more(rows):
        if ui.presenting():
            SETTINGS.draw(*more)
        st.caption(noises_text.NOTE)


def store_way(pressed: Name) -> None:
    """Store the way that was pressed.

    Raises:
        ValueError: if there is none of that name.
    """
    check_one_of("the way", pressed, noises_picture.WAYS)
    ui.set_controls({"corrupt_way": pressed})
