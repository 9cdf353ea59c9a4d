"""The view “One screen”: a Transformer with 244 weights, each of which can be changed."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.transformer import tiny_picture, tiny_state, tiny_text
from lessons.transformer.transformer_state import LESSON, SETTINGS

ONE_SCREEN = "One screen"
"""The view that the picture draws."""


def show(rows: ui.Rows) -> None:
    """Draw the small model in place of the page's picture, with its controls."""
    with rows.errors:
        now = ui.validated_or_previous("tiny", tiny_state.read_tiny, tiny_state.default_tiny)
    run = tiny_state.trained_tiny(now)
    numbers = tiny_state.tiny_numbers(now, run)
    with rows.rail:
        ui.sliders(numbers.live, on_settled=tiny_state.store_slider)
        SETTINGS.draw("tiny_text")
        if st.session_state["tiny_text"] == tiny_state.OWN:
            SETTINGS.draw("tiny_own")
        _edit_buttons(now)
        with ui.more(rows):
            SETTINGS.draw("tiny_place", "tiny_eta", "tiny_seed", "tiny_edits")
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=tiny_text.sentences(now.text, now.place),
            moved=tiny_text.MOVED,
            alt=tiny_text.describe(now.text),
            kind="computed",
        )
        how = tiny_picture.picture(
            now.text,
            now.place,
            run,
            weight=now.weight,
            step=now.step,
            positions=numbers.positions,
            swept=numbers.swept,
            edits=now.edits,
            mode=ui.theme_mode(),
        )
        ui.main_picture(
            tiny_picture.TINY, numbers.live, how, texts, on_event=tiny_state.store_event
        )


def _edit_buttons(now: tiny_state.TinyState) -> None:
    left, right = st.columns(2)
    left.button(
        "Undo edit",
        key="tiny-undo",
        on_click=tiny_state.undo_edit,
        disabled=not now.edits,
        width="stretch",
    )
    right.button(
        "Forget all",
        key="tiny-forget",
        on_click=ui.set_controls,
        args=({"tiny_edits": ""},),
        disabled=not now.edits,
        width="stretch",
        help="All edits: the run is trained without them again",
    )
