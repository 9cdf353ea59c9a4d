"""The view *Random walk*: a needle falls on the line of the next word, again and again."""

from __future__ import annotations

from functools import partial
from typing import cast

import streamlit as st

import ui
from drawing.events import Moved
from lessons.generation import needle_lines, needle_picture, needle_text
from lessons.generation.generation_questions import walk_questions
from lessons.generation.generation_state import (
    EXACT_MODELS,
    LESSON,
    SETTINGS,
    WALK_SHOWN,
    GenerationState,
)
from lessons.generation.generation_views import (
    another_seed,
    controls,
    get_or_make_all,
    more_controls,
    prompt_notes,
)
from lessons.generation.needle_picture import Shown, WalkPress
from lmcore import parsing
from lmcore.checks import check_one_of
from ui import widgets


def random_walk(rows: ui.Rows, scene: GenerationState) -> None:
    """Draw the line of the first word, or those of all words, and the controls in the rail."""
    with rows.errors:
        prompt_notes(scene)
        needle = widgets.validated_or_previous("walk", read_needle, lambda: None)
        shown = cast(Shown, SETTINGS.choice("walk_shown"))
        drawn = (scene.writer, scene.prompt_ids, scene.seed, scene.length, needle)
        found = get_or_make_all([partial(needle_lines.walk, *drawn)])[0]
    live = needle_picture.numbers(found)
    with rows.rail:
        hidden = ui.predict_first(walk_questions(found, scene.writer))
        SETTINGS.draw("walk_shown")
        if shown == "draw":
            ui.sliders(live, on_settled=store_needle)
        controls((), again=another_walk)
        with ui.more(rows):
            more_controls()
            st.caption(needle_text.ORDER)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=needle_text.sentences(found, scene.writer, shown),
            formula=needle_text.formulas(found, scene.writer, shown),
            alt=needle_text.describe(found, scene.writer, scene.text, shown),
            kind="computed" if scene.name in EXACT_MODELS else "measured here",
            hidden=hidden,
        )
        drawing = needle_picture.picture(found, scene.writer, scene.text, shown)
        ui.main_picture(needle_picture.WALK, live, drawing, texts, on_event=store_press)


def read_needle() -> float | None:
    """The number that was put in place of the first one; None where none was.

    Raises:
        ValueError: if it is not a number from 0 to below 1.
    """
    typed = str(st.session_state["walk_u"]).strip()
    if not typed:
        return None
    u = parsing.parse_number(typed, "u")
    if not 0 <= u < 1:
        raise ValueError(f"u must be at least 0 and below 1; got {u:g}")
    return u


def store_needle(moved: Moved) -> None:
    """Store where the needle was released, or the number typed beside it."""
    widgets.set_controls({"walk_u": moved["typed"]})


def another_walk() -> None:
    """Draw all numbers again, with the next seed."""
    another_seed()
    widgets.set_controls({"walk_u": "", "walk_shown": "draw"})


def store_press(pressed: WalkPress) -> None:
    """Let the needle fall."""
    check_one_of("what is shown", pressed["show"], WALK_SHOWN)
    widgets.set_controls({"walk_shown": pressed["show"]})
