"""The view *Stacks*: the encoders and the decoders of the first Transformer, by their weights."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TypedDict

import numpy as np
import streamlit as st

import ui
from drawing.events import Moved, Name
from drawing.payload import Script
from lessons.transformer.towers import stacks_text
from lessons.transformer.towers.stacks_text import DECODER, KINDS
from lessons.transformer.towers.towers_questions import stack_questions
from lessons.transformer.transformer_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.checks import check_between
from lmcore.transformer.parameters import Sizes, count_by_part
from lmcore.transformer.published import PUBLISHED

STACKS = "Stacks"
"""The view that this picture draws."""
BASE = PUBLISHED["transformer_base"].sizes
MOST = 12
"""Encoders, and decoders."""
MILLION = 1e6
NOTE = (
    "The sizes are those of the base model of Vaswani et al. 2017. A part of a block is as wide as "
    "its weights are many; LayerNorms, 2d weights each, are in the counts and too thin to be drawn."
)


class StacksPayload(TypedDict):
    """The kind of block whose weights are added up: 0 an encoder, 1 a decoder."""

    chosen: int


SCRIPT = Script(
    "stacks",
    StacksPayload,
    (
        *("N", "d", "d_ff", "encoder", "decoder", "encoders", "decoders", "stacks"),
        *("attention", "cross", "mlp", "@say", "@formula"),
    ),
    Name,
)
"""Weights are in millions: `attention`, `cross` and `mlp` of one block, `encoder` and `decoder` a
block, `encoders` and `decoders` a stack, `stacks` both."""


def show(rows: ui.Rows) -> None:
    """Draw both stacks on the stage, and the number of blocks beside it."""
    kind = SETTINGS.choice("stack_kind")
    with rows.errors:
        layers = ui.validated_or_previous("stacks", read_layers, lambda: BASE.layers)
    live = live_numbers(layers, kind)
    with rows.rail:
        hidden = ui.predict_first(stack_questions(live))
        ui.sliders(live, on_settled=store_layers)
        SETTINGS.draw("stack_kind")
        with ui.more(rows):
            st.caption(NOTE)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=stacks_text.sentences(),
            formula=stacks_text.formulas(),
            alt=stacks_text.describe(),
            hidden=hidden,
        )
        how: StacksPayload = {"chosen": list(KINDS).index(kind)}
        ui.main_picture(SCRIPT, live, how, texts, on_event=store_kind)


def read_layers() -> int:
    """The number of encoders in the controls.

    Raises:
        ValueError: if it is no number or out of bounds.
    """
    typed = str(st.session_state["stack_n"])
    return checked(typed) if typed else BASE.layers


def checked(typed: str) -> int:
    """A typed number of encoders.

    Raises:
        ValueError: if it is no number or out of bounds.
    """
    layers = parsing.parse_integer(typed, "the number of blocks N")
    check_between("the number of blocks N", layers, 1, MOST)
    return layers


def store_layers(moved: Moved) -> None:
    """Store the released number of blocks, or the one typed beside its slider."""
    try:
        ui.set_controls({"stack_n": str(checked(str(moved["typed"])))})
    except ValueError as error:
        ui.show_error_later(error)


def store_kind(pressed: Name) -> None:
    """Add up the weights of the kind of block that was pressed; another name is ignored."""
    if pressed in KINDS:
        ui.set_controls({"stack_kind": pressed})


@lru_cache(maxsize=32)
def live_numbers(layers: int, kind: str) -> ui.LiveNumbers:
    """Every number now, and along the slider of the number of blocks."""
    positions = np.arange(1.0, MOST + 1)
    rows = [numbers(replace(BASE, layers=int(n)), kind) for n in positions]
    slider = ui.Slider("N", "N", "number of blocks N", layers, positions,
                       "The paper’s model has six of each", "weight")  # fmt: skip
    table = np.array([list(row.values()) for row in rows])
    return ui.LiveNumbers("stacks", tuple(rows[0]), table[layers - 1], (slider,), [table])


def numbers(sizes: Sizes, kind: str) -> dict[str, float]:
    """The numbers of the picture."""
    counts, layers = count_by_part(sizes), sizes.layers
    attention = counts["self-attention"] // (2 * layers)  # of each stack as many
    cross, mlp = counts["cross-attention"] // layers, counts["MLP"] // (2 * layers)
    norm = 2 * sizes.width
    encoder, decoder = attention + mlp + 2 * norm, attention + cross + mlp + 3 * norm
    weights = {
        "encoder": encoder,
        "decoder": decoder,
        "encoders": layers * encoder,
        "decoders": layers * decoder,
        "stacks": layers * (encoder + decoder),
        "attention": attention,
        "cross": cross,
        "mlp": mlp,
    }
    place = float(kind == DECODER)
    return {
        "N": float(layers),
        "d": float(sizes.width),
        "d_ff": float(sizes.hidden),
        **{name: count / MILLION for name, count in weights.items()},
        "@say": 0.0,
        "@formula": place,
    }
