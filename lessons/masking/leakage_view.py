"""Leakage through many layers: one token is changed, and the stage shows how the change spreads."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from torch import Tensor

import ui
from lessons.masking import (
    leakage_picture,
    leakage_text,
    masking_controls,
    masking_picture,
    masking_state,
    masking_text,
    masking_views,
)
from lessons.masking.masking_picture import FloatArray
from lessons.masking.masking_questions import leakage_questions
from lessons.masking.masking_state import LESSON, MaskingState
from lmcore.masking import leakage, under_mask
from lmcore.masking.leakage import Leakage
from lmcore.masking.under_mask import MaskText
from lmcore.models.masks import format_mask, parse_mask
from ui import compute

CHANGE = (leakage_picture.CHANGE, "change", "Change token")
CHANGE_HELP = "Drag through the text: which outputs move when this token is another one?"


def show(rows: ui.Rows, current: MaskingState, _see: str) -> masking_views.Views:
    """Draw how a change spreads through the layers; return the views that lie over it."""
    head = current.pair.other if current.pair.chosen.name == "cross" else current.pair.chosen
    tokens, blank = current.pair.queries, masking_state.SETTINGS.switch("masking_blank")
    with rows.errors:
        place = ui.validated_or_previous(
            "masking_change", lambda: masking_state.read_place("masking_change"), lambda: 0
        )
    at = min(place, len(tokens) - 1)
    every = measure(tokens, head.trace.mask, blank=blank)
    now = every[head.at]
    live = slider_numbers(current, every, head.trace.mask, head.at, at, blank=blank)
    with rows.rail:
        hidden = ui.predict_first(leakage_questions(now, head.now.mask[0], tokens, at, blank=blank))
        ui.sliders(live, on_settled=masking_views.store_slider)
        masking_state.SETTINGS.draw("masking_blank")
        masking_controls.show_controls(rows, current, compares=False, leak=True)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=leakage_text.sentences(tokens, ui.quoted),
            formula=[leakage_text.formula(now)],
            alt=leakage_text.describe(),
            kind="measured here",
            hidden=hidden,
        )
        how = leakage_picture.picture(now, tokens, blank=blank)
        ui.main_picture(leakage_picture.LEAK, live, how, texts)
    return {"Leakage code": lambda: source(tokens, head.now.mask[0], blank=blank)}


def measure(tokens: tuple[str, ...], masks: Tensor, *, blank: bool) -> list[Leakage]:
    """The leakage under each of the masks of a slider."""
    every = partial(_measure, tokens, tuple(map(format_mask, masks)), blank)
    return compute.shared_result("leakage", every, most=16, says="Measuring")


def _measure(tokens: tuple[str, ...], masks: tuple[str, ...], blank: bool) -> list[Leakage]:
    """The leakage under masks in the form of `format_mask`."""
    ids = torch.tensor(under_mask.number_words([MaskText(tokens, ())])[0].ids)
    return [leakage.leakage(parse_mask(mask), ids, blank=blank) for mask in masks]


def slider_numbers(
    current: MaskingState, every: list[Leakage], masks: Tensor, now: int, at: int, *, blank: bool
) -> ui.LiveNumbers:
    """The numbers now, with every token changed, and at every value of the mask's slider."""
    row = partial(leakage_picture.numbers, blank=blank)
    count = masks.shape[-1]
    changed = [row(every[now], masks[now], j) for j in range(count)]
    names, table = [*changed[at]], leakage_picture.swept(changed)
    places = np.arange(1.0, count + 1)
    known = masking_picture.slider(current.choice, current.pair.chosen)
    if known is None:
        change = ui.Slider(*CHANGE, at + 1.0, places, CHANGE_HELP, "gradient")
        return ui.LiveNumbers("leak", tuple(names), table[at], (change,), table[None])
    setting, label, spoken, look_for = known
    values = np.array(current.pair.chosen.values, dtype=np.float64)
    swept = leakage_picture.swept(
        [row(found, mask, at) for found, mask in zip(every, masks, strict=True)]
    )
    table = np.column_stack([table, np.full(count, values[now])])
    moved = np.column_stack([swept, values])
    many = max(count, len(values))  # all sliders need the same number of positions
    change = ui.Slider(*CHANGE, at + 1.0, _extended(places, many), CHANGE_HELP, "gradient")
    slider = ui.Slider(
        setting, label, spoken, values[now], _extended(values, many), look_for, "mask"
    )
    both = np.stack([_extended(table, many), _extended(moved, many)])
    return ui.LiveNumbers("leak", (*names, setting), table[at], (change, slider), both)


def _extended(rows: FloatArray, many: int) -> FloatArray:
    """The rows with the last one repeated, until there are that many."""
    return np.concatenate([rows, np.repeat(rows[-1:], many - len(rows), axis=0)])


def source(tokens: tuple[str, ...], mask: Tensor, *, blank: bool) -> None:
    """The code that ran, and a snippet that prints what moves."""
    ids = under_mask.number_words([MaskText(tokens, ())])[0].ids
    snippet = masking_text.leak_snippet(ids, mask, blank=blank)
    ui.show_code(leakage.paths, leakage.measure_leakage, snippet=snippet, name="leakage")
