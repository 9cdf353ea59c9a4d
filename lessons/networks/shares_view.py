"""The picture of softmax: three output units, e to the power of their scores, shares of a whole."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from drawing.payload import Script
from lessons.networks import shares_text
from lessons.networks.networks_questions import share_questions
from lessons.networks.networks_state import LESSON
from lmcore import parsing
from lmcore.networks.softmax import trace_softmax

SEE = "Softmax shares"
CLASSES = 3
LOWEST, HIGHEST, STEPS = -2.0, 2.5, 46
"""The scores that the units may have; the scale of the bars is that of the highest."""


class SharesPayload(TypedDict):
    """The classes, the end of the scale of the bars, and whether earlier scores are marked."""

    classes: list[str]
    most: float
    marks: bool
    named: list[int]
    """The class whose share each of the sentences names, from 1."""


SHARES = Script("shares", SharesPayload, ("z#", "e#", "p#", "o#", "q#", "total", "@say"))


class Scores(NamedTuple):
    """The scores of the output units now, and those that they are compared with."""

    now: tuple[float, ...]
    was: tuple[float, ...]


def show(rows: ui.Rows) -> None:
    """Draw the units, the bars and the column on the stage, and beside it the scores."""
    with rows.errors:
        scores = ui.validated_or_previous("shares", read_scores, default_scores)
    live = live_numbers(scores)
    with rows.rail:
        hidden = ui.predict_first(share_questions(scores.now))
        ui.sliders(live, on_settled=store_score)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=shares_text.sentences(scores),
            moved=shares_text.MOVED,
            formula=[shares_text.formula()],
            alt=shares_text.describe(),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(SHARES, live, shares_picture(scores), texts)


def read_scores() -> Scores:
    """What the controls describe.

    Raises:
        ValueError: if these are not three numbers from `LOWEST` to `HIGHEST`.
    """
    now = _checked(st.session_state["share_z"], "the scores z")
    was = st.session_state["share_was"].strip()
    return Scores(now, _checked(was, "the earlier scores") if was else now)


def default_scores() -> Scores:
    """The page's example."""
    now = _checked(LESSON.defaults["share_z"], "the scores z")
    return Scores(now, now)


def _checked(typed: str, what: str) -> tuple[float, ...]:
    numbers = tuple(parsing.parse_numbers(typed, what))
    if len(numbers) != CLASSES:
        raise ValueError(f"{what} must be {CLASSES} numbers; got {len(numbers)}")
    for number in numbers:
        if not LOWEST <= number <= HIGHEST:
            raise ValueError(f"{what} must be from {LOWEST:g} to {HIGHEST:g}; got {number:g}")
    return numbers


def live_numbers(scores: Scores) -> ui.LiveNumbers:
    """All numbers now, and along the slider of each score."""
    z = torch.tensor([scores.now], dtype=torch.float64)
    names, now = _named(z, scores)
    sliders, tables = [], []
    for i, value in enumerate(scores.now):
        positions = np.round(np.linspace(LOWEST, HIGHEST, STEPS), 10)
        positions[np.abs(positions - value).argmin()] = value
        swept = z.repeat(len(positions), 1)
        swept[:, i] = torch.from_numpy(positions)
        tables.append(_named(swept, scores)[1])
        label = f"z{'₁₂₃'[i]}"
        watch = "One share grows, all others shrink: together they are 1"
        sliders.append(
            ui.Slider(f"z{i + 1}", label, f"score {i + 1}", value, positions, watch, "score")
        )
    return ui.LiveNumbers("shares", names, now[0], tuple(sliders), tables)


def _named(
    z: torch.Tensor, scores: Scores
) -> tuple[tuple[str, ...], np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """The names of all numbers, and a row of them for each row of scores."""
    trace = trace_softmax(z, 1.0, "float64")
    was = torch.tensor([scores.was], dtype=torch.float64).expand_as(z)
    before = trace_softmax(was, 1.0, "float64").probabilities
    parts = {"z": z, "e": trace.exponentials, "p": trace.probabilities, "o": was, "q": before}
    names = [f"{letter}{i}" for letter in parts for i in range(1, CLASSES + 1)]
    say = shares_text.chosen(z, was)
    columns = torch.cat([*parts.values(), trace.total[:, None], say[:, None]], dim=1)
    return (*names, "total", "@say"), columns.numpy()


def shares_picture(scores: Scores) -> SharesPayload:
    """The data of `lessons/networks/shares.js` without the numbers."""
    return {
        "classes": [f"class {i}" for i in range(1, CLASSES + 1)],
        "most": float(np.exp(HIGHEST)),
        "marks": scores.now != scores.was,
        "named": shares_text.named(scores),
    }


def store_score(moved: Moved) -> None:
    """Store a released slider's score; from now on what was there before it is marked."""
    scores: Scores = st.session_state["shares-good"]
    try:
        value = parsing.parse_number(moved["typed"], moved["name"])
        changed = list(scores.now)
        changed[int(moved["name"][1:]) - 1] = value
        typed = ", ".join(f"{each:.10g}" for each in changed)
        _checked(typed, "the scores z")
        was = ", ".join(f"{each:.10g}" for each in scores.now)
        ui.set_controls({"share_z": typed, "share_was": was})
    except ValueError as error:
        ui.show_error_later(error)
