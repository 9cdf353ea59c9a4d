"""The stage of BERT's input: token, position and segment rows of a real model, and their sum."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypedDict

import numpy as np
import streamlit as st
import torch

import ui
from drawing import theme
from drawing.events import Moved, Place
from drawing.payload import NumberArray, NumberName, Script
from lessons.tokens import tokens_text
from lessons.tokens.tokens_questions import input_questions
from lessons.tokens.tokens_state import LESSON, SETTINGS, encoder_models, read_pair
from lmcore import parsing
from lmcore.tokenization import inputs, packing
from lmcore.tokenization.inputs import InputTrace
from ui import pretrained

SHOWN = 64
"""Dimensions of an embedding that are drawn."""
NO_ENCODER = (
    "The real English encoder is not installed here: `make run` fetches it, once. These are the "
    "rows of a smaller model."
)


class EncoderInput(NamedTuple):
    """A model's input, with the model's name and label."""

    trace: InputTrace
    model: str
    label: str
    types: int
    """The size of the model's vocabulary."""


class InputsPayload(TypedDict):
    """The rows that are added for a token, drawn as colours."""

    tokens: list[str]
    ids: list[int]
    segments: list[int]
    rows: list[tuple[NumberName, str, str]]
    """The name, the letter and the colour role of each row."""
    values: NumberArray
    """The drawn dimensions of the chosen token, one row after another."""
    shown: int
    wide: int
    reach: float
    fills: list[str]
    at: int
    """The position of the chosen token."""


INPUTS = Script(
    "inputs", InputsPayload, ("tokens_dim", "token", "position", "segment", "input"), Place
)
"""Its event is the position of the pressed token."""


def show(rows: ui.Rows) -> None:
    """Draw the rows of a token as colours, their sum, and the controls."""
    models = encoder_models()
    with rows.errors:
        installed = pretrained.known_models(report=True)
        given = read_encoder_input(models) if models else None
        spot = ui.validated_or_previous("tokens_spot", read_spot, lambda: (0, 0))
    if given is None:
        with rows.picture:
            st.info("No model is installed whose input this page could show.")
        return
    width = min(SHOWN, given.trace.output.shape[1])
    at = min(spot[0], len(given.trace.output) - 1), min(spot[1], width - 1)
    live = slider_numbers(given.trace, at)
    with rows.rail:
        hidden = ui.predict_first(input_questions(given.trace, at))
        ui.sliders(live, on_settled=store_slider)
        SETTINGS.draw("tokens_first", "tokens_second")
        if len(models) > 1:
            SETTINGS.draw("tokens_model")
        with ui.more(rows):
            if installed and pretrained.WHEEL not in installed:
                st.info(NO_ENCODER)
            _input_notes(given)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[tokens_text.input_sentence(given.trace, at[0])],
            formula=[tokens_text.input_formula(given.trace, at[0])],
            alt=f"The rows that are added up for the token at position {at[0]}, {width} of "
            f"{given.trace.output.shape[1]} dimensions as colours; in dimension {{tokens_dim}} "
            "their sum is {input}.",
            kind="measured here",
            hidden=hidden,
        )
        drawn = input_picture(given.trace, at[0])
        ui.main_picture(INPUTS, live, drawn, texts, on_event=store_token)


def _input_notes(given: EncoderInput) -> None:
    for said in tokens_text.input_words(given.trace, given.model):
        st.markdown(ui.escape_markdown(said))
    st.caption(
        f"{ui.escape_markdown(given.label)}: its own tokenizer, {given.types:,} types, and "
        "its own learned tables. The slides give BERT 30,000 types. BERT applies LayerNorm "
        "next; this is the sum before it."
    )


def store_slider(moved: Moved) -> None:
    """Store the dimension once its slider is released or typed."""
    ui.set_controls({moved["name"]: moved["typed"]})


def store_token(at: Place) -> None:
    """Store the token that was pressed."""
    ui.set_controls({"tokens_at": str(at)})


def slider_numbers(trace: InputTrace, at: tuple[int, int]) -> ui.LiveNumbers:
    """The number of each row in every dimension that is drawn, for one token."""
    look_for = "Three numbers and their sum in every dimension. Where do they cancel?"
    return numbers_by_dimension("inputs", trace, at, shown=SHOWN, look_for=look_for)


def numbers_by_dimension(
    group: str,
    trace: InputTrace,
    at: tuple[int, int],
    *,
    shown: int,
    look_for: str,
    constant: Mapping[str, float] = MappingProxyType({}),
) -> ui.LiveNumbers:
    """The rows of a token in the first `shown` dimensions, and numbers that depend on none."""
    token, dimension = at
    width = min(shown, trace.output.shape[1])
    dimensions = np.arange(width, dtype=np.float64)
    swept = {"tokens_dim": torch.from_numpy(dimensions)}
    swept |= {name: values[token, :width].double() for name, values in trace.rows.items()}
    swept |= {name: torch.full((width,), each).double() for name, each in constant.items()}
    slider = ui.Slider(
        "tokens_dim",
        "d",
        "dimension",
        float(dimension),
        dimensions,
        help=look_for,
        role="activation",
    )
    now = {name: values[dimension] for name, values in swept.items()}
    every = {name: values[None] for name, values in swept.items()}
    return ui.live_numbers(group, now, [slider], every)


def input_picture(trace: InputTrace, at: int) -> InputsPayload:
    """The payload of `lessons/tokens/inputs.js`; `at` is the position of the chosen token."""
    rows = trace.rows
    wide = trace.output.shape[1]
    shown = min(SHOWN, wide)
    values = torch.stack([each[:, :shown] for each in rows.values()]).double()
    read = trace.reading
    return {
        "tokens": list(read.tokens),
        "ids": read.ids.tolist(),
        "segments": read.segments.tolist(),
        "rows": [(name, tokens_text.SYMBOLS[name], tokens_text.ROLES[name]) for name in rows],
        "values": values[:, at].numpy(),
        "shown": shown,
        "wide": wide,
        "reach": float(values.abs().max()) or 1.0,
        "fills": theme.diverging_scale()[0],
        "at": at,
    }


def read_encoder_input(models: dict[str, str]) -> EncoderInput | None:
    """The input that the controls describe, or the last valid one; None if no model loads."""

    def of_model() -> EncoderInput:
        name = SETTINGS.choice("tokens_model")
        reader = pretrained.load(name)
        read = reader.read(*read_pair(), packing.MAX_LENGTH)
        types = reader.network.config.vocabulary
        return EncoderInput(
            inputs.trace_inputs(reader.network, read), reader.name, models[name], types
        )

    def none() -> None:
        return None

    given: EncoderInput | None = ui.validated_or_previous("tokens_input", of_model, none)
    return given


def read_spot() -> tuple[int, int]:
    """The selected token and dimension.

    Raises:
        ValueError: if one is not a whole number from 0.
    """
    at = [
        parsing.parse_integer(st.session_state[name], what)
        for name, what in (("tokens_at", "the token"), ("tokens_dim", "the dimension"))
    ]
    if min(at) < 0:
        raise ValueError(f"the token and the dimension must be 0 or more; got {min(at)}")
    return at[0], at[1]
