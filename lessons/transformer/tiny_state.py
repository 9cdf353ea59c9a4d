"""The settings of the Transformer on one screen, and the run that they describe."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64
from torch import Tensor

import ui
from drawing.events import Moved
from drawing.live import FloatArray
from lessons.transformer import tiny_picture
from lessons.transformer.tiny_picture import TinyChoice
from lmcore import parsing
from lmcore.transformer import tiny
from lmcore.transformer.tiny import TinyRun, TinyTrace, WeightEdit, WeightPlace
from ui import compute
from ui.settings import Between, Choice, Setting, Text
from ui.widgets import set_controls, show_error_later

OWN = "own"
REACH = 3.0
"""A weight's slider covers at least ± this."""
COUNT = 61
"""The number of positions of a weight's slider."""
LONGEST_EDITS = 2000
KEPT = 32
"""The number of weight sweeps cached for all visitors."""


def sentences() -> dict[str, str]:
    """The choices of a text: the four sentences, or the visitor's own words."""
    return {**{text: text for text in tiny_picture.SENTENCES}, OWN: "own words"}


TINY_SETTINGS: dict[str, Setting] = {
    "tiny_text": Choice(sentences, "Sentence"),
    "tiny_own": Text("Own words", f"One to four of: {', '.join(tiny.WORDS)}", longest=60),
    "tiny_step": Between(0, tiny.STEPS, whole=True),
    "tiny_place": Text("Word", "The word after which the model predicts, from 1"),
    "tiny_eta": Text("Learning rate η", "Of Adam, from 0 to 1: another one, another run"),
    "tiny_seed": Text("Seed", "Of the initial weights"),
    "tiny_edits": Text(
        "Edits",
        "step: weight = value, such as 40: WQ[1,2] = 0.5; training goes on from the edited weights",
        longest=LONGEST_EDITS,
    ),
}


class TinyState(NamedTuple):
    """What the controls describe."""

    text: str
    step: int = tiny.STEPS
    place: int = 3
    """The word after which the model predicts, from 1."""
    weight: WeightPlace = WeightPlace("P", 2, 0)
    """The weight that has a slider."""
    rate: float = tiny.RATE
    seed: int = tiny.SEED
    edits: tuple[WeightEdit, ...] = ()


def read_tiny() -> TinyState:
    """The state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    text = state["tiny_own"] if state["tiny_text"] == OWN else state["tiny_text"]
    count = len(tiny.tiny_ids(text))
    place = parsing.parse_integer(state["tiny_place"], "the word")
    rate = parsing.parse_number(state["tiny_eta"], "the learning rate η")
    if not 0 <= rate <= tiny.HIGHEST_RATE:
        raise ValueError(
            f"the learning rate η must be from 0 to {tiny.HIGHEST_RATE:g}; got {rate:g}"
        )
    if place < 1:
        raise ValueError(f"the word must be from 1 to {tiny.CONFIG.longest}; got {place}")
    step = parsing.parse_integer(state["tiny_step"], "the step")
    return TinyState(
        " ".join(text.split()),
        min(max(step // tiny.EVERY * tiny.EVERY, 0), tiny.STEPS),
        min(place, count),
        tiny.parse_place(state["tiny_weight"]),
        rate,
        parsing.parse_integer(state["tiny_seed"], "the seed"),
        tiny.parse_edits(state["tiny_edits"]),
    )


def default_tiny() -> TinyState:
    """The view's example."""
    return TinyState(tiny_picture.SENTENCES[1])


def trained_tiny(now: TinyState) -> TinyRun:
    """The training run with all edits, computed once for all visitors."""
    make = partial(tiny.train_tiny, now.seed, now.rate, tuple(sorted(now.edits)))
    return compute.shared_result("tiny runs", make, most=64, says="Training", apart=True)


class WeightSweep(NamedTuple):
    """A weight along its slider, with all numbers that depend on it at each position."""

    positions: FloatArray
    weights: Float64[Tensor, "position weight"]
    sentences: TinyTrace
    """The four sentences of the training, in one trace."""
    losses: Float64[Tensor, "position sentence"]


@lru_cache(maxsize=KEPT)
def sweep_at(run: TinyRun, step: int, weight: WeightPlace) -> WeightSweep:
    """A weight of a run at a recorded step, along its slider in one batch."""
    row = run.weights[step // tiny.EVERY]
    value = float(row[weight.offset])
    positions = ui.slider_positions(
        value, reach=REACH, limit=max(tiny.LARGEST_WEIGHT, abs(value)), count=COUNT
    )
    turned = tiny.sweep_weight(row, weight, torch.from_numpy(positions))
    with torch.no_grad():
        return WeightSweep(positions, turned, *tiny.trace_sentences(turned))


class TinyNumbers(NamedTuple):
    """The numbers of the view, and what its picture draws from."""

    live: ui.LiveNumbers
    positions: FloatArray
    """The positions of the chosen weight's slider."""
    swept: TinyTrace
    """The numbers of the text at each position."""


def tiny_numbers(now: TinyState, run: TinyRun) -> TinyNumbers:
    """All numbers at every recorded step, and along the slider of the chosen weight."""
    sweep = sweep_at(run, now.step, now.weight)
    if now.text in tiny_picture.SENTENCES:
        swept = tiny.text_of(sweep.sentences, tiny_picture.SENTENCES.index(now.text))
    else:
        with torch.no_grad():
            swept = tiny.trace_tiny(sweep.weights, tiny.tiny_ids(now.text))
    steps = torch.arange(0, tiny.STEPS + 1, tiny.EVERY).double()
    recorded = tiny_picture.recorded_trace(run, now.text)
    along = _named(now, steps, run.weights, run.losses, recorded)
    stay = torch.full((COUNT,), float(now.step))
    across = _named(now, stay, sweep.weights, sweep.losses, swept)
    rows = _table(along)
    here = rows[now.step // tiny.EVERY]
    value = float(here[list(along).index("w")])
    sliders = (_step_slider(now, steps), _weight_slider(now.weight, value, sweep.positions))
    live = ui.LiveNumbers("tiny", tuple(along), here, sliders, [rows, _table(across)])
    return TinyNumbers(live, sweep.positions, swept)


def _named(
    now: TinyState, steps: Tensor, weights: Tensor, losses: Tensor, trace: TinyTrace
) -> dict[str, Tensor]:
    """The numbers of the sentence above the picture, in each row."""
    i = now.place - 1
    chances = trace.p[:, i]
    right = tiny_picture.right_word(now.text, now.place)
    best = chances.argmax(dim=-1)
    return {
        "step": steps.double(),
        "w": weights[:, now.weight.offset],
        "loss": losses.mean(dim=-1),
        **{f"l{k + 1}": losses[:, k] for k in range(losses.shape[1])},
        "p": chances.amax(dim=-1) if right is None else chances[:, right],
        "best": chances.amax(dim=-1),
        "a": trace.alpha[:, i, 0],
        "@say": best + len(tiny.WORDS) * (chances.amax(dim=-1) >= tiny_picture.DECIDED).double(),
    }


def _table(named: Mapping[str, Tensor]) -> FloatArray:
    return np.stack([each.numpy() for each in named.values()], axis=-1)


def _step_slider(now: TinyState, steps: Tensor) -> ui.Slider:
    return ui.Slider(
        "step",
        "step",
        "step of training",
        float(now.step),
        steps.numpy(),
        help="Go through the training, forwards and back",
        role="loss",
    )


def _weight_slider(place: WeightPlace, value: float, positions: FloatArray) -> ui.Slider:
    label = tiny_picture.weight_label(place)
    return ui.Slider(
        "w",
        label,
        f"weight {label}",
        value,
        positions,
        help="Press a weight in the picture to choose another one",
        role="weight",
    )


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    now: TinyState = st.session_state["tiny-good"]
    try:
        if moved["name"] == "step":
            step = parsing.parse_integer(moved["typed"], "the step")
            if not 0 <= step <= tiny.STEPS:
                raise ValueError(f"the step must be from 0 to {tiny.STEPS}; got {step}")
            set_controls({"tiny_step": str(step // tiny.EVERY * tiny.EVERY)})
        else:
            value = parsing.parse_number(moved["typed"], "an edited weight")
            store_edits([*now.edits, WeightEdit(now.step, now.weight, value)])
    except ValueError as error:
        show_error_later(error)


def store_edits(edits: list[WeightEdit]) -> None:
    """Store a chain of edits.

    Raises:
        ValueError: as `parse_edits`.
    """
    kept = tiny.parse_edits("; ".join(map(str, edits)))
    set_controls({"tiny_edits": "; ".join(map(str, kept))})


def undo_edit() -> None:
    """Undo the last edit."""
    now: TinyState = st.session_state["tiny-good"]
    store_edits(list(now.edits[:-1]))


def store_event(event: TinyChoice) -> None:
    """Store what the picture reports: a weight, a word or a sentence that was pressed."""
    if "weight" in event:
        set_controls({"tiny_weight": str(tiny.parse_place(event["weight"]))})
    if "place" in event:
        set_controls({"tiny_place": str(event["place"])})
    if "sentence" in event:
        set_controls({"tiny_text": tiny_picture.SENTENCES[event["sentence"]]})
