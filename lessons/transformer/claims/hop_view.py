"""The view “One hop”: a far word recalled by attention and by an RNN."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypedDict

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from drawing.payload import Script
from lessons.transformer.claims import hop_text
from lessons.transformer.claims.claims_questions import hop_questions
from lessons.transformer.transformer_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.recurrence import recall
from lmcore.recurrence.recall import CHANCE
from lmcore.transformer import far_recall
from lmcore.transformer.path_length import last_of_block, last_of_recurrent, measure_paths

ONE_HOP = "One hop"
"""The view that this picture draws."""


class HopPayload(TypedDict):
    """What `lessons/transformer/hop.js` draws besides the numbers."""

    letters: Sequence[str]
    """The first symbol, and those between it and the question at the greatest distance."""
    distances: Sequence[int]
    steps: int
    """The training steps of the attention layer, and of the RNN."""
    rnnSteps: int


HOP = Script(
    "hop",
    HopPayload,
    (
        *("distance", "hops", "attention", "rnn", "rnn #"),
        *("products", "block", "chance", "@say"),
    ),
)


def show(rows: ui.Rows) -> None:
    """Draw both ways to the first word on the stage, and beside it the distance."""
    live = slider_numbers(int(SETTINGS.choice("hop_words")))
    how = hop_picture()
    with rows.rail:
        hidden = ui.predict_first(hop_questions(live, how["distances"]))
        ui.sliders(live, on_settled=store_slider)
        with ui.more(rows):
            st.caption(hop_text.method(far_recall.load_results(), recall.load_results()))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=hop_text.SENTENCES,
            formula=() if hidden else [hop_text.FORMULA],
            alt=hop_text.ALT,
            kind="measured",
            hidden=hidden,
        )
        ui.main_picture(HOP, live, how, texts)


@lru_cache(maxsize=1)
def recalled() -> dict[int, tuple[float, float]]:
    """Distance → the shares that attention and the RNN recall, in percent."""
    rnn = {each.distance: each for each in recall.load_results().alone if each.cell == "rnn"}
    shares = far_recall.load_results().shares
    return {n: (100 * shares[n], 100 * float(np.mean(rnn[n].accuracies))) for n in shares}


@lru_cache(maxsize=32)
def products(distance: int) -> tuple[int, int]:
    """The products on the shortest path from the first word to the question: RNN, block."""
    words = (distance + 2,)
    both = (measure_paths(last, words)[0] for last in (last_of_recurrent, last_of_block))
    rnn, block = (each.shortest for each in both)
    return rnn, block


def numbers(distance: int) -> dict[str, float]:
    """The numbers of the picture at a distance."""
    attention, rnn = recalled()[distance]
    path, block = products(distance)
    named = {
        "distance": float(distance),
        "hops": float(distance + 1),
        "attention": float(round(attention)),
        "rnn": float(round(rnn)),
        "products": float(path),
        "block": float(block),
        "chance": 100 * CHANCE,
        "@say": float(hop_text.sentence_at(attention, rnn, distance)),
    }
    return named | {f"rnn {n}": float(round(rnn)) for n, (_, rnn) in recalled().items()}


def slider_numbers(distance: int) -> ui.LiveNumbers:
    """Every number now, and at each distance."""
    now = numbers(distance)
    distances = sorted(recalled())
    slider = ui.Slider(
        "distance",
        "words between",
        "words between",
        float(distance),
        np.array(distances, dtype=np.float64),
        "The words between the first one and the question: drag it, or the “?” in the picture",
    )
    table = np.array([list(numbers(each).values()) for each in distances])
    return ui.LiveNumbers("hop", tuple(now), np.array(list(now.values())), (slider,), [table])


@lru_cache(maxsize=1)
def hop_picture() -> HopPayload:
    """The data of `lessons/transformer/hop.js`; the symbols are drawn as in the tests."""
    distances = sorted(recalled())
    drawn = recall.sequences(distances[-1], 1, torch.Generator().manual_seed(0))
    return {
        "letters": ["ABCDEFGH"[symbol] for symbol in drawn.tokens[0, :-1].tolist()],
        "distances": distances,
        "steps": int(far_recall.load_results().how["steps"]),
        "rnnSteps": int(recall.load_results().how["steps"]),
    }


def store_slider(moved: Moved) -> None:
    """Store the released distance, or the number typed beside it."""
    try:
        distance = parsing.parse_integer(moved["typed"], "the number of words between")
        if distance not in (known := recalled()):
            measured = ", ".join(map(str, known))
            raise ValueError(
                f"the number of words between must be one of {measured}; got {distance}"
            )
        ui.set_controls({"hop_words": str(distance)})
    except ValueError as error:
        ui.show_error_later(error)
