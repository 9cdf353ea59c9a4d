"""The settings of the page on positions, read and stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

import ui
from drawing.events import Moved
from lessons.positions import positions_picture
from lmcore import parsing
from lmcore.attention import permutation
from lmcore.attention.permutation import OrderSpec
from lmcore.attention.two_orders import MOST_START, TwoOrders
from ui import pretrained
from ui.settings import Bound, Choice, SettingsTable, Switch, Text

LESSON = ui.lesson("positions")
SLIDERS = (
    ("pos", "pos", "position pos", "The sentence moves along: the dot product stays", "query"),
    ("d", "d", "width d", "More dimensions: more waves", "input"),
    ("base", "base", "base", "Larger: the slow waves become slower", "input"),
)
"""Name, label, spoken label, help and role of each slider."""


def fit_order() -> None:
    """Shuffle again if the order does not fit the typed words."""
    state = st.session_state
    try:
        permutation.parse_order(state["positions_text"], state["positions_order"])
    except ValueError:
        ui.set_controls({"positions_order": "seed 1"})


SETTINGS = SettingsTable(
    LESSON,
    {
        "positions_text": Text(
            "Words", f"{permutation.MOST_WORDS} at most, any words", then=fit_order
        ),
        "positions_order": Text("New order", "Old places in their new order, 0 4 2 3 1, or seed 3"),
        "positions_causal": Switch("Causal mask"),
        "positions_pair": Text("Pair i of the formula", "Or press a wave"),
        "positions_on": Switch("Add positions"),
        "positions_model": Choice(pretrained.known_models, "Model"),
        "positions_far": Text("A distant position", "One beyond those the model was trained on"),
        "see": Bound(),
    },
)


def read_state(state: Any) -> tuple[TwoOrders, int]:
    """The words in both orders with the waves, and the pair of dimensions of the formula.

    Raises:
        ValueError: naming what is wrong.
    """
    causal = state["positions_causal"] == "true"
    words = permutation.parse_order(
        state["positions_text"], state["positions_order"], causal=causal
    )
    integers = {
        name: parsing.parse_integer(state[f"positions_{name}"], spoken)
        for name, spoken in (
            ("word", "the word"),
            ("start", "the position of the first word"),
            ("width", "the width d"),
            ("pair", "the pair"),
        )
    }
    if integers["pair"] < 0:
        raise ValueError(f"the pair must be 0 or more; got {integers['pair']}")
    base = parsing.parse_number(state["positions_base"], "the base")
    # A word beyond the last one comes from a longer text.
    word = min(integers["word"], len(words.words) - 1)
    spec = TwoOrders(words, word, integers["start"], integers["width"], base)
    return spec, integers["pair"]


def slider_numbers(spec: TwoOrders, pair: int) -> ui.LiveNumbers:
    """Every number now, and at every position of each slider."""
    at = positions_picture.slider_positions(spec)
    values = {"pos": spec.position, "d": spec.width, "base": spec.base}
    sliders = [
        ui.Slider(name, label, spoken, values[name], at[name].numpy(), help=says, role=role)
        for name, label, spoken, says, role in SLIDERS
    ]
    now, swept = (
        positions_picture.current_numbers(spec, pair),
        positions_picture.swept_numbers(spec, pair),
    )
    return ui.live_numbers("positions", now, sliders, swept)


def store_slider(event: Moved) -> None:
    """Store the value that was dragged or typed; pos moves the first word."""
    name, typed = event["name"], event["typed"]
    if name != "pos":
        ui.set_controls({{"d": "positions_width", "base": "positions_base"}[name]: typed})
        return
    try:
        spec, _ = read_state(st.session_state)
        start = parsing.parse_integer(typed, "pos") - spec.word
        if not 0 <= start <= MOST_START:
            least, most = spec.word, spec.word + MOST_START
            raise ValueError(f"pos must be from {least} to {most} for this word; got {typed}")
    except ValueError as error:
        ui.show_error_later(error)
    else:
        ui.set_controls({"positions_start": str(start)})


def press(event: positions_picture.WordOrPair) -> None:
    """Follow the word that was pressed, or open the pair of dimensions."""
    ui.set_controls(
        {f"positions_{name}": str(event[name]) for name in ("word", "pair") if name in event}
    )


def with_encoder(spec: TwoOrders) -> OrderSpec:
    """The words in both orders for the encoder, with positions or without."""
    return replace(spec.words, positions=SETTINGS.switch("positions_on"))


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
