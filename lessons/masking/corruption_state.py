"""What the Corruption tab shows, out of its settings: a text, its draws, and what they come to."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

import numpy as np
import streamlit as st

import ui
from lessons.masking import corruption_picture as figures
from lessons.masking import corruption_text as words
from lmcore import parsing
from lmcore.corruption import text as corruption_text
from lmcore.corruption.corruption import CorruptionTrace, Rates
from lmcore.corruption.draws import (
    SLIDERS,
    UNITS,
    CorruptionConfig,
    RandomTokenSource,
    TextDraws,
    change_rate,
    corrupt_as_chosen,
    corrupt_at_random,
    draw_for_text,
)
from lmcore.corruption.text import CorruptText
from ui import pretrained, settings

NO_HEAD = ("minilm", "gpt")
"""Models that are known to fill in nothing."""
KNOWN_TEXT = "the animal didn't cross the street because it was too tired."
LARGEST_SEED = 2**31 - 1


class CorruptionState(NamedTuple):
    """All that is on screen."""

    typed: str
    text: CorruptText
    lot: CorruptionConfig
    drawn: TextDraws
    trace: CorruptionTrace
    written: str
    """What was chosen by hand, or nothing"""


def available_models(*, aloud: bool = False) -> dict[str, str]:
    """What may read the text: nobody, our small encoder, or what this server allows; where its
    settings cannot be read, that is said `aloud`."""
    try:
        found = pretrained.available_models()
    except ValueError as error:
        found = {}
        if aloud:
            ui.show_error(error)
    known = {name: label for name, label in found.items() if name not in NO_HEAD}
    return {"words": words.NONE} | known


def read_state() -> CorruptionState:
    """What the controls describe."""
    state = st.session_state
    name = settings.allowed_value("corrupt_model", available_models())
    typed = str(state["corrupt_text"])
    if name == "words":
        text = corruption_text.text_from_words(typed)
    else:
        text = corruption_text.text_from_model(pretrained.load(name), typed)
    return corruption_state_of(typed, text, _lot(), str(state["corrupt_hand"]))


def default_state(typed: str) -> CorruptionState:
    """What the tab opens on where its address cannot be read."""
    return corruption_state_of(
        typed, corruption_text.text_from_words(typed), CorruptionConfig(), ""
    )


def corruption_state_of(
    typed: str, text: CorruptText, lot: CorruptionConfig, written: str
) -> CorruptionState:
    """A text with what became of it, by hand or by lot."""
    drawn = draw_for_text(text, lot)
    if written.strip():
        return CorruptionState(typed, text, lot, drawn, corrupt_as_chosen(text, written), written)
    return CorruptionState(
        typed, text, lot, drawn, corrupt_at_random(text, lot, [lot.rates], drawn.draws), ""
    )


def _lot() -> CorruptionConfig:
    state = st.session_state
    seed = parsing.parse_integer(state["corrupt_seed"], "the seed")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"the seed must be from 0 to {LARGEST_SEED}; got {seed}")
    unit: Any = settings.allowed_value("corrupt_unit", UNITS)
    source: Any = settings.allowed_value("corrupt_from", get_args(RandomTokenSource))
    return CorruptionConfig(shares(), unit, source, seed, state["corrupt_least"] == "true")


def shares() -> Rates:
    """The three shares as they are set.

    Raises:
        ValueError: if one is no share, or masked and random are more than all.
    """
    found = [
        parsing.parse_number(st.session_state[f"corrupt_{n}"], f"the share {n}") for n in SLIDERS
    ]
    return Rates(*found)


def slider_numbers(scene: CorruptionState) -> ui.LiveNumbers:
    """Every number now, and at every position of the three shares."""
    rates = scene.lot.rates
    sliders = []
    for name, label, spoken, look_for, role in figures.SHARES:
        value = float(getattr(rates, name))
        even = np.round(np.arange(figures.POSITIONS) / (figures.POSITIONS - 1), 10)
        even[np.abs(even - value).argmin()] = value
        setting = figures.PREFIX + name
        sliders.append(ui.Slider(setting, label, spoken, value, even, help=look_for, role=role))
    positions = [slider.positions.tolist() for slider in sliders]
    now = figures.current_numbers(scene.text, rates, scene.trace, hand=bool(scene.written))
    swept = figures.swept_numbers(scene.text, scene.lot, scene.drawn.draws, positions)
    return ui.live_numbers("corrupt", now, sliders, swept)


def store_share(told: dict[str, Any]) -> None:
    """A share was let go, or typed: chance decides again, and the other share makes room."""
    wanted = {told["name"]: told["typed"], "corrupt_hand": ""}
    try:
        name = str(told["name"]).removeprefix(figures.PREFIX)
        found = change_rate(
            shares(), name, parsing.parse_number(told["typed"], f"the share {name}")
        )
        wanted |= {figures.PREFIX + each: f"{getattr(found, each):.12g}" for each in SLIDERS}
        wanted[told["name"]] = told["typed"]
    except ValueError:
        pass  # what was typed is refused where it is read, and stays in its field
    ui.set_controls(wanted)


def store_choice_by_hand(told: dict[str, Any]) -> None:
    """A word of the picture was pressed: from now on all is chosen by hand."""
    ui.set_controls({"corrupt_hand": str(told["hand"])})


def draw_again() -> None:
    """The next seed; what was set by hand goes."""
    try:
        seed = parsing.parse_integer(st.session_state["corrupt_seed"], "the seed") + 1
    except ValueError:
        seed = 1
    ui.set_controls({"corrupt_seed": str(min(seed, LARGEST_SEED)), "corrupt_hand": ""})


def forget_choice_by_hand(key: str) -> None:
    """Another text: what was chosen by hand in the old one goes."""
    if (text := ui.changed_value("corrupt_text-typed", key)) is not None:
        ui.set_controls({"corrupt_text": text, "corrupt_hand": ""})


def is_refused_by_encoder(scene: CorruptionState) -> bool:
    """Whether our small encoder was asked, and what is shown was read by nobody."""
    return bool(st.session_state["corrupt_model"] == "encoder" and scene.text.network is None)


def put_known() -> None:
    """A text that our small encoder knows every word of."""
    ui.set_controls({"corrupt_text": KNOWN_TEXT, "corrupt_hand": ""})
