"""The settings of the views on parameters and cost: a model by its sizes, and their sliders.

A model is a published one or one of ours; a size that a visitor sets replaces the model's size.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

import ui
from drawing.events import Moved
from drawing.live import FloatArray
from lessons.transformer import cost_text
from lmcore import parsing
from lmcore.models.gpt import GPT
from lmcore.shipped import models
from lmcore.transformer.measured_cost import WIDTHS
from lmcore.transformer.parameters import MOST_LAYERS, WIDEST, Sizes, sizes_of
from lmcore.transformer.published import PUBLISHED, PublishedModel
from ui.settings import Choice, Setting, Text
from ui.widgets import set_controls, show_error_later

OPENS_ON = "bert_base"
OURS = {"our_gpt": "Our small GPT", "our_bert": "Our small BERT"}
SHIPPED = {"our_gpt": "gpt", "our_bert": "encoder"}
SHARED = {"shared": "one set for all layers", "own": "each layer its own"}
HEADS = ("1", "2", "4", "8")
COUNT = 41
"""Approximate number of positions of a slider."""


class SizeSlider(NamedTuple):
    """A size that has a slider."""

    field: str
    """The field of `Sizes`."""
    letter: str
    spoken: str
    help: str


SLIDERS: dict[str, SizeSlider] = {
    "pc_n": SizeSlider("layers", "N", "layers N", "Attention and MLPs grow in proportion"),
    "pc_d": SizeSlider("width", "d", "width d", "Twice d: four times W^Q, W^K, W^V and W^O"),
    "pc_h": SizeSlider("heads", "n_h", "heads n_h", "Watch the counts: none changes"),
    "pc_ff": SizeSlider("hidden", "d_ff", "width of the MLP d_ff", "Usually 4 d"),
    "pc_v": SizeSlider("vocabulary", "V", "vocabulary V", "Only E grows"),
    "pc_t": SizeSlider("places", "T_max", "positions T_max", "Only P grows"),
    "pc_e": SizeSlider("narrow", "e", "width of E e", "E is V × e; a matrix e × d widens it"),
}


def model_choices() -> dict[str, str]:
    """Every model that can be counted: the published ones and ours."""
    ours = {name: label for name, label in OURS.items() if models.has_weights(SHIPPED[name])}
    return {name: model.label for name, model in PUBLISHED.items()} | ours


def forget_sizes() -> None:
    """Discard the sizes that were set, for another model."""
    set_controls(dict.fromkeys(SLIDERS, "") | {"pc_shared": "shared"})


COST_SETTINGS: dict[str, Setting] = {
    "pc_model": Choice(model_choices, "Model", then=forget_sizes),
    "pc_shared": Choice(SHARED, "Weights of the layers"),
    **{name: Text(each.letter, each.help, longest=12) for name, each in SLIDERS.items()},
    "cost_d": Choice([str(width) for width in WIDTHS], "Width d of the block"),
    "cost_h": Choice(HEADS, "Heads n_h"),
}


@lru_cache(maxsize=8)
def known_model(name: str) -> PublishedModel:
    """A model by its name in the address.

    Raises:
        ValueError: if there is none of that name, or its file is damaged.
    """
    if name in PUBLISHED:
        return PUBLISHED[name]
    if name == "our_gpt":
        network = models.load_shipped("gpt")[0].network
        assert isinstance(network, GPT)
        return PublishedModel(OURS[name], sizes_of(network.config, "gpt2"), "", "")
    if name == "our_bert":
        sizes = sizes_of(models.encoder()[0].config, "bert", head=True, pooler=True)
        return PublishedModel(OURS[name], sizes, "", "")
    raise ValueError(f"the model must be one of {', '.join(model_choices())}; got {name!r:.40}")


class Counted(NamedTuple):
    """The model of the views on parameters and cost."""

    label: str
    sizes: Sizes
    published: PublishedModel
    changed: bool
    """Whether its sizes differ from the published ones."""


def read_model() -> Counted:
    """The model that the controls describe.

    Raises:
        ValueError: naming the size that is not a number, is out of bounds, or does not fit others.
    """
    state = st.session_state
    name = state["pc_model"] if state["pc_model"] in model_choices() else OPENS_ON
    published = known_model(name)
    given: dict[str, Any] = {
        each.field: parsing.parse_integer(state[key], f"the {each.spoken}")
        for key, each in SLIDERS.items()
        if state[key] and (each.field != "narrow" or published.sizes.kind == "albert")
    }
    shares = {"shared": state["pc_shared"] != "own"} if published.sizes.kind == "albert" else {}
    sizes = replace(published.sizes, **given, **shares)
    changed = sizes != published.sizes
    label = f"{published.label}, changed" if changed else published.label
    return Counted(label, sizes, published, changed)


def opening_model() -> Counted:
    """The model that the page opens with."""
    published = known_model(OPENS_ON)
    return Counted(published.label, published.sizes, published, changed=False)


def store_size(moved: Moved) -> None:
    """Store a released slider's size, or the number typed beside it."""
    name = f"pc_{moved['name']}"
    before = st.session_state[name]
    set_controls({name: str(moved["typed"]).strip()})
    try:
        read_model()
    except ValueError as error:
        set_controls({name: before})
        show_error_later(error)


@lru_cache(maxsize=32)
def size_numbers(sizes: Sizes) -> ui.LiveNumbers:
    """The counts of each part now, and along the slider of each size."""
    now = cost_text.named_counts(sizes)
    sliders, tables = list[ui.Slider](), list[FloatArray]()
    for name, each in SLIDERS.items():
        value = getattr(sizes, each.field)
        if not value:  # without learned positions, or without a narrow embedding
            continue
        positions = size_positions(sizes, each.field)
        swept = [_with(sizes, each.field, int(position)) for position in positions]
        tables.append(np.array([list(cost_text.named_counts(one).values()) for one in swept]))
        key = name.removeprefix("pc_")
        sliders.append(
            ui.Slider(key, each.letter, each.spoken, value, positions, each.help, "weight")
        )
    return ui.LiveNumbers(
        "parameters", tuple(now), np.array(list(now.values())), tuple(sliders), tables
    )


def _with(sizes: Sizes, field: str, value: int) -> Sizes:
    changed: dict[str, Any] = {field: value}
    return replace(sizes, **changed)


def size_positions(sizes: Sizes, field: str) -> FloatArray:
    """The positions of a slider: sizes that fit the others, spaced by about equal ratios."""
    value, heads = getattr(sizes, field), sizes.heads
    if field == "layers":
        found = set(range(1, min(max(48, value), MOST_LAYERS) + 1))
    elif field == "heads":
        found = {n for n in range(1, min(sizes.width, 128) + 1) if sizes.width % n == 0}
    elif field == "width":
        most = min(max(4096, 2 * value), WIDEST)
        found = {heads * max(1, int(x / heads)) for x in np.geomspace(32, most, COUNT)}
    else:
        most = max({"hidden": 16_384, "vocabulary": 300_000}.get(field, 4096), value)
        step = 64 if most < 100_000 else 500
        found = {step * max(1, round(x / step)) for x in np.geomspace(step, most, COUNT)}
    return np.array(sorted(found | {value}), dtype=np.float64)
