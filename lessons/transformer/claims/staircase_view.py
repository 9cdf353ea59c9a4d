"""The view “In a row”: the steps of an RNN and of a block that must wait for one another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypedDict

import numpy as np
import streamlit as st

import ui
from drawing.events import Moved
from drawing.payload import Script
from lessons.transformer.claims import staircase_text
from lessons.transformer.claims.claims_questions import staircase_questions
from lessons.transformer.claims.claims_state import LENGTHS, LONGEST, SHORTEST
from lessons.transformer.transformer_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.transformer.path_length import last_of_block, last_of_recurrent, measure_paths
from ui import compute

IN_A_ROW = "In a row"
"""The view that this picture draws."""


class StaircasePayload(TypedDict):
    """What `lessons/transformer/staircase.js` draws besides the numbers."""

    products: Sequence[str]
    """The products of a block that wait for one another, in their order."""


STAIRCASE = Script(
    "staircase",
    StaircasePayload,
    ("n", "T", "words", "rnn", "block", "ratio", "scores", "@say", "@formula"),
)


class Waiting(NamedTuple):
    """The products that must wait for one another, for a text of some words."""

    rnn: int
    block: int


def show(rows: ui.Rows) -> None:
    """Draw the steps of both on the stage, and beside it the clock and the length of the text."""
    length = int(SETTINGS.number("row_words"))
    live = slider_numbers(int(SETTINGS.number("row_step")), length)
    with rows.rail:
        hidden = ui.predict_first(staircase_questions(live))
        ui.sliders(live, on_settled=store_slider)
        with ui.more(rows):
            st.caption(staircase_text.METHOD)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=staircase_text.SENTENCES,
            formula=() if hidden else staircase_text.FORMULAS,
            alt=staircase_text.describe(),
            hidden=hidden,
        )
        how: StaircasePayload = {"products": staircase_text.PRODUCTS}
        ui.main_picture(STAIRCASE, live, how, texts)


@lru_cache(maxsize=64)
def waiting(length: int) -> Waiting:
    """The products in a row of an RNN and of a block, counted in their computation graphs."""
    rnn, block = (measure_paths(last, (length,))[0] for last in (last_of_recurrent, last_of_block))
    return Waiting(rnn.longest, block.longest)


def counted_lengths() -> dict[int, Waiting]:
    """The same for each position of the slider of the length."""
    return {length: waiting(length) for length in LENGTHS}


def slider_numbers(step: int, length: int) -> ui.LiveNumbers:
    """Every number now, at each step of the clock, and at each length of the text."""
    known = compute.shared_result("steps in a row", partial(counted_lengths), most=1)
    counted = {**known, length: known.get(length) or waiting(length)}
    steps = np.arange(1.0, counted[length].rnn + 1)
    lengths = np.array(sorted(counted), dtype=np.float64)
    now = numbers(step, length, counted[length])
    by_step = [numbers(int(n), length, counted[length]) for n in steps]
    by_length = [numbers(step, n, each) for n, each in sorted(counted.items())]
    clock = "The steps so far: drag it, or the line in the picture"
    longer = "A longer text: more steps for the RNN, as many for the block"
    sliders = (
        ui.Slider("n", "step", "step", now["n"], steps, clock),
        ui.Slider("T", "words T", "words T", float(length), lengths, longer),
    )
    tables = [np.array([list(row.values()) for row in rows]) for rows in (by_step, by_length)]
    return ui.LiveNumbers("staircase", tuple(now), np.array(list(now.values())), sliders, tables)


def numbers(step: int, length: int, found: Waiting) -> dict[str, float]:
    """The numbers of the picture at a step, at most the RNN's last one."""
    step = min(step, found.rnn)
    say = staircase_text.sentence_at(step, found.rnn, found.block)
    named = {
        "n": step,
        "T": length,
        "words": step * length / found.rnn,
        "rnn": found.rnn,
        "block": found.block,
        "ratio": round(found.rnn / found.block),
        "scores": length**2,
        "@say": say,
        "@formula": int(step >= found.rnn),
    }
    return {name: float(number) for name, number in named.items()}


def store_slider(moved: Moved) -> None:
    """Store the released step or length, or the number typed beside it."""
    name, least = {"n": ("row_step", 1), "T": ("row_words", SHORTEST)}[moved["name"]]
    spoken = {"n": "the step", "T": "the number of words"}[moved["name"]]
    try:
        value = parsing.parse_integer(moved["typed"], spoken)
        if not least <= value <= LONGEST:
            raise ValueError(f"{spoken} must be from {least} to {LONGEST}; got {value}")
        ui.set_controls({name: str(value)})
    except ValueError as error:
        ui.show_error_later(error)
