"""The view “Elman network”: one recurrent unit, folded, and unrolled when it is pressed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from drawing.payload import Script
from lessons.networks.networks_state import SETTINGS
from lmcore import parsing
from lmcore.networks.elman import Elman, unroll_elman
from lmcore.numbers import subscript


class ElmanPayload(TypedDict):
    """The steps of an unrolled unit; its numbers are x1 …, h1 …, wx and wh."""

    steps: int
    alt: str


ELMAN = Script("elman", ElmanPayload, ("x#", "h#", "wx", "wh"))


def elman_view() -> None:
    """Draw the network, the sliders of its two weights, and its inputs."""
    st.latex(r"h_t = \tanh(w_x x_t + w_h h_{t-1}) \qquad h_0 = 0")
    network = ui.validated_or_previous("elman", read_elman, Elman)
    live = elman_numbers(network)
    payload: ElmanPayload = {"steps": len(network.inputs), "alt": describe(network)}
    ui.picture(ELMAN, live, payload)
    left, right = st.columns(2)
    with left:
        ui.sliders(live, on_settled=store_weight)
    with right:
        SETTINGS.draw("elman_x")


def read_elman() -> Elman:
    """The network that the controls describe.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    return Elman(
        tuple(parsing.parse_numbers(state["elman_x"], "the inputs x")),
        parsing.parse_number(state["elman_wx"], "the weight w_x"),
        parsing.parse_number(state["elman_wh"], "the weight w_h"),
    )


def elman_numbers(network: Elman) -> ui.LiveNumbers:
    """The inputs and states now, and at every position of the sliders of both weights."""
    names = [f"{letter}{t}" for letter in "xh" for t in range(1, len(network.inputs) + 1)]
    sliders, tables = [], []
    for name, value, label in (
        ("wx", network.input_weight, f"w{subscript_letter('x')}"),
        ("wh", network.hidden_weight, f"w{subscript_letter('h')}"),
    ):
        positions = ui.slider_positions(value, reach=2.0, limit=100.0)
        along = torch.from_numpy(positions)
        swept = (
            unroll_elman(network, input_weight=along)
            if name == "wx"
            else unroll_elman(network, hidden_weight=along)
        )
        weights = (
            (along, torch.full_like(along, network.hidden_weight))
            if name == "wx"
            else (torch.full_like(along, network.input_weight), along)
        )
        tables.append(_rows(swept.inputs, swept.hidden, *weights))
        spoken = f"weight {name}"
        look_for = "How much of the step before is kept: watch the last state"
        sliders.append(ui.Slider(name, label, spoken, value, positions, look_for, "weight"))
    now = unroll_elman(network)
    one = (torch.tensor([network.input_weight]), torch.tensor([network.hidden_weight]))
    first = _rows(now.inputs[None], now.hidden[None], *one)[0]
    return ui.LiveNumbers("elman", (*names, "wx", "wh"), first, tuple(sliders), tables)


def subscript_letter(letter: str) -> str:
    """The letter x or h as a subscript."""
    return {"x": "ₓ", "h": "ₕ"}[letter]


def _rows(*parts: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    columns = [each if each.ndim == 2 else each[:, None] for each in parts]
    return torch.cat([each.double() for each in columns], dim=-1).numpy()


def describe(network: Elman) -> str:
    """The alt text of the picture."""
    states: Sequence[float] = unroll_elman(network).hidden.tolist()
    named = ", ".join(f"h{subscript(t)} = {h:.4g}" for t, h in enumerate(states, start=1))
    return f"One recurrent unit over {len(network.inputs)} steps: {named}."


def store_weight(moved: Moved) -> None:
    """Store a released slider's weight."""
    try:
        value = parsing.parse_number(moved["typed"], moved["name"])
        ui.set_controls({f"elman_{moved['name']}": f"{value:.10g}"})
    except ValueError as error:
        ui.show_error_later(error)
