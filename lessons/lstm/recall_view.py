"""The picture of recall at a distance: two measurements of small trained networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import streamlit as st

import ui
from drawing.payload import NumberName, Script
from lessons.lstm.lstm_questions import recall_questions
from lessons.lstm.lstm_state import LESSON
from lessons.lstm.recall_text import (
    CELLS,
    alone_words,
    describe,
    finding,
    mean_accuracy,
    method_words,
    mixed_finding,
    mixed_words,
)
from lmcore.recurrence import recall
from lmcore.recurrence.recall import CHANCE, RecallPoint, RecallResults
from ui import guide


class RecallLine(TypedDict):
    """A kind of cell: its mean at each distance, and each of its networks."""

    name: NumberName
    """The number at its end."""
    label: str
    role: str
    dash: str | None
    far: list[int]
    mean: list[float]
    seeds: list[list[float]]
    said: str
    """The mean at the greatest distance."""


class RecallPanel(TypedDict):
    """One way of training; `edge`, if not 0, is where the distances of the training end."""

    title: str
    ticks: list[int]
    edge: float
    edgeSaid: str
    lines: list[RecallLine]


class RecallPayload(TypedDict):
    """The panels, and the share that guessing gives."""

    panels: list[RecallPanel]
    chance: float
    chanceSaid: str
    xTitle: str
    named: str
    """The cell whose number in the first panel the sentence marks."""


RECALL = Script("recall", RecallPayload, ("alone * #", "mixed * #"))


def show(rows: ui.Rows) -> None:
    """Draw both measurements on the stage, and their results beside it."""
    found = recall.load_results()
    with rows.rail:
        hidden = ui.predict_first(recall_questions(found))
        if not hidden and guide.mode() != "present":
            st.caption(alone_words(found))
        with ui.more(rows):
            st.markdown(mixed_words(found))
            st.caption(method_words(found))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[ASKED if hidden else finding(found)],
            formula=[[mixed_finding(found)]],
            alt=ASKED if hidden else f"{describe(found.alone)} {describe(found.points)}",
            kind="measured",
            hidden=hidden,
        )
        ui.main_picture(RECALL, live_numbers(found), recall_picture(found), texts)


ASKED = "Networks that saw one distance only, and networks that saw many: what do they recall?"


def live_numbers(found: RecallResults) -> ui.LiveNumbers:
    """The mean of each point, for the saved numbers of the picture."""
    trained = {"alone": found.alone, "mixed": found.points}
    named = {
        f"{way} {point.cell} {point.distance}": mean_accuracy(point)
        for way, points in trained.items()
        for point in points
    }
    return ui.LiveNumbers("recall", tuple(named), np.array(list(named.values())))


def recall_picture(found: RecallResults) -> RecallPayload:
    """The data of `lessons/lstm/recall.js`."""
    edge = float(found.how["trained_to"])
    return {
        "panels": [
            _panel(found.alone, "alone", "trained on that distance only"),
            _panel(found.points, "mixed", f"trained on 1 to {edge:g}, mixed", edge),
        ],
        "chance": CHANCE,
        "chanceSaid": f"guessing {CHANCE:.1%}",
        "xTitle": "distance, symbols between",
        "named": "RNN",
    }


def _panel(points: Sequence[RecallPoint], way: str, title: str, edge: float = 0.0) -> RecallPanel:
    lines = list[RecallLine]()
    for cell, (label, role, dash) in CELLS.items():
        its = [point for point in points if point.cell == cell]
        line: RecallLine = {
            "name": f"{way} {cell} {its[-1].distance}",
            "label": label,
            "role": role,
            "dash": dash,
            "far": [point.distance for point in its],
            "mean": [mean_accuracy(point) for point in its],
            "seeds": [list(point.accuracies) for point in its],
            "said": f"{mean_accuracy(its[-1]):.0%}",
        }
        lines.append(line)
    ticks = sorted({point.distance for point in points})
    said = "trained to here" if edge else ""
    return {"title": title, "ticks": ticks, "edge": edge, "edgeSaid": said, "lines": lines}
