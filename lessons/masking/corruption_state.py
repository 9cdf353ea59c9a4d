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
from lmcore.corruption.draws import SLIDERS, UNITS, Drawn, From, Lot, by_lot, chance, hand, moved
from lmcore.corruption.text import CorruptText
from ui import pretrained, settings

NO_HEAD = ("minilm", "gpt")
"""Models that are known to fill in nothing."""
KNOWN = "the animal didn't cross the street because it was too tired."
LARGEST_SEED = 2**31 - 1


class Scene(NamedTuple):
    """All that is on screen."""

    typed: str
    text: CorruptText
    lot: Lot
    drawn: Drawn
    trace: CorruptionTrace
    written: str
    """What was chosen by hand, or nothing"""


def offered(*, aloud: bool = False) -> dict[str, str]:
    """What may read the text: nobody, our small encoder, or what this server allows; where its
    settings cannot be read, that is said `aloud`."""
    try:
        found = pretrained.available()
    except ValueError as error:
        found = {}
        if aloud:
            ui.refuse(error)
    known = {name: label for name, label in found.items() if name not in NO_HEAD}
    return {"words": words.NONE} | known


def read() -> Scene:
    """What the controls describe."""
    state = st.session_state
    name = settings.among("corrupt_model", offered())
    typed = str(state["corrupt_text"])
    if name == "words":
        text = corruption_text.of_words(typed)
    else:
        text = corruption_text.of_model(pretrained.load(name), typed)
    return of(typed, text, _lot(), str(state["corrupt_hand"]))


def opening(typed: str) -> Scene:
    """What the tab opens on where its address cannot be read."""
    return of(typed, corruption_text.of_words(typed), Lot(), "")


def of(typed: str, text: CorruptText, lot: Lot, written: str) -> Scene:
    """A text with what became of it, by hand or by lot."""
    drawn = chance(text, lot)
    if written.strip():
        return Scene(typed, text, lot, drawn, hand(text, written), written)
    return Scene(typed, text, lot, drawn, by_lot(text, lot, [lot.rates], drawn.draws), "")


def _lot() -> Lot:
    state = st.session_state
    seed = parsing.whole(state["corrupt_seed"], "the seed")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"the seed must be from 0 to {LARGEST_SEED}; got {seed}")
    unit: Any = settings.among("corrupt_unit", UNITS)
    source: Any = settings.among("corrupt_from", get_args(From))
    return Lot(shares(), unit, source, seed, state["corrupt_least"] == "true")


def shares() -> Rates:
    """The three shares as they are set.

    Raises:
        ValueError: if one is no share, or masked and random are more than all.
    """
    found = [parsing.number(st.session_state[f"corrupt_{n}"], f"the share {n}") for n in SLIDERS]
    return Rates(*found)


def follow_the_hand(scene: Scene) -> ui.Live:
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
    now = figures.now(scene.text, rates, scene.trace, hand=bool(scene.written))
    swept = figures.swept(scene.text, scene.lot, scene.drawn.draws, positions)
    return ui.follow("corrupt", now, sliders, swept)


def settle(told: dict[str, Any]) -> None:
    """A share was let go, or typed: chance decides again, and the other share makes room."""
    wanted = {told["name"]: told["typed"], "corrupt_hand": ""}
    try:
        name = str(told["name"]).removeprefix(figures.PREFIX)
        found = moved(shares(), name, parsing.number(told["typed"], f"the share {name}"))
        wanted |= {figures.PREFIX + each: f"{getattr(found, each):.12g}" for each in SLIDERS}
        wanted[told["name"]] = told["typed"]
    except ValueError:
        pass  # what was typed is refused where it is read, and stays in its field
    ui.put(wanted)


def pressed(told: dict[str, Any]) -> None:
    """A word of the picture was pressed: from now on all is chosen by hand."""
    ui.put({"corrupt_hand": str(told["hand"])})


def draw_again() -> None:
    """The next seed; what was set by hand goes."""
    try:
        seed = parsing.whole(st.session_state["corrupt_seed"], "the seed") + 1
    except ValueError:
        seed = 1
    ui.put({"corrupt_seed": str(min(seed, LARGEST_SEED)), "corrupt_hand": ""})


def retyped(key: str) -> None:
    """Another text: what was chosen by hand in the old one goes."""
    if (text := ui.heard("corrupt_text-typed", key)) is not None:
        ui.put({"corrupt_text": text, "corrupt_hand": ""})


def refused_by_ours(scene: Scene) -> bool:
    """Whether our small encoder was asked, and what is shown was read by nobody."""
    return bool(st.session_state["corrupt_model"] == "encoder" and scene.text.network is None)


def put_known() -> None:
    """A text that our small encoder knows every word of."""
    ui.put({"corrupt_text": KNOWN, "corrupt_hand": ""})
