"""The picture of vanishing gradients: a plain network beside an LSTM, step by step back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st
import torch

import ui
from drawing.events import Moved
from lessons.lstm import lstm_picture, lstm_text
from lessons.lstm.lstm_questions import vanish_questions
from lessons.lstm.lstm_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.recurrence import vanishing
from lmcore.recurrence.vanishing import Gains, VanishingSpec
from ui import compute

KEEPS = VanishingSpec(0.9, 0.99, write=0.02)
"""The setting of the lesson: the plain network's gradient vanishes, the LSTM's stays."""


def show(rows: ui.Rows) -> None:
    """Draw the curves on the stage, and beside it ρ, f and the other controls."""
    with rows.errors:
        spec = ui.validated_or_previous("vanishing", read_spec, lambda: KEEPS)
    now = vanishing.gains(spec)
    live = slider_numbers(spec, now)
    with rows.rail:
        hidden = ui.predict_first(vanish_questions(now))
        ui.sliders(live, on_settled=store_slider)
        SETTINGS.draw("input_rate", "linear")
        with ui.more(rows):
            SETTINGS.draw("drive")
            st.caption(lstm_picture.VANISHING_READING)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=lstm_text.vanishing_sentences(),
            moved=lstm_text.VANISHING_MOVED,
            formula=[lstm_text.VANISHING_FORMULA],
            alt=lstm_text.describe_vanishing(spec),
            hidden=hidden,
        )
        ui.main_picture(lstm_picture.VANISH, live, lstm_picture.vanishing_picture(), texts)


def read_spec() -> VanishingSpec:
    """The setting that the sliders and controls describe."""
    state = st.session_state
    spoken = {"radius": "ρ", "forget_rate": "f", "drive": "the size of the inputs"}
    radius, forget, drive = (
        parsing.parse_number(state[name], what) for name, what in spoken.items()
    )
    g = "identity" if SETTINGS.switch("linear") else "tanh"
    write = state["input_rate"].strip()
    held = parsing.parse_number(write, "the input gate i") if write else None
    return VanishingSpec(radius, forget, drive, g, write=held)


def slider_numbers(spec: VanishingSpec, now: Gains) -> ui.LiveNumbers:
    """The curves now and at every position of ρ and f."""
    base = replace(spec, radius=1.0, forget=1.0)
    sweep = partial(vanishing.gains_at_positions, base)
    moved = compute.shared_result("vanishing", sweep, most=16)
    values = {"radius": spec.radius, "forget_rate": spec.forget}
    sliders = [
        ui.Slider(name, label, spoken, values[name], positions, help=look_for, role=role)
        for (name, label, spoken, look_for, role), positions in zip(
            lstm_picture.VANISHING_SLIDERS, vanishing.POSITIONS.numpy(), strict=True
        )
    ]
    swept = vanishing.by_control(now, Gains(*moved))
    first = {name: torch.tensor(value, dtype=torch.float64) for name, value in values.items()}
    then = {name: value.expand(vanishing.POSITIONS.shape).clone() for name, value in first.items()}
    for i, name in enumerate(values):
        then[name][i] = vanishing.POSITIONS[i]
    return ui.live_numbers(
        "vanish",
        first | now.by_name() | {"@say": lstm_picture.vanishing_say(now)},
        sliders,
        then | swept.by_name() | {"@say": lstm_picture.vanishing_say(swept)},
    )


def store_slider(moved: Moved) -> None:
    """Store the released value of ρ or f."""
    st.session_state[moved["name"]] = moved["typed"]
