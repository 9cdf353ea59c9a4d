"""The settings of the page on positions, read and stored."""

from __future__ import annotations

from typing import Any

import streamlit as st
import torch

import ui
from lessons.positions import picture
from lmcore import parsing
from lmcore.attention import permutation
from lmcore.attention.permutation import OrderSpec
from lmcore.models.positions import MOST, PlacePair
from ui import pretrained
from ui.settings import Bound, Choice, SettingsTable, Switch, Text

LESSON = ui.lesson("positions")
WIDTHS = ("4", "8", "16", "64", "128", "512")
SETTINGS = SettingsTable(
    LESSON,
    {
        "positions_width": Choice(WIDTHS, "Width d"),
        "positions_pair": Text("Pair i to open"),
        "positions_text": Text("Words", f"{permutation.MOST_WORDS} at most, any words"),
        "positions_order": Text("New order", "seed 3, or places such as 0 4 2 3 1"),
        "positions_on": Switch("Add positions"),
        "positions_causal": Switch("Causal mask"),
        "positions_model": Choice(pretrained.known_models, "Model"),
        "positions_far": Text("A distant place", "One beyond those the model was trained on"),
        "positions_see": Bound(),
    },
)


def read_places() -> tuple[PlacePair, int]:
    """The two places, and the pair of dimensions that is opened."""
    state = st.session_state
    width = int(SETTINGS.choice("positions_width", WIDTHS[::-1]))
    place = parsing.parse_integer(state["positions_place"], "the place")
    offset = parsing.parse_integer(state["positions_offset"], "the offset")
    pair = parsing.parse_integer(state["positions_pair"], "the pair")
    if pair < 0:
        raise ValueError(f"the pair must be 0 or more; got {pair}")
    # A pair beyond the last one comes from a wider PE.
    return PlacePair(place, offset, width), min(pair, width // 2 - 1)


def slider_numbers(spec: PlacePair, pair: int) -> ui.LiveNumbers:
    """Every number now, at every place, and at every offset."""
    every = torch.arange(MOST + 1).double().numpy()
    sliders = [
        ui.Slider(name, label, spoken, value, every, help=help_text, role=role)
        for (name, label, spoken, help_text, role), value in zip(
            picture.SLIDERS, (spec.place, spec.offset), strict=True
        )
    ]
    return ui.live_numbers(
        "positions", picture.current_numbers(spec, pair), sliders, picture.swept_numbers(spec, pair)
    )


def store_slider(event: dict[str, Any]) -> None:
    """Store the value that was dragged or typed."""
    ui.set_controls({event["name"]: event["typed"]})


def open_clock(event: dict[str, Any]) -> None:
    """Open the pair of dimensions whose clock was pressed."""
    ui.set_controls({"positions_pair": str(event["pair"])})


def read_order() -> OrderSpec:
    """The words and their new order."""
    state = st.session_state
    return permutation.parse_order(
        state["positions_text"],
        state["positions_order"],
        positions=SETTINGS.switch("positions_on"),
        causal=SETTINGS.switch("positions_causal"),
    )


def default_order() -> OrderSpec:
    """The words and the order that the page opens on."""
    return permutation.parse_order(LESSON.looks["positions_text"], LESSON.looks["positions_order"])


def shuffle_again() -> None:
    """Shuffle with the next seed."""
    seed = permutation.next_seed(st.session_state["positions_order"])
    ui.set_controls({"positions_order": f"seed {seed}"})


def read_far_place() -> int:
    """The far place that was typed."""
    far = parsing.parse_integer(st.session_state["positions_far"], "the place")
    if far < 0:
        raise ValueError(f"the place must be 0 or more; got {far}")
    return far
